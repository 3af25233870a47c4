//===- mlafuse-opt.cpp - runs passes over text IR -------------------------===//

#include "MLAFuse/InitAll.h"
#include "MLAFuse/Transforms/FusionReport.h"
#include "mlir/IR/Dialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"

using mlafuse::FusionReport;
namespace cl = llvm::cl;

static cl::opt<FusionReport> reportForm(
    "mlafuse-fusion-report", cl::init(FusionReport::None),
    cl::desc("Report what every mlafuse-fuse pass of this run fused, and why "
             "the rest was not, in one piece at the end"),
    cl::values(clEnumValN(FusionReport::Text, "text", "a line each"),
               clEnumValN(FusionReport::JSON, "json", "a JSON object")));
static cl::opt<std::string>
    reportFile("mlafuse-fusion-report-file", cl::init("-"),
               cl::value_desc("file"),
               cl::desc("Where to write the report; - is the standard output"));

/// Writes what `collector` has. Nothing is written where nothing was fused
/// because the run failed before.
static llvm::LogicalResult
saveReport(const mlafuse::FusionReportCollector &collector,
           llvm::LogicalResult result) {
  if (reportForm == FusionReport::None) {
    if (reportFile.getNumOccurrences() == 0)
      return result;
    llvm::WithColor::error()
        << "--mlafuse-fusion-report-file needs --mlafuse-fusion-report=text or "
           "json\n";
    return llvm::failure();
  }
  if (collector.getNumPasses() == 0) {
    if (failed(result))
      return result;
    llvm::WithColor::warning()
        << "--mlafuse-fusion-report: no mlafuse-fuse pass in this run\n";
  }
  if (llvm::Error error = mlafuse::saveFusionReport(collector.getEntries(),
                                                    reportForm, reportFile)) {
    llvm::WithColor::error() << llvm::toString(std::move(error)) << "\n";
    return llvm::failure();
  }
  return result;
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  mlafuse::registerAllDialects(registry);
  mlafuse::registerAllExtensions(registry);
  mlafuse::registerAllPasses();
  mlafuse::FusionReportCollector collector;
  llvm::LogicalResult result =
      mlir::MlirOptMain(argc, argv, "mlafuse optimizer driver\n", registry);
  return mlir::asMainReturnCode(saveReport(collector, result));
}
