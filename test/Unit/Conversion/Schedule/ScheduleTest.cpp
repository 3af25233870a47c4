//===- ScheduleTest.cpp - what schedule an op gets on a chip --------------===//

#include "MLAFuse/Conversion/Schedule.h"
#include "../../IR/Parse.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;

namespace {

/// A function with one op, and the schedule that it gets.
template <typename OpT>
class Case {
public:
  explicit Case(const std::string &text)
      : diagnostics(context),
        module(parseSourceString<ModuleOp>(text, &context)) {}

  OpT getOp() {
    OpT found;
    module->walk([&](OpT op) { found = op; });
    return found;
  }

  auto choose(StringRef chipName) {
    return chooseSchedule(getOp(), *findChip(chipName));
  }

  /// The error that there is in place of a schedule.
  std::string getError(StringRef chipName) {
    size_t before = diagnostics.getText().size();
    EXPECT_TRUE(failed(choose(chipName)));
    return StringRef(diagnostics.getText()).drop_front(before).rtrim().str();
  }

private:
  test::Context context;
  test::Diagnostics diagnostics;
  OwningOpRef<ModuleOp> module;
};

Case<LatentAttentionOp> attention(const std::string &schedule,
                                  int64_t latent = 512, int64_t rope = 64,
                                  const std::string &type = "bf16") {
  std::string o = "tensor<?x1x16x" + std::to_string(latent) + "x" + type + ">";
  std::string width = std::to_string(latent + rope) + "x";
  std::string q = "tensor<?x1x16x" + width + type + ">";
  std::string c = "tensor<?x64x" + width + "bf16>";
  std::string i = "tensor<?x1x?xi32>";
  return Case<LatentAttentionOp>(
      "func.func private @f(%q: " + q + ", %c: " + c + ", %i: " + i +
      ", %o: " + o + ") -> " + o + " {\n" +
      "  %r = mlafuse.latent_attention ins(%q, %c : " + q + ", " + c +
      ") indices(%i : " + i + ") outs(%o : " + o +
      ") {softmax_scale = 1.0 : f32, "
      "cache_format = #mlafuse.cache_format<bf16>, "
      "schedule = #mlafuse.schedule<" +
      schedule + ">} -> " + o + "\n  return %r : " + o + "\n}");
}

/// An fp8 cache under S queries of `heads` heads.
Case<LatentAttentionOp> fewRows(const std::string &schedule, int64_t queries,
                                int64_t heads, int64_t latent = 512) {
  std::string rows =
      "tensor<?x" + std::to_string(queries) + "x" + std::to_string(heads) + "x";
  std::string width = std::to_string(latent + 64);
  std::string q = rows + width + "xbf16>";
  std::string o = rows + std::to_string(latent) + "xbf16>";
  std::string c = "tensor<?x64x" + width + "xf8E4M3FN>";
  return Case<LatentAttentionOp>(
      "func.func private @f(%q: " + q + ", %c: " + c +
      ", %t: tensor<?x?xi32>, %l: tensor<?xi32>, %s: tensor<1xf32>, %o: " + o +
      ") -> " + o + " {\n  %r = mlafuse.latent_attention ins(%q, %c : " + q +
      ", " + c +
      ") block_table(%t : tensor<?x?xi32>) seq_lens(%l : "
      "tensor<?xi32>) k_scale(%s : tensor<1xf32>) outs(%o : " +
      o +
      ") {softmax_scale = 1.0 : f32, cache_format = "
      "#mlafuse.cache_format<fp8>, "
      "schedule = #mlafuse.schedule<" +
      schedule + ">} -> " + o + "\n  return %r : " + o + "\n}");
}

/// The same with a scale per 128 codes.
Case<LatentAttentionOp> scaledRows(const std::string &schedule, int64_t heads,
                                   const std::string &type = "bf16") {
  std::string rows = "tensor<?x1x" + std::to_string(heads) + "x";
  std::string q = rows + "576x" + type + ">", o = rows + "512x" + type + ">";
  std::string c = "tensor<?x64x656xi8>";
  return Case<LatentAttentionOp>(
      "func.func private @f(%q: " + q + ", %c: " + c +
      ", %t: tensor<?x?xi32>, %l: tensor<?xi32>, %o: " + o + ") -> " + o +
      " {\n  %r = mlafuse.latent_attention ins(%q, %c : " + q + ", " + c +
      ") block_table(%t : tensor<?x?xi32>) seq_lens(%l : "
      "tensor<?xi32>) outs(%o : " +
      o +
      ") {softmax_scale = 1.0 : f32, cache_format = "
      "#mlafuse.cache_format<fp8_ds_mla>, "
      "schedule = #mlafuse.schedule<" +
      schedule + ">} -> " + o + "\n  return %r : " + o + "\n}");
}

Case<HeadProjectionOp> projection(const std::string &schedule,
                                  int64_t columns = 128, int64_t depth = 512) {
  std::string n = std::to_string(columns), k = std::to_string(depth);
  std::string o = "tensor<?x1x16x" + n + "xbf16>";
  std::string x = "tensor<?x1x16x" + k + "xbf16>",
              w = "tensor<16x" + k + "x" + n + "xbf16>";
  return Case<HeadProjectionOp>(
      "func.func private @f(%x: " + x + ", %w: " + w + ", %o: " + o + ") -> " +
      o + " {\n" + "  %r = mlafuse.head_projection ins(%x, %w : " + x + ", " +
      w + ") outs(%o : " + o + ") {schedule = #mlafuse.schedule<" + schedule +
      ">} -> " + o + "\n  return %r : " + o + "\n}");
}

} // namespace

