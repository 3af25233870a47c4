// Passes that read 'mlafuse.signature' take no text for granted.
// RUN: not mlafuse-opt %s --mlafuse-make-entries --split-input-file 2>&1 | FileCheck %s --check-prefixes=CHECK,ENTRY
// RUN: not mlafuse-opt %s --mlafuse-results-to-arguments --split-input-file 2>&1 | FileCheck %s --check-prefixes=CHECK,RESULT

// CHECK: error: 'mlafuse.signature' does not have the form that 'mlafuse-describe' gives it
func.func @no_list(%x: memref<4xf32>) attributes {mlafuse.signature = {arguments = 3, name = "f"}} { return }

// -----

// CHECK: error: 'mlafuse.signature' does not have the form
func.func @no_dictionary(%x: memref<4xf32>) attributes {mlafuse.signature = "a"} { return }

// -----

// CHECK: error: 'mlafuse.signature' does not have the form
func.func @bad_size(%x: memref<4xf32>) attributes {mlafuse.signature = {arguments = [{access = "write", layout = "contiguous", name = "arg0", shape = [4.0], type = f32}], name = "f", results = []}} { return }

// -----

// ENTRY: error: entry 'tensors' does not take the launch context and what its signature lists, or gives other results than a status; run the passes of 'mlafuse-cpu-pipeline' or 'mlafuse-gpu-pipeline' in their order
// RESULT: error: entry 'tensors' does not take and give, as memrefs, what its signature lists; run 'mlafuse-bufferize' first
func.func @tensors(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mlafuse.signature = {arguments = [{access = "write", layout = "contiguous", name = "arg0", shape = [4], type = f32}], name = "f", results = []}} { return %x : tensor<4xf32> }

// -----

// ENTRY: error: entry 'rank' takes {{.*}} as argument 'arg0', which is not what its signature says
// RESULT: error: entry 'rank' does not take and give, as memrefs
func.func @rank(%c: !llvm.ptr, %x: memref<4xf32>) attributes {mlafuse.signature = {arguments = [{access = "write", layout = "contiguous", name = "arg0", shape = ["T", 3], type = f32}], name = "f", results = []}} { return }

// -----

// ENTRY: error: entry 'no_argument' has the result 'r', which names no argument
// RESULT: error: entry 'no_argument' does not take and give, as memrefs
func.func @no_argument(%c: !llvm.ptr, %x: memref<4xf32>) attributes {mlafuse.signature = {arguments = [{access = "write", layout = "contiguous", name = "arg0", shape = [4], type = f32}], name = "f", results = [{argument = 77 : i64, name = "r", shape = [4]}]}} { return }

// -----

// ENTRY: error: entry 'workspace' has no workspace, or 'mlafuse_workspace_size_workspace' does not compute its size
func.func private @mlafuse_workspace_size_workspace() -> i32 { %0 = arith.constant 0 : i32 return %0 : i32 }
func.func @workspace(%c: !llvm.ptr, %x: memref<4xf32>) attributes {mlafuse.signature = {arguments = [], name = "workspace", results = []}} { return }
