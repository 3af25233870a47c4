// --numerics=contracted makes of an exact chain what a contracted one gives; without
// it the same golden file's contracted results are not met.

// RUN: mlafuse-compile %S/golden-dual-group.mlir --target=cpu --numerics=contracted -o %t.so
// RUN: %golden g128_1536 dual-g128_t7_1536 --against-contracted --partial
// RUN: mlafuse-compile %S/golden-dual-group.mlir --target=cpu --numerics=exact -o %t.so
// RUN: %golden_differs g128_1536 dual-g128_t7_1536 --against-contracted --partial

// RUN: not mlafuse-compile %S/golden-dual-group.mlir --numerics=contracted --no-fuse -o %t.none.so 2>&1 | FileCheck %s --check-prefix=UNFUSED
// UNFUSED: mlafuse-compile: error: --numerics=contracted is about fused ops, which --no-fuse leaves out: give one of them
// RUN: not mlafuse-compile %S/golden-dual-group.mlir --numerics=fast -o %t.none.so 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: mlafuse-compile: error: --numerics=fast: wanted one of exact, contracted
// RUN: not test -e %t.none.so
