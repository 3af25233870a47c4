// RUN: mlafuse-opt %s --mlafuse-fuse='report=text' -o /dev/null | FileCheck %s --check-prefix=TEXT
// RUN: mlafuse-opt %s --mlafuse-fuse='report=json report-file=%t.json' -o /dev/null
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: mlafuse-opt %s --mlafuse-fuse --remarks-filter-passed=mlafuse-fuse --remark-format=yaml --remarks-output-file=%t.yaml -o /dev/null
// RUN: FileCheck %s --check-prefix=YAML < %t.yaml

// One line per candidate, in source order.
// TEXT: fuse-report.mlir:[[@LINE+16]]:{{[0-9]+}}: passed MLAFUSE-F001 norm-quantize in @three_norms: 'mlafuse.rms_norm' and 'mlafuse.quantize' fused: saves 1024*T bytes and 1 launch
// TEXT-NEXT: fuse-report.mlir:[[@LINE+16]]:{{[0-9]+}}: passed MLAFUSE-F002 siblings in @three_norms: 'mlafuse.rms_norm_quantize' and 'mlafuse.rms_norm' fused: saves 1 launch
// TEXT-NEXT: fuse-report.mlir:[[@LINE+16]]:{{[0-9]+}}: missed MLAFUSE-F035 other-sibling in @three_norms: 'mlafuse.rms_norm_quantize' and 'mlafuse.rms_norm' not fused: a sibling is paired with another norm ('mlafuse.dual_rms_norm_quantize' at {{.*}}fuse-report.mlir:[[@LINE+13]]:{{[0-9]+}})
// TEXT-NEXT: fuse-report.mlir:[[@LINE+15]]:{{[0-9]+}}: missed MLAFUSE-F035 other-sibling in @three_norms: 'mlafuse.rms_norm' and 'mlafuse.rms_norm' not fused: a sibling is paired with another norm
// TEXT-NEXT: fuse-report.mlir:[[@LINE+18]]:{{[0-9]+}}: missed MLAFUSE-F013 dependence in @three_norms: 'mlafuse.rms_norm' and 'mlafuse.quantize' not fused: one needs a value that is computed from the other's result ('tensor.extract' at {{.*}}fuse-report.mlir:[[@LINE+15]]:{{[0-9]+}})
// TEXT-NEXT: fuse-report.mlir:[[@LINE+23]]:{{[0-9]+}}: passed MLAFUSE-F003 output-quantize in @merge: 'mlafuse.merge_attn_states' and 'mlafuse.quantize' fused: saves 8192*T bytes and 1 launch
// TEXT-NOT: MLAFUSE

func.func @three_norms(%p: tensor<?x832xbf16>, %qw: tensor<512xbf16>, %kw: tensor<256xbf16>, %iw: tensor<64xf32>, %q8o: tensor<?x512xf8E4M3FN>, %qso: tensor<?x1xf32>, %qo: tensor<?x512xbf16>, %ko: tensor<?x256xbf16>, %io: tensor<?x64xbf16>, %i8o: tensor<?x64xf8E4M3FN>)
    -> (tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x256xbf16>, tensor<?x64xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x832xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 512] [1, 1] : tensor<?x832xbf16> to tensor<?x512xbf16>
  %kv_c = tensor.extract_slice %p[0, 512] [%t, 256] [1, 1] : tensor<?x832xbf16> to tensor<?x256xbf16>
  %i_c = tensor.extract_slice %p[0, 768] [%t, 64] [1, 1] : tensor<?x832xbf16> to tensor<?x64xbf16>
  %q = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%qo : tensor<?x512xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  %q8, %qs = mlafuse.quantize ins(%q : tensor<?x512xbf16>) outs(%q8o, %qso : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x1xf32>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x256xbf16>, tensor<256xbf16>) outs(%ko : tensor<?x256xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x256xbf16>
  %i = mlafuse.rms_norm ins(%i_c, %iw : tensor<?x64xbf16>, tensor<64xf32>) outs(%io : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  %e = tensor.extract %i[%c0, %c0] : tensor<?x64xbf16>
  %f = arith.extf %e : bf16 to f32
  %s = tensor.from_elements %f : tensor<1xf32>
  %i8 = mlafuse.quantize ins(%i : tensor<?x64xbf16>) scale(%s : tensor<1xf32>) outs(%i8o : tensor<?x64xf8E4M3FN>) {key = #mlafuse.quant_key<fp8_static_tensor_sym>} -> tensor<?x64xf8E4M3FN>
  return %q8, %qs, %q, %kv, %i8 : tensor<?x512xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>, tensor<?x256xbf16>, tensor<?x64xf8E4M3FN>
}

func.func @merge(%a: tensor<?x16x128xbf16>, %la: tensor<?x16xf32>, %b: tensor<?x16x128xbf16>, %lb: tensor<?x16xf32>, %oo: tensor<?x2048xbf16>, %q8o: tensor<?x2048xf8E4M3FN>, %so: tensor<?x1xf32>) -> (tensor<?x2048xf8E4M3FN>, tensor<?x1xf32>) {
  %o = mlafuse.merge_attn_states ins(%a, %la, %b, %lb : tensor<?x16x128xbf16>, tensor<?x16xf32>, tensor<?x16x128xbf16>, tensor<?x16xf32>) outs(%oo : tensor<?x2048xbf16>) -> tensor<?x2048xbf16>
  %q8, %s = mlafuse.quantize ins(%o : tensor<?x2048xbf16>) outs(%q8o, %so : tensor<?x2048xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x2048xf8E4M3FN>, tensor<?x1xf32>
  return %q8, %s : tensor<?x2048xf8E4M3FN>, tensor<?x1xf32>
}

// JSON: {
// JSON-NEXT:   "version": 1,
// JSON-NEXT:   "remarks": [
// JSON-NEXT:     {
// JSON-NEXT:       "kind": "passed",
// JSON-NEXT:       "code": "MLAFUSE-F001",
// JSON-NEXT:       "name": "norm-quantize",
// JSON-NEXT:       "function": "three_norms",
// JSON-NEXT:       "location": "{{.*}}fuse-report.mlir:{{[0-9]+}}:{{[0-9]+}}",
// JSON-NEXT:       "producer": "mlafuse.rms_norm",
// JSON-NEXT:       "consumer": "mlafuse.quantize",
// JSON-NEXT:       "bytesSaved": "1024*T",
// JSON-NEXT:       "launchesSaved": 1
// JSON-NEXT:     },
// JSON: "code": "MLAFUSE-F002",
// JSON: "bytesSaved": "0",
// JSON: "kind": "missed",
// JSON-NEXT: "code": "MLAFUSE-F035",
// JSON: "reason": "a sibling is paired with another norm",
// JSON-NEXT: "blocker": "mlafuse.dual_rms_norm_quantize",
// JSON-NEXT: "blockerLocation": "{{.*}}fuse-report.mlir:{{[0-9]+}}:{{[0-9]+}}"

// YAML: --- !Passed
// YAML: MLAFUSE-F001
// YAML: three_norms