TEST(AttentionSchedule, Defaults) {
  using Schedule = AttentionSchedule;
  auto whole = attention("");
  EXPECT_EQ(*whole.choose("sm_90a"), (Schedule{64, 64, 2, 2, 8, 0, 0, 2}));
  EXPECT_EQ(*whole.choose("sm_100a"), (Schedule{64, 32, 1, 0, 8, 0, 0, 2}));
  EXPECT_EQ(*whole.choose("sm_80"), (Schedule{64, 32, 1, 0, 8, 0, 0, 2}));
  EXPECT_EQ(*whole.choose("sm_89"), (Schedule{32, 32, 1, 0, 4, 0, 0, 2}));
  // Narrow rows need fewer warps for their sums.
  EXPECT_EQ(*attention("", 128).choose("sm_80"),
            (Schedule{64, 32, 1, 0, 4, 0, 0, 2}));
  // More stages leave room for fewer keys, and so do more threads, which have
  // fewer registers.
  EXPECT_EQ(*attention("stages = 2").choose("sm_89"),
            (Schedule{32, 16, 2, 0, 4, 0, 0, 2}));
  EXPECT_EQ(*attention("warps = 16").choose("sm_80"),
            (Schedule{64, 16, 1, 0, 16, 0, 0, 2}));
}

// The kernel of warpgroups has one schedule; others are the kernel of warps',
// on sm_90a too.
TEST(AttentionSchedule, TheKernelOfWarpsHasKeysOfItsOwn) {
  using Schedule = AttentionSchedule;
  const Schedule warps{64, 32, 2, 2, 8, 0, 0, 2};
  EXPECT_EQ(*attention("", 256).choose("sm_90a"), warps);
  EXPECT_EQ(*attention("", 512, 32).choose("sm_90a"), warps);
  EXPECT_EQ(*attention("", 512, 64, "f16").choose("sm_90a"), warps);
  EXPECT_EQ(*attention("", 512, 0).choose("sm_90a"),
            (Schedule{64, 64, 2, 2, 8, 0, 0, 2}));
  EXPECT_EQ(*attention("stages = 1").choose("sm_90a"),
            (Schedule{64, 32, 1, 2, 8, 0, 0, 2}));
  // What is given is taken.
  EXPECT_EQ(*attention("stages = 1, block_keys = 64").choose("sm_90a"),
            (Schedule{64, 64, 1, 2, 8, 0, 0, 2}));
}

TEST(AttentionSchedule, UnalignedRowsAreTheKernelOfWarps) {
  auto getKeys = [](Case<LatentAttentionOp> given) {
    return getWarpSchedule(given.getOp(), *given.choose("sm_90a")).blockKeys;
  };
  EXPECT_EQ(getKeys(attention("")), 32);
  EXPECT_EQ(getKeys(attention("block_keys = 64")), 32);
  EXPECT_EQ(getKeys(attention("stages = 1, block_keys = 64")), 64);
}

