// A row starts beyond 2^31 elements: the last of 300001 rows, 7168 apart, is read
// where it is.

// RUN: %compile
// RUN: %cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I %runtime_include %S/Inputs/b18-wide-index.c -o %t.exe -ldl
// RUN: %t.exe %t.so

func.func @norm(%x: tensor<?x64xbf16> {mlafuse.strided}, %w: tensor<64xbf16>, %out: tensor<?x64xbf16>)
    -> tensor<?x64xbf16> {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x64xbf16>, tensor<64xbf16>) outs(%out : tensor<?x64xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}
