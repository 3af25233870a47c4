// --mlafuse-fusion-report: what every fusion pass of a run says, in one piece.
// RUN: rm -rf %t && mkdir %t

// Two passes over two functions, in the order of the run.
// RUN: mlafuse-opt %s --split-input-file --pass-pipeline='builtin.module(mlafuse-fuse,mlafuse-fuse)' --mlafuse-fusion-report=text -o /dev/null | FileCheck %s --check-prefix=TEXT
// TEXT: passed MLAFUSE-F001 norm-quantize in @first:
// TEXT-NEXT: missed MLAFUSE-F012 whole-tensor-scale in @second:
// TEXT-NEXT: passed MLAFUSE-F001 norm-quantize in @first:
// TEXT-NEXT: missed MLAFUSE-F012 whole-tensor-scale in @second:
// TEXT-NEXT: passed MLAFUSE-F001 norm-quantize in @third:
// TEXT-NEXT: passed MLAFUSE-F001 norm-quantize in @third:
// TEXT-NOT: MLAFUSE

// RUN: mlafuse-opt %s --split-input-file --mlafuse-fuse --mlafuse-fusion-report=json --mlafuse-fusion-report-file=%t/three.json -o /dev/null | count 0
// RUN: python3 %S/Inputs/check_report.py %mlafuse_source/python-free-docs/fusion-report.schema.json %t/three.json 3

// The report and the IR may both go to the standard output: first the IR.
// RUN: mlafuse-opt %s --split-input-file --mlafuse-fuse --mlafuse-fusion-report=text | FileCheck %s --check-prefix=BOTH
// BOTH: func.func @third
// BOTH: passed MLAFUSE-F001 norm-quantize in @first:

// No candidate, and no function.
// RUN: echo 'func.func private @nothing()' | mlafuse-opt --mlafuse-fuse --mlafuse-fusion-report=json --mlafuse-fusion-report-file=%t/none.json -o /dev/null
// RUN: python3 %S/Inputs/check_report.py %mlafuse_source/python-free-docs/fusion-report.schema.json %t/none.json 0
// RUN: FileCheck %s --check-prefix=NONE < %t/none.json
// NONE: {
// NONE-NEXT: "version": 1,
// NONE-NEXT: "remarks": []
// NONE-NEXT: }

// The checker sees what is wrong.
// RUN: sed 's/"launchesSaved": 1/"launchesSaved": "1"/; s/MLAFUSE-F012/F012/; s/"version": 1/"version": 2/' %t/three.json > %t/wrong.json
// RUN: not python3 %S/Inputs/check_report.py %mlafuse_source/python-free-docs/fusion-report.schema.json %t/wrong.json 3 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not python3 %S/Inputs/check_report.py %mlafuse_source/python-free-docs/fusion-report.schema.json %t/three.json 4 2>&1 | FileCheck %s --check-prefix=NUMBER
// WRONG: $.version: 2 is not 1
// WRONG: $.remarks[0].launchesSaved: '1' is no integer
// WRONG: $.remarks[1].code: 'F012' does not match
// NUMBER: 3 remarks, not 4

// A file that cannot be written: an error, and nothing is left behind.
// RUN: not mlafuse-opt %s --split-input-file --mlafuse-fuse --mlafuse-fusion-report=json --mlafuse-fusion-report-file=%t/absent/r -o /dev/null 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: cannot write the fusion report to '{{.*}}/absent/r': No such file or directory
// RUN: mkdir %t/directory
// RUN: not mlafuse-opt %s --split-input-file --mlafuse-fuse --mlafuse-fusion-report=json --mlafuse-fusion-report-file=%t/directory -o /dev/null 2>&1 | FileCheck %s --check-prefix=DIRECTORY
// DIRECTORY: error: cannot write the fusion report to '{{.*}}/directory': Is a directory
// RUN: not mlafuse-opt %s --split-input-file --mlafuse-fuse='report=text report-file=%t/absent/r' -o /dev/null 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not mlafuse-opt %s --split-input-file --mlafuse-fuse --mlafuse-fusion-report=text --mlafuse-fusion-report-file=/dev/full -o /dev/null 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: cannot write the fusion report to '/dev/full': No space left on device

// A run that fails before it fuses keeps the report that was there.
// RUN: echo 'not MLIR' | not mlafuse-opt --mlafuse-fuse --mlafuse-fusion-report=json --mlafuse-fusion-report-file=%t/three.json -o /dev/null
// RUN: python3 %S/Inputs/check_report.py %mlafuse_source/python-free-docs/fusion-report.schema.json %t/three.json 3
// RUN: ls %t | count 4

// What makes no sense is said.
// RUN: mlafuse-opt %s --split-input-file --mlafuse-decompose --mlafuse-fusion-report=text -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO_PASS
// NO_PASS: warning: --mlafuse-fusion-report: no mlafuse-fuse pass in this run
// RUN: not mlafuse-opt %s --split-input-file --mlafuse-fuse --mlafuse-fusion-report-file=%t/r -o /dev/null 2>&1 | FileCheck %s --check-prefix=NO_FORM
// NO_FORM: error: --mlafuse-fusion-report-file needs --mlafuse-fusion-report=text or json
// RUN: not mlafuse-opt %s --mlafuse-fuse --mlafuse-fusion-report=xml 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: for the --mlafuse-fusion-report option: Cannot find option named 'xml'!

func.func @first(%x: tensor<?x256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %n = mlafuse.rms_norm ins(%x : tensor<?x256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %c:2 = mlafuse.quantize ins(%n : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}
func.func @second(%x: tensor<?x256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<1xf32>) {
  %n = mlafuse.rms_norm ins(%x : tensor<?x256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %c:2 = mlafuse.quantize ins(%n : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>} -> tensor<?x256xf8E4M3FN>, tensor<1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<1xf32>
}

// -----

func.func @third(%x: tensor<?x256xbf16>, %y: tensor<?x256xbf16>, %q: tensor<?x256xf8E4M3FN>, %s: tensor<?x1xf32>) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {
  %n = mlafuse.rms_norm ins(%x : tensor<?x256xbf16>) outs(%y : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %c:2 = mlafuse.quantize ins(%n : tensor<?x256xbf16>) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %c#0, %c#1 : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
}