TEST(AttentionSchedule, TheAttributeGoesFirst) {
  auto given = attention("tile_rows = 128, block_keys = 16, stages = 1, "
                         "warpgroups = 4, groups = 7, splits = 1, "
                         "split_overhead = 5",
                         256);
  EXPECT_EQ(*given.choose("sm_90a"),
            (AttentionSchedule{128, 16, 1, 4, 16, 7, 1, 5}));
  // What it leaves out follows what it gives.
  EXPECT_EQ(
      *attention("tile_rows = 128, block_keys = 16", 256).choose("sm_90a"),
      (AttentionSchedule{128, 16, 2, 2, 8, 0, 0, 2}));
  EXPECT_EQ(*attention("tile_rows = 16").choose("sm_80"),
            (AttentionSchedule{16, 32, 1, 0, 4, 0, 0, 2}));
}

TEST(AttentionSchedule, Errors) {
  const std::string begin = "'mlafuse.latent_attention' op has a schedule "
                            "that sm_90a has no kernel for: ";
  EXPECT_EQ(attention("").getError("gfx942"),
            "'mlafuse.latent_attention' op has no kernel for gfx942: attention "
            "and projections run on NVIDIA's chips; --target=cpu runs every "
            "op");
  EXPECT_EQ(attention("tile_rows = 48").getError("sm_90a"),
            begin + "tile_rows = 48 is no multiple of 64 up to 256");
  EXPECT_TRUE(succeeded(attention("tile_rows = 48").choose("sm_80")));
  EXPECT_EQ(attention("block_keys = 8").getError("sm_90a"),
            begin + "block_keys = 8 is no multiple of 16 up to 256");
  EXPECT_EQ(attention("stages = 1152921504606846976").getError("sm_90a"),
            begin + "stages = 1152921504606846976 is more than 256");
  EXPECT_EQ(attention("groups = 100000").getError("sm_90a"),
            begin + "groups = 100000 is more than 3072");
  EXPECT_EQ(attention("splits = 4294967297").getError("sm_90a"),
            begin + "splits = 4294967297 is more than 3072");
  EXPECT_EQ(attention("split_overhead = 1000000000").getError("sm_90a"),
            begin + "split_overhead = 1000000000 is more than 4096");
  EXPECT_EQ(attention("warps = 8").getError("sm_90a"),
            begin + "warps = 8, and it multiplies by warpgroups: give "
                    "warpgroups");
  EXPECT_EQ(attention("warpgroups = 2").getError("sm_80"),
            "'mlafuse.latent_attention' op has a schedule that sm_80 has no "
            "kernel for: warpgroups = 2, and it multiplies by warps: give "
            "warps");
  EXPECT_EQ(attention("warpgroups = 9").getError("sm_90a"),
            begin + "warpgroups = 9 is more than 8");
  EXPECT_EQ(attention("warpgroups = 576460752303423488").getError("sm_90a"),
            begin + "warpgroups = 576460752303423488 is more than 8");
  EXPECT_EQ(attention("warpgroups = 3").getError("sm_90a"),
            begin + "warpgroups = 3 do not share 512 columns of the output in "
                    "multiples of 8");
  EXPECT_EQ(attention("warpgroups = 1").getError("sm_90a"),
            begin + "warpgroups = 1 with tile_rows = 64 give a thread 256 sums "
                    "of the output, and it has room for 128");
  EXPECT_EQ(attention("block_keys = 128").getError("sm_90a"),
            begin + "block_keys = 128 give a thread more scores than it has "
                    "registers for: give 96 or fewer");
  EXPECT_EQ(attention("tile_rows = 128, block_keys = 16").getError("sm_90a"),
            begin + "warpgroups = 4 with tile_rows = 128 and block_keys = 16 "
                    "take 192 registers of a thread, and it has room for 128");
  EXPECT_EQ(attention("warps = 16, block_keys = 32").getError("sm_80"),
            "'mlafuse.latent_attention' op has a schedule that sm_80 has no "
            "kernel for: warps = 16 with tile_rows = 64 and block_keys = 32 "
            "take 136 registers of a thread, and it has room for 128");
}

