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

  auto choose(StringRef chipName) {
    OpT found;
    module->walk([&](OpT op) { found = op; });
    return chooseSchedule(found, *findChip(chipName));
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
                                  int64_t latent = 512) {
  std::string o = "tensor<?x1x16x" + std::to_string(latent) + "xbf16>";
  std::string width = std::to_string(latent + 64) + "xbf16>";
  std::string q = "tensor<?x1x16x" + width, c = "tensor<?x64x" + width;
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
  // Narrow rows need fewer warps for their sums, wide ones leave room for
  // fewer keys.
  EXPECT_EQ(*attention("", 128).choose("sm_80"),
            (Schedule{64, 32, 1, 0, 4, 0, 0, 2}));
  EXPECT_EQ(*attention("", 1024).choose("sm_90a"),
            (Schedule{64, 32, 1, 4, 16, 0, 0, 2}));
}

TEST(AttentionSchedule, TheAttributeGoesFirst) {
  auto given = attention("tile_rows = 128, block_keys = 16, stages = 1, "
                         "warpgroups = 4, groups = 7, splits = 1, "
                         "split_overhead = 5");
  EXPECT_EQ(*given.choose("sm_90a"),
            (AttentionSchedule{128, 16, 1, 4, 16, 7, 1, 5}));
  // What it leaves out follows what it gives.
  EXPECT_EQ(*attention("tile_rows = 128, block_keys = 32").choose("sm_90a"),
            (AttentionSchedule{128, 32, 2, 4, 16, 0, 0, 2}));
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
  EXPECT_EQ(attention("warpgroups = 3").getError("sm_90a"),
            begin + "warpgroups = 3 do not share 512 columns of the output in "
                    "multiples of 8");
  EXPECT_EQ(attention("warpgroups = 1").getError("sm_90a"),
            begin + "warpgroups = 1 with tile_rows = 64 give a thread 256 sums "
                    "of the output, and it has room for 128");
  EXPECT_EQ(attention("stages = 3, block_keys = 64").getError("sm_90a"),
            begin + "stages = 3 with tile_rows = 64, block_keys = 64 and rows "
                    "of 576 take 294912 bytes of shared memory, and a block "
                    "has 232448");
}

TEST(ProjectionSchedule, Defaults) {
  using Schedule = ProjectionSchedule;
  EXPECT_EQ(*projection("").choose("sm_90a"), (Schedule{192, 128, 64, 4}));
  EXPECT_EQ(*projection("").choose("sm_89"), (Schedule{64, 128, 64, 4}));
  EXPECT_EQ(*projection("", 512).choose("sm_80"), (Schedule{64, 128, 64, 4}));
  // Tiles are alike: they divide a head.
  EXPECT_EQ(*projection("", 40).choose("sm_80"), (Schedule{64, 40, 64, 4}));
  EXPECT_EQ(*projection("", 192).choose("sm_90a"), (Schedule{192, 96, 64, 4}));
  // Deep heads leave room for fewer columns of weights.
  EXPECT_EQ(*projection("", 128, 1024).choose("sm_90a"),
            (Schedule{192, 64, 64, 4}));
  // So do tall tiles, whose threads have fewer registers, and many slices.
  EXPECT_EQ(*projection("tile_rows = 256").choose("sm_90a"),
            (Schedule{256, 32, 64, 4}));
  EXPECT_EQ(*projection("stages = 12").choose("sm_80"),
            (Schedule{64, 64, 64, 12}));
  EXPECT_EQ(*projection("", 128, 32).choose("sm_90a"),
            (Schedule{192, 128, 32, 4}));
}

TEST(ProjectionSchedule, Errors) {
  const std::string begin = "'mlafuse.head_projection' op has a schedule that "
                            "sm_90a has no kernel for: ";
  EXPECT_EQ(projection("").getError("gfx1201"),
            "'mlafuse.head_projection' op has no kernel for gfx1201: attention "
            "and projections run on NVIDIA's chips; --target=cpu runs every "
            "op");
  EXPECT_EQ(projection("", 100).getError("sm_80"),
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
                    "tile_depth = 64 take 228 registers of a thread, and it has "
                    "room for 215");
  EXPECT_EQ(projection("tile_rows = 256, tile_columns = 128").getError("sm_90a"),
            begin + "stages = 4 with tile_rows = 256, tile_columns = 128 and "
                    "tile_depth = 64 take 128 registers of a thread, and it has "
                    "room for 88");
  EXPECT_EQ(projection("stages = 12, tile_columns = 128").getError("sm_80"),
            "'mlafuse.head_projection' op has a schedule that sm_80 has no "
            "kernel for: stages = 12 with tile_rows = 16, tile_columns = 128 "
            "and tile_depth = 64 take 198656 bytes of shared memory, and a "
            "block has 166912");
}
