//===- Interfaces.td - what the passes ask of an op ---------*- tablegen -*-===//
#ifndef MLAFUSE_IR_INTERFACES_TD
#define MLAFUSE_IR_INTERFACES_TD

include "mlir/IR/OpBase.td"

def MLAFuse_RowOpInterface : OpInterface<"RowOpInterface"> {
  let cppNamespace = "::mlafuse";
  let description = [{
    How an op reads and writes its rows: what bufferization and the checks of
    in-place use need. Every op of the dialect implements it.
  }];
  let methods = [
    InterfaceMethod<[{
      The device-side count of rows that are real (`1 x i32`), or null. Rows
      past it are not read, and their destination is left as it was.
    }], "::mlir::Value", "getTokenCount">,
    InterfaceMethod<[{
      True if some of the destination's old contents survive the op: a count is
      given, or only a range of rows or slots is written.
    }], "bool", "keepsDestination", (ins "::mlir::OpOperand &":$init)>,
    InterfaceMethod<[{
      True if each row of this input is read in full before the same row of a
      destination is written, so that both may be the same memory.
    }], "bool", "isReadRowByRow", (ins "::mlir::OpOperand &":$input)>,
  ];
}

def MLAFuse_QuantizableOutput : OpInterface<"QuantizableOutput"> {
  let cppNamespace = "::mlafuse";
  let description = [{
    An op that can quantize its first result itself, in place of a `quantize`
    that follows it. The destination of that result is the first of `inits`; with
    a dynamic key the scales are the second.
  }];
  let methods = [
    InterfaceMethod<[{
      The quantization that the op already does; its key is null if none.
    }], "::mlafuse::QuantSpec", "getOutputQuant">,
    InterfaceMethod<[{
      Succeeds if the op can write its first result in this form. Else says in
      `reason` what stands against it.
    }], "::llvm::LogicalResult", "supportsOutputQuant",
      (ins "::mlafuse::QuantSpec":$spec, "std::string &":$reason)>,
    InterfaceMethod<[{
      Builds the op with `quantization` of its first result, whose destinations
      and operands it takes over: codes, [scales], then the other results in their
      order. The op itself stays.
    }], "::mlir::Operation *", "buildQuantized",
      (ins "::mlir::OpBuilder &":$builder,
           "const ::mlafuse::OutputQuantization &":$quantization)>,
    InterfaceMethod<[{
      Builds the op without its key, writing its first result into `destination`
      (of the type that the unfused op gives). The other results keep their
      order.
    }], "::mlir::Operation *", "buildUnquantized",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$destination)>,
    InterfaceMethod<[{
      The type of the first result without a key.
    }], "::mlir::RankedTensorType", "getUnquantizedType">,
  ];
}

#endif // MLAFUSE_IR_INTERFACES_TD