// What the kernel takes, to the block of keys or the rows that are one too
// many; test/Conversion/ToGPU/attention-shared-memory.mlir makes the kernels
// that fit.
TEST(AttentionSchedule, SharedMemory) {
  auto getBegin = [](const std::string &chip) {
    return "'mlafuse.latent_attention' op has a schedule that " + chip +
           " has no kernel for: ";
  };
  EXPECT_TRUE(succeeded(
      attention("stages = 11, block_keys = 96", 64, 0).choose("sm_80")));
  EXPECT_EQ(attention("stages = 2, tile_rows = 128, block_keys = 64", 256)
                .getError("sm_80"),
            getBegin("sm_80") +
                "stages = 2 with tile_rows = 128, block_keys = 64 and rows of "
                "320 take 167808 bytes of shared memory, and a block has "
                "166912");
  EXPECT_TRUE(succeeded(
      attention("tile_rows = 16, block_keys = 80", 512, 0).choose("sm_89")));
  EXPECT_EQ(attention("stages = 3, tile_rows = 64, block_keys = 64", 128)
                .getError("sm_89"),
            getBegin("sm_89") +
                "stages = 3 with tile_rows = 64, block_keys = 64 and rows of "
                "192 take 103552 bytes of shared memory, and a block has "
                "101376");
  EXPECT_TRUE(succeeded(
      attention("stages = 3, block_keys = 96", 256).choose("sm_90a")));
  EXPECT_EQ(attention("stages = 6, block_keys = 48", 256).getError("sm_90a"),
            getBegin("sm_90a") +
                "stages = 6 with tile_rows = 64, block_keys = 48 and rows of "
                "320 take 232832 bytes of shared memory, and a block has "
                "232448");
  EXPECT_EQ(attention("stages = 3, block_keys = 64").getError("sm_90a"),
            getBegin("sm_90a") +
                "stages = 3 with tile_rows = 64, block_keys = 64 and rows of "
                "576 take 300160 bytes of shared memory, and a block has "
                "232448");
}

// Tiles of 16 rows where codes are under few of them, on the chip that has the
// kernel.
TEST(AttentionSchedule, FewRows) {
  using Schedule = AttentionSchedule;
  const Schedule narrow{16, 64, 5, 2, 8, 0, 0, 2};
  const Schedule wide{64, 64, 2, 2, 8, 0, 0, 2};
  EXPECT_EQ(*fewRows("", 1, 16).choose("sm_90a"), narrow);
  EXPECT_EQ(*fewRows("", 4, 8).choose("sm_90a"), narrow);
  EXPECT_EQ(*fewRows("", 1, 33).choose("sm_90a"), wide);
  EXPECT_EQ(*fewRows("", 1, 16).choose("sm_80"),
            (Schedule{64, 32, 1, 0, 8, 0, 0, 2}));
  EXPECT_EQ(fewRows("", 1, 16, 256).choose("sm_90a")->tileRows, 64);
  // By the attribute, either way.
  EXPECT_EQ(*fewRows("tile_rows = 64", 1, 16).choose("sm_90a"), wide);
  EXPECT_EQ(*fewRows("tile_rows = 16", 1, 128).choose("sm_90a"), narrow);
  EXPECT_EQ(fewRows("stages = 2", 1, 16).choose("sm_90a")->stages, 2);
  EXPECT_EQ(fewRows("block_keys = 32", 1, 16).choose("sm_90a")->tileRows, 64);

  auto stages = fewRows("stages = 6", 1, 16);
  EXPECT_TRUE(StringRef(stages.getError("sm_90a")).contains("stages = 6"));
}

// Keys with scales are wider than without: there is room for a stage less.
TEST(AttentionSchedule, FewScaledRows) {
  using Schedule = AttentionSchedule;
  const Schedule narrow{16, 64, 4, 2, 8, 0, 0, 2};
  EXPECT_EQ(*scaledRows("", 16).choose("sm_90a"), narrow);
  EXPECT_EQ(scaledRows("", 33).choose("sm_90a")->tileRows, 64);
  EXPECT_EQ(scaledRows("", 16, "f16").choose("sm_90a")->tileRows, 64);
  EXPECT_EQ(scaledRows("stages = 1", 16).choose("sm_90a")->tileRows, 64);
  EXPECT_EQ(scaledRows("stages = 2", 16).choose("sm_90a")->stages, 2);
  auto stages = scaledRows("stages = 5", 16);
  EXPECT_TRUE(StringRef(stages.getError("sm_90a")).contains("stages = 5"));
}

