//===- Rope.cpp - GPU kernel of rope --------------------------------------===//
//
// A block has one token: its angles serve all heads. A thread rotates the pairs
// of one chunk of angles in one head, so that input and output may be the same
// memory.
//
//===----------------------------------------------------------------------===//

#include "Alignment.h"
#include "Lowerings.h"
#include "Rows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

/// Angles of a chunk at most: 16 bytes of bf16 on each side of a pair.
static constexpr int64_t kMostLanes = 8;
static constexpr int64_t kThreads = 128;

namespace {

/// The pairs that one chunk of angles rotates, and where they lie.
class PairRows {
public:
  PairRows(RopeStyle style, int64_t half, int64_t lanes)
      : isNeox(style == RopeStyle::Neox), half(half), lanes(lanes) {}

  /// Elements of one access.
  int64_t getAccess() const { return isNeox ? lanes : 2 * lanes; }

  std::pair<Value, Value> load(Emitter &e, const RowView &row,
                               Value angle) const {
    if (isNeox)
      return {toF32(e, row.load(e, angle, lanes)),
              toF32(e, row.load(e, plus(e, angle, half), lanes))};
    Value both = toF32(e, row.load(e, times(e, angle, 2), 2 * lanes));
    auto split = vector::DeinterleaveOp::create(e, both);
    return {split.getRes1(), split.getRes2()};
  }

  void store(Emitter &e, const RowView &row, Value angle, Value first,
             Value second) const {
    Type type = row.getElementType();
    if (isNeox) {
      row.store(e, fromF32(e, first, type), angle);
      row.store(e, fromF32(e, second, type), plus(e, angle, half));
      return;
    }
    Value both = vector::InterleaveOp::create(e, first, second);
    row.store(e, fromF32(e, both, type), times(e, angle, 2));
  }

private:
  bool isNeox;
  int64_t half, lanes;
};

} // namespace

LogicalResult kernel::lower(Emitter &e, const Chip &chip, RopeOp op) {
  int64_t half = getWidth(op.getInput()) / 2;
  int64_t lanes = chooseLanes({half}, kMostLanes);
  int64_t chunks = half / lanes;
  Value input = op.getInput(), output = op.getInits()[0];
  Value cosSin = op.getCosSin();
  PairRows pairs(op.getStyle(), half, lanes);
  Alignment alignment;
  alignment.add(input, pairs.getAccess());
  alignment.add(output, pairs.getAccess());
  alignment.add(cosSin, lanes);

  Value tokens = memref::DimOp::create(e, input, rows::index(e, 0));
  Value heads = memref::DimOp::create(e, input, rows::index(e, 1));
  Value items = times(e, heads, chunks);
  RowLaunch launch{tokens, op.getNumActualTokens(), kThreads, 1, {}};
  alignment.dispatch(e, [&](Emitter &e) {
    launchRows(
        e, chip, launch, [&](Emitter &e, Team &team, Value token, Value) {
          Value position = loadIndex(e, op.getPositions(), token);
          RowView angles = alignment.getRow(e, cosSin, position);
          auto rotate = [&](Emitter &e, Value item) {
            Value angle = times(e, modulo(e, item, chunks), lanes);
            Value head = dividedBy(e, item, chunks);
            RowView from = alignment.getVector(input);
            RowView to = alignment.getVector(output);
            from.leading = to.leading = {token, head};
            Value cosine = toF32(e, angles.load(e, angle, lanes));
            Value sine = toF32(e, angles.load(e, plus(e, angle, half), lanes));
            auto [a, b] = pairs.load(e, from, angle);
            Value first =
                arith::SubFOp::create(e, mul(e, a, cosine), mul(e, b, sine));
            Value second = add(e, mul(e, b, cosine), mul(e, a, sine));
            pairs.store(e, to, angle, first, second);
          };
          auto loop = scf::ForOp::create(e, team.getMember(), items,
                                         rows::index(e, kThreads));
          OpBuilder::InsertionGuard guard(e);
          e.setInsertionPointToStart(loop.getBody());
          rotate(e, loop.getInductionVar());
        });
  });
  return success();
}
