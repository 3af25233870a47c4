// RUN: mlafuse-opt %s --mlafuse-launch-kernels --split-input-file --verify-diagnostics

module attributes {gpu.container_module} {
  func.func @f(%n: index) attributes {mlafuse.signature = {arguments = [], name = "f", results = []}} {
    // expected-error@+1 {{'gpu.launch_func' op passes other operands than @k::@k takes}}
    gpu.launch_func @k::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
    return
  }
  gpu.module @k {
    llvm.func @k(%v: f32) attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

module attributes {gpu.container_module} {
  func.func @f(%n: index) attributes {mlafuse.signature = {arguments = [], name = "f", results = []}} {
    // expected-error@+1 {{'gpu.launch_func' op has clusters or async tokens, which the launch context has no form for}}
    gpu.launch_func @k::@k clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
  gpu.module @k {
    llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
}

// -----

// expected-error@+1 {{entry 'f' gives results; run mlafuse-results-to-arguments first}}
func.func @f(%n: index) -> index attributes {mlafuse.signature = {arguments = [], name = "f", results = []}} {
  return %n : index
}

// -----

module attributes {gpu.container_module} {
  func.func private @f(%n: index) {
    // expected-error@+1 {{'gpu.launch_func' op stands in a function that is no entry: it has no launch context}}
    gpu.launch_func @k::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
  gpu.module @k {
    llvm.func @k() attributes {gpu.kernel, nvvm.kernel} {
      llvm.return
    }
  }
}