TEST(ProjectionSchedule, Defaults) {
  using Schedule = ProjectionSchedule;
  EXPECT_EQ(*projection("").choose("sm_90a"), (Schedule{128, 128, 128, 4}));
  EXPECT_EQ(*projection("").choose("sm_89"), (Schedule{64, 128, 64, 4}));
  EXPECT_EQ(*projection("", 512).choose("sm_80"), (Schedule{64, 128, 64, 4}));
  // Tiles are alike: they divide a head.
  EXPECT_EQ(*projection("", 40).choose("sm_80"), (Schedule{64, 40, 64, 4}));
  EXPECT_EQ(*projection("", 192).choose("sm_90a"), (Schedule{128, 96, 128, 4}));
  // Deep heads leave room for fewer columns of weights.
  EXPECT_EQ(*projection("", 128, 1024).choose("sm_90a"),
            (Schedule{128, 64, 128, 4}));
  // Tall tiles leave a thread fewer registers; many slices take memory.
  EXPECT_EQ(*projection("tile_rows = 256").choose("sm_90a"),
            (Schedule{256, 16, 128, 4}));
  EXPECT_EQ(*projection("stages = 12").choose("sm_80"),
            (Schedule{64, 64, 64, 12}));
  EXPECT_EQ(*projection("", 128, 32).choose("sm_90a"),
            (Schedule{128, 128, 32, 4}));
}

TEST(ProjectionSchedule, Errors) {
  const std::string begin = "'mlafuse.head_projection' op has a schedule that "
                            "sm_90a has no kernel for: ";
  EXPECT_EQ(projection("").getError("gfx1201"),
            "'mlafuse.head_projection' op has no kernel for gfx1201: attention "
            "and projections run on NVIDIA's chips; --target=cpu runs every "
            "op");
  EXPECT_EQ(
      projection("", 100).getError("sm_80"),
      "'mlafuse.head_projection' op has no kernel for sm_80 with heads of "
      "100 columns: they come in multiples of 8");
  EXPECT_EQ(projection("tile_rows = 16").getError("sm_90a"),
            begin + "tile_rows = 16 is no multiple of 64 up to 256");
  EXPECT_EQ(projection("tile_columns = 512").getError("sm_90a"),
            begin + "tile_columns = 512 is no multiple of 8 up to 256");
  EXPECT_EQ(projection("tile_columns = 48").getError("sm_90a"),
            begin + "tile_columns = 48 does not cut heads of 128 columns into "
                    "whole tiles with whole groups of 1");
  EXPECT_EQ(projection("tile_depth = 48").getError("sm_90a"),
            begin + "tile_depth = 48 is no multiple of 32 up to 256");
  EXPECT_EQ(projection("stages = 1").getError("sm_90a"),
            begin + "stages = 1, and a slice is copied while another is "
                    "multiplied: give 2 or more");
  EXPECT_EQ(projection("stages = 14").getError("sm_90a"),
            begin + "stages = 14 with tile_rows = 64, tile_columns = 8 and "
                    "tile_depth = 128 take 304304 bytes of shared memory, and "
                    "a block has 232448");
  EXPECT_EQ(projection("stages = 9223372036854775807").getError("sm_90a"),
            begin + "stages = 9223372036854775807 is more than 64");
  EXPECT_EQ(
      projection("tile_rows = 256, tile_columns = 128").getError("sm_90a"),
      begin + "tile_rows = 256, tile_columns = 128 and tile_depth = 128 "
              "take 128 registers of a thread, and it has room for 72");
  EXPECT_EQ(projection("", 128, 100).getError("sm_90a"),
            "'mlafuse.head_projection' op has no kernel for sm_90a with heads "
            "of 100 values: they come in multiples of 16");
  EXPECT_EQ(projection("stages = 12, tile_columns = 128").getError("sm_80"),
            "'mlafuse.head_projection' op has a schedule that sm_80 has no "
            "kernel for: stages = 12 with tile_rows = 16, tile_columns = 128 "
            "and tile_depth = 64 take 197504 bytes of shared memory, and a "
            "block has 166912");
}
