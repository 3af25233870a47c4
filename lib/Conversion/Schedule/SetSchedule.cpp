//===- SetSchedule.cpp - schedules from the command line ------------------===//

#include "MLAFuse/Conversion/SetSchedule.h"
#include "MLAFuse/Conversion/Passes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSESETSCHEDULE
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

namespace {

struct SetSchedule : public mlafuse::impl::MLAFuseSetScheduleBase<SetSchedule> {
  using MLAFuseSetScheduleBase::MLAFuseSetScheduleBase;

  void runOnOperation() override {
    SmallVector<StringRef> entries;
    StringRef(schedule).split(entries, ';');
    for (StringRef entry : entries)
      if (!entry.trim().empty() && failed(readEntry(entry.trim())))
        return signalPassFailure();
    getOperation().walk([&](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<LatentAttentionOp, DecodeOp>(
              [&](auto op) { set(op, attention); })
          .Case([&](HeadProjectionOp op) { set(op, projection); });
    });
  }

private:
  /// "stages = 2", for attention, or "head_projection: stages = 2".
  LogicalResult readEntry(StringRef entry) {
    StringRef name = "latent_attention", text = entry;
    if (entry.contains(':')) {
      auto [before, after] = entry.split(':');
      name = before.trim();
      text = after;
    }
    bool isProjection = name == "head_projection";
    if (!isProjection && name != "latent_attention")
      return emitError(entry)
             << "'" << name
             << "' takes none: latent_attention and head_projection do";
    ScheduleAttr &target = isProjection ? projection : attention;
    if (target)
      return emitError(entry) << "that of " << name << " is given twice";
    target = parse(entry, text);
    return target ? success() : failure();
  }

  /// What the angle brackets of the attribute hold; null, after an error, if it
  /// is wrong.
  ScheduleAttr parse(StringRef entry, StringRef text) {
    std::string message;
    Attribute attribute;
    {
      ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &error) {
        message = error.str();
        return success();
      });
      attribute = parseAttribute(
          ("#mlafuse.schedule<" + text.trim() + ">").str(), &getContext());
    }
    if (!attribute)
      emitError(entry) << message;
    return cast_or_null<ScheduleAttr>(attribute);
  }

  InFlightDiagnostic emitError(StringRef entry) {
    return mlir::emitError(UnknownLoc::get(&getContext()))
           << "schedule '" << entry << "': ";
  }

  /// What the op gives of its own and the command line does not stays.
  template <typename OpT>
  static void set(OpT op, ScheduleAttr schedule) {
    if (!schedule)
      return;
    if (ScheduleAttr own = op.getScheduleAttr())
      schedule = own.overriddenBy(schedule);
    op.setScheduleAttr(schedule);
  }

  ScheduleAttr attention, projection; ///< Null where none is given.
};

} // namespace

void mlafuse::addSetSchedule(OpPassManager &manager, StringRef schedule) {
  MLAFuseSetScheduleOptions options;
  options.schedule = schedule.str();
  manager.addPass(createMLAFuseSetSchedule(options));
}

void mlafuse::registerScheduleOption() {
  registerPassPipeline(
      "mlafuse-schedule",
      "mlafuse-set-schedule, with the schedule as the value: "
      "--mlafuse-schedule='stages = 2'",
      [](OpPassManager &manager, StringRef schedule,
         function_ref<LogicalResult(const Twine &)>) {
        addSetSchedule(manager, schedule);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)>) {});
}
