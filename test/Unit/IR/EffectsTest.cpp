//===- EffectsTest.cpp - memory effects and in-place rules of the ops -----===//

#include "Parse.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;

namespace {

class Effects : public ::testing::Test {
protected:
  /// Parses a function's arguments and one op, and gives the op.
  Operation *parse(StringRef arguments, StringRef op) {
    std::string text =
        ("func.func @f(" + arguments + ") {\n" + op + "\nreturn\n}").str();
    module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
    EXPECT_TRUE(module) << text;
    auto function = *module->getOps<func::FuncOp>().begin();
    return &function.getBody().front().front();
  }

  /// One word per operand: r, w, rw or -.
  std::string getEffects(Operation *op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    cast<MemoryEffectOpInterface>(op).getEffects(effects);
    std::string text;
    for (OpOperand &operand : op->getOpOperands()) {
      bool reads = false, writes = false;
      for (MemoryEffects::EffectInstance &effect : effects) {
        if (effect.getEffectValue<OpOperand *>() != &operand)
          continue;
        reads |= isa<MemoryEffects::Read>(effect.getEffect());
        writes |= isa<MemoryEffects::Write>(effect.getEffect());
      }
      text += text.empty() ? "" : " ";
      text += reads && writes ? "rw" : reads ? "r" : writes ? "w" : "-";
    }
    return text;
  }

  test::Context context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(Effects, DestinationsAreWritten) {
  EXPECT_EQ(
      getEffects(parse(
          "%x: memref<4x8xbf16>, %w: memref<8xbf16>",
          "mlafuse.rms_norm ins(%x, %w : memref<4x8xbf16>, memref<8xbf16>) "
          "outs(%x : memref<4x8xbf16>) {epsilon = 1.0 : f32}")),
      "r r w");
}

// Rows past the count keep what they held: a store before the op is not dead.
TEST_F(Effects, CountKeepsOldContents) {
  EXPECT_EQ(
      getEffects(parse(
          "%x: memref<4x8xbf16>, %n: memref<1xi32>",
          "mlafuse.rms_norm ins(%x : memref<4x8xbf16>) num_actual_tokens(%n : "
          "memref<1xi32>) outs(%x : memref<4x8xbf16>) {epsilon = 1.0 : f32}")),
      "r r rw");
}

TEST_F(Effects, OffsetKeepsOldContents) {
  EXPECT_EQ(
      getEffects(parse(
          "%x: memref<4x8xbf16>, %o: index, %q: memref<9x8xf8E4M3FN>, %s: "
          "memref<9x1xf32>",
          "mlafuse.quantize ins(%x : memref<4x8xbf16>) row_offset(%o : index) "
          "outs(%q, %s : memref<9x8xf8E4M3FN>, memref<9x1xf32>) {key = "
          "#mlafuse.quant_key<fp8_dynamic_token_sym>}")),
      "r - rw rw");
}

TEST_F(Effects, CacheKeepsOldContents) {
  EXPECT_EQ(getEffects(parse(
                "%kv: memref<4x8xbf16>, %p: memref<4x2xbf16>, %s: "
                "memref<4xi64>, %c: memref<3x4x10xbf16>",
                "mlafuse.mla_cache_update ins(%kv, %p, %s : memref<4x8xbf16>, "
                "memref<4x2xbf16>, memref<4xi64>) outs(%c : "
                "memref<3x4x10xbf16>) {cache_format = "
                "#mlafuse.cache_format<bf16>}")),
            "r r r rw");
}

TEST_F(Effects, NoneOnTensors) {
  Operation *op =
      parse("%x: tensor<4x8xbf16>, %n: tensor<1xi32>",
            "%0 = mlafuse.rms_norm ins(%x : tensor<4x8xbf16>) "
            "num_actual_tokens(%n : tensor<1xi32>) outs(%x : "
            "tensor<4x8xbf16>) {epsilon = 1.0 : f32} -> tensor<4x8xbf16>");
  EXPECT_EQ(getEffects(op), "- - -");
  EXPECT_TRUE(isMemoryEffectFree(op));
}

} // namespace
