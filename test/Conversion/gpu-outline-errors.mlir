// RUN: mlafuse-opt %s --mlafuse-outline-kernels --verify-diagnostics

func.func @f(%n: index) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{'gpu.launch' op has 'mlafuse.overlaps_previous' and no thread waits for the kernel before it (griddepcontrol.wait)}}
  gpu.launch blocks(%b, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%i, %j, %k) in (%bx = %c1, %bby = %c1, %bbz = %c1) {
    nvvm.griddepcontrol launch_dependents
    gpu.terminator
  } {mlafuse.overlaps_previous}
  // Kernels that wait may overlap.
  gpu.launch blocks(%b, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1) threads(%i, %j, %k) in (%bx = %c1, %bby = %c1, %bbz = %c1) {
    nvvm.griddepcontrol wait
    gpu.terminator
  } {mlafuse.overlaps_previous}
  return
}
