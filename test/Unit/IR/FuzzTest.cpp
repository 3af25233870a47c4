//===- FuzzTest.cpp - bad IR is an error, never a crash -------------------===//
//
// Mutates the texts of test/IR/roundtrip-*.mlir, in the ops' own form and in
// the generic one. What parses and verifies is canonicalized, and each op of it
// is printed and must parse again. MLAFUSE_TEST_SEED repeats a run.
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/Transforms/BufferizableOpInterface.h"
#include "Mutator.h"
#include "Parse.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "gtest/gtest.h"

#include <chrono>

using namespace mlir;
using namespace mlafuse;

namespace {

std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  registerBufferizableOpInterfaceExternalModels(registry);
  auto context = std::make_unique<test::Context>();
  context->appendDialectRegistry(registry);
  return context;
}

/// `op` alone, on arguments of a function.
OwningOpRef<ModuleOp> isolate(Operation *op) {
  OpBuilder builder(op->getContext());
  Location loc = op->getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(
      builder, loc, "f", builder.getFunctionType(op->getOperandTypes(), {}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  Operation *clone = builder.clone(*op);
  clone->setOperands(body->getArguments());
  func::ReturnOp::create(builder, loc);
  return module;
}

std::string print(ModuleOp module, bool generic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().printGenericOpForm(generic));
  return text;
}

/// The functions of a file, each with the file's type aliases before it.
void appendFunctions(StringRef file, std::vector<std::string> &texts) {
  std::string aliases;
  SmallVector<StringRef> lines;
  file.split(lines, '\n');
  for (StringRef line : lines) {
    if (line.starts_with("!"))
      aliases += (line + "\n").str();
    else if (line.starts_with("func.func"))
      texts.push_back(aliases);
    if (!texts.empty() && !line.ltrim().starts_with("//"))
      texts.back() += (line + "\n").str();
  }
}

std::vector<std::string> readTexts() {
  std::vector<std::string> texts;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(MLAFUSE_IR_TESTS, error), end;
       it != end && !error; it.increment(error)) {
    if (!llvm::sys::path::filename(it->path()).starts_with("roundtrip"))
      continue;
    auto file = llvm::MemoryBuffer::getFile(it->path());
    EXPECT_TRUE(file) << it->path();
    std::vector<std::string> functions;
    appendFunctions((*file)->getBuffer(), functions);
    texts.insert(texts.end(), functions.begin(), functions.end());
  }
  return texts;
}

/// Adds the generic form of every text, which must be right as it is.
void addGenericForms(std::vector<std::string> &texts) {
  std::unique_ptr<MLIRContext> context = makeContext();
  for (size_t i = 0, size = texts.size(); i < size; ++i) {
    auto module = parseSourceString<ModuleOp>(texts[i], context.get());
    ASSERT_TRUE(module) << texts[i];
    texts.push_back(print(*module, /*generic=*/true));
  }
}

/// Texts on which MLIR's own parser crashes, whatever the dialect.
bool crashesUpstream(StringRef text) {
  // A dense array of `index`.
  return text.contains("array<index");
}

/// True if `text` parses and verifies; then what follows must work.
bool check(const std::string &text, MLIRContext *context) {
  llvm::PrettyStackTraceString onCrash(text.c_str());
  auto module = parseSourceString<ModuleOp>(text, context);
  if (!module)
    return false;
  PassManager passes(context);
  passes.addPass(createCSEPass());
  passes.addPass(createCanonicalizerPass());
  if (failed(passes.run(*module))) {
    // Sizes that a cast hides are seen to disagree once it is folded.
    EXPECT_TRUE(StringRef(text).contains("tensor.cast")) << text;
    return false;
  }
  module->walk([&](Operation *op) {
    if (!isa<MLAFuseDialect>(op->getDialect()))
      return;
    OwningOpRef<ModuleOp> alone = isolate(op);
    for (bool generic : {false, true}) {
      std::string printed = print(*alone, generic);
      EXPECT_TRUE(parseSourceString<ModuleOp>(printed, context)) << printed;
    }
  });
  return true;
}

TEST(Fuzz, BadIRIsAnError) {
  llvm::EnablePrettyStackTrace();
  bool full =
      StringRef(getenv("MLAFUSE_TEST_FULL") ? getenv("MLAFUSE_TEST_FULL")
                                            : "0") != "0";
  uint64_t seed = std::random_device()();
  if (const char *given = getenv("MLAFUSE_TEST_SEED"))
    ASSERT_FALSE(StringRef(given).getAsInteger(0, seed)) << given;
  // At once: a crash must not lose it.
  llvm::errs() << "MLAFUSE_TEST_SEED=" << seed << "\n";

  std::vector<std::string> texts = readTexts();
  ASSERT_GT(texts.size(), 20u);
  addGenericForms(texts);
  test::Mutator mutator(texts, seed);

  const int iterations = full ? 3'000'000 : 60'000;
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::seconds(full ? 400 : 20);
  int done = 0, valid = 0;
  while (done < iterations && std::chrono::steady_clock::now() < end) {
    // A context keeps every type and attribute that it has seen.
    std::unique_ptr<MLIRContext> context = makeContext();
    test::Diagnostics silent(*context);
    for (int i = 0; i < 500; ++i, ++done) {
      std::string text = mutator.next();
      if (!crashesUpstream(text))
        valid += check(text, context.get());
    }
    ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
  }
  // Neither all changes harmless nor all texts broken at the first token.
  EXPECT_GT(valid, done / 100) << "seed " << seed;
  EXPECT_LT(valid, done / 2) << "seed " << seed;
  llvm::errs() << done << " texts, " << valid << " valid\n";
}

} // namespace
