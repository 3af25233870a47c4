//===- Checks.h - what is checked of a document -----------------*- C++ -*-===//
#ifndef MLAFUSE_TEST_DOCCHECK_CHECKS_H
#define MLAFUSE_TEST_DOCCHECK_CHECKS_H

#include "Document.h"

namespace mlafuse::doc {

/// Where things are.
struct Places {
  std::string source;   ///< The checkout.
  std::string build;    ///< Its build directory.
  std::string scratch;  ///< A directory for what the commands write.
  std::string compiler; ///< A C compiler.
};

/// Every block `mlir` is parsed and verified. A block `mlir fused` is what
/// `--mlafuse-fuse` makes of the `mlir` block before it, but for line breaks.
bool checkMLIR(const Document &document, const Places &places);

/// Every block `sh` succeeds, in a directory that looks like a checkout that
/// was built; the blocks of a document share it. A block `text output` stands
/// in the standard output of the `sh` block before it. `sh no-run` is for what
/// installs or builds.
bool checkShell(const Document &document, const Places &places);

/// Every block `c` compiles as C against the runtime's headers.
bool checkC(const Document &document, const Places &places);

/// Links and paths lead to files that exist, and links into a page to a
/// heading.
bool checkLinks(const Document &document, const Places &places);

/// Diagnostics that a table quotes are in the compiler's sources.
bool checkMessages(const Document &document, const Places &places);

/// Options, passes, tools, ops, functions and codes exist.
bool checkNames(const std::vector<Document> &documents, const Places &places);

} // namespace mlafuse::doc

#endif // MLAFUSE_TEST_DOCCHECK_CHECKS_H
