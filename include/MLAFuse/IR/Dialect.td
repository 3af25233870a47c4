//===- Dialect.td - the dialect and its op base class -------*- tablegen -*-===//
#ifndef MLAFUSE_IR_DIALECT_TD
#define MLAFUSE_IR_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "MLAFuse/IR/Interfaces.td"

def MLAFuse_Dialect : Dialect {
  let name = "mlafuse";
  let cppNamespace = "::mlafuse";
  let summary = "normalization, quantization and Multi-head Latent Attention";
  let description = [{
    The ops of the attention block of Multi-head Latent Attention (MLA) models,
    and the fused forms that `--mlafuse-fuse` makes of them.

    All ops are destination-passing: `ins(...)` names what is read,
    `outs(...)` what is written, and on tensors there is one result per
    destination, of its type. The same ops exist on memrefs after
    bufferization, without results. Clauses such as `scale(...)` hold optional
    inputs.

    Norms and quantization take any rank: the innermost dimension is the row
    (its width is static), the product of the others is the number of rows T,
    which may be dynamic or zero.

    Constraints that ops share (each op's own are labelled C):

    - S1: the shaped operands are all tensors or all memrefs; memrefs have an
      innermost stride of 1 (or unknown).
    - S2: destinations are as many as the key says, and results are one per
      tensor destination, of its type.
    - S3: the innermost dimension of a row operand is static and not zero.
    - S4: `num_actual_tokens` is `1 x i32`.
    - S5: shapes and element types of the operands fit each other as the op's
      table says; the static sizes of an operand multiply to at most 2^40.
    - S6: `schedule` has parameters of the op's own kernel only.
    - Q1: the key is one that the op can produce.
    - Q2: codes have the key's data type (FP4: two to a byte of i8, low nibble
      first) and the shape of what is quantized.
    - Q3: the row width is a multiple of the key's group.
    - Q4: the scale layout goes with the key: none for static and tensor keys;
      `row_major` for token keys; `row_major`, `column_major`, `tma_aligned`
      and, with `ue8m0` rounding, `packed_ue8m0` for groups; `row_major` and
      `swizzled_128x4` for NVFP4 and MX keys.
    - Q5: the scale destination has the layout's storage type and shape.
    - Q6: `scale` (1 x f32) is given for static keys and for no others.
    - Q7: `scale_ub` (1 x f32) is given for dynamic token and tensor keys only.
    - Q8: `global_scale` (1 x f32) is given for NVFP4 and for no other key.
    - Q9: the scale rule has only fields that the key's arithmetic has.
    - Q10: `contracted` goes with `rounding = result` in norms, and only with
      a key or more than one fused op.
    - Q11: without `row_offset` codes have as many rows as the input.
  }];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"
  ];
}

/// A tensor, or a memref after bufferization.
def MLAFuse_Shaped : AnyTypeOf<[AnyRankedTensor, AnyStridedMemRef],
    "ranked tensor or strided memref">;

/// Base of every op: destinations are the last operand, variadic, with roles
/// that follow from the attributes; results are the tensor destinations.
class MLAFuse_Op<string mnemonic, list<Trait> traits = []>
    : Op<MLAFuse_Dialect, mnemonic, !listconcat([
        AttrSizedOperandSegments,
        DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<MLAFuse_RowOpInterface>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<InferTypeOpInterface>], traits)> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasVerifier = 1;

  code baseDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getInitsMutable();
    }
  }];
  code opDeclaration = "";
  let extraClassDeclaration = baseDeclaration # opDeclaration;

  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      $cppClass::Adaptor adaptor(operands, attributes, properties, regions);
      ::mlafuse::appendTensorTypes(adaptor.getInits(), types);
      return ::mlir::success();
    }
    void $cppClass::getEffects(::llvm::SmallVectorImpl<
        ::mlir::SideEffects::EffectInstance<
            ::mlir::MemoryEffects::Effect>> &effects) {
      ::mlafuse::getRowOpEffects(
          ::llvm::cast<::mlafuse::RowOpInterface>(getOperation()), effects);
    }
  }];
}

// Assembly of an op: `ins(...)`, then one keyword clause per optional input,
// then `outs(...)`, attributes and result types.
class MLAFuse_Clause<string operand> {
  string text = "(`" # operand # "` `(` $" # operand # "^ `:` type($" #
                operand # ") `)`)?";
}
class MLAFuse_Format<string ins, list<string> clauses> {
  string text = "`ins` `(` " # ins # " `)` " #
      !interleave(!foreach(c, clauses, MLAFuse_Clause<c>.text), " ") #
      " `outs` `(` $inits `:` type($inits) `)` attr-dict" #
      " (`->` type($results)^)?";
}

#endif // MLAFUSE_IR_DIALECT_TD
