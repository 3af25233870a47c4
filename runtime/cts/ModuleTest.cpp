//===- ModuleTest.cpp - loading libraries and asking them -------------===//
#include "Cts.h"
#include "TemporaryFile.h"

#include <fstream>
#include <iterator>

using namespace mlafuse::cts;

using Load = CtsTest;

TEST_F(Load, RefusesBrokenLibraries) {
  struct Case {
    const char *library;
    std::vector<std::string> parts;
  };
  const Case cases[] = {
      {"no_manifest", {"exports no mlafuse_manifest"}},
      {"other_version", {"ABI version 1", "runs version 2"}},
      {"cut_manifest", {"manifest: not valid JSON at byte"}},
      {"other_backend", {"compiled for other:chip9", "wanted one for "}},
      {"other_chip",
       {"compiled for cuda:sm_35, hip:gfx600",
        isCpu() ? "wanted one for cpu" : "runs on this device, "}},
      {"no_entry", {"'f'", "exports no mlafuse_entry_f"}},
      {"no_workspace", {"'f'", "exports no mlafuse_workspace_f"}},
  };
  for (const Case &broken : cases) {
    SCOPED_TRACE(broken.library);
    mlafuse_module *other = nullptr;
    std::string path = library(broken.library);
    std::vector<std::string> parts = broken.parts;
    parts.push_back("'" + path + "'");
    expectError(mlafuse_module_load(context, path.c_str(), &other),
                MLAFUSE_BAD_LIBRARY, parts);
    EXPECT_EQ(other, nullptr);
  }
}

TEST_F(Load, MissingFileAndNoLibrary) {
  mlafuse_module *other = nullptr;
  expectError(mlafuse_module_load(context, "/nowhere/x.so", &other),
              MLAFUSE_NOT_FOUND,
              {"'/nowhere/x.so'", "No such file or directory"});
  // A bare name is a path too: libc.so.6 is not searched for.
  expectError(mlafuse_module_load(context, "libc.so.6", &other),
              MLAFUSE_NOT_FOUND, {"'libc.so.6'"});
  TemporaryFile text("no library");
  expectError(mlafuse_module_load(context, text.getPath().c_str(), &other),
              MLAFUSE_BAD_LIBRARY, {text.getPath(), "cannot be loaded"});
}

TEST_F(Load, CutLibrary) {
  std::ifstream whole(fixture(), std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(whole), {});
  mlafuse_module *other = nullptr;
  for (size_t size : {bytes.size() / 4, bytes.size() / 2, bytes.size() - 1}) {
    TemporaryFile cut(bytes.substr(0, size));
    expectError(mlafuse_module_load(context, cut.getPath().c_str(), &other),
                MLAFUSE_BAD_LIBRARY,
                {"'" + cut.getPath() + "' is cut short: it has " +
                 std::to_string(size) + " bytes, its headers need "});
  }
  EXPECT_EQ(other, nullptr);
}

TEST_F(Load, NullIsAnError) {
  mlafuse_module *other = nullptr;
  const mlafuse_function *function = nullptr;
  expectError(mlafuse_module_load(nullptr, "x", &other),
              MLAFUSE_INVALID_ARGUMENT, {"'context'"});
  expectError(mlafuse_module_load(context, nullptr, &other),
              MLAFUSE_INVALID_ARGUMENT, {"'path'"});
  expectError(mlafuse_module_load(context, "x", nullptr),
              MLAFUSE_INVALID_ARGUMENT, {"'module'"});
  expectError(mlafuse_module_find(nullptr, "x", &function),
              MLAFUSE_INVALID_ARGUMENT, {"'module'"});
  expectError(mlafuse_module_find(module, nullptr, &function),
              MLAFUSE_INVALID_ARGUMENT, {"'name'"});
  expectError(mlafuse_module_find(module, "x", nullptr),
              MLAFUSE_INVALID_ARGUMENT, {"'function'"});
  mlafuse_module_unload(nullptr);
}

TEST_F(Load, ModuleOutlivesItsContext) {
  mlafuse_context *first = nullptr;
  mlafuse_module *other = nullptr;
  ASSERT_EQ(mlafuse_context_create(backend(), 2, &first), MLAFUSE_OK);
  ASSERT_EQ(mlafuse_module_load(first, fixture().c_str(), &other), MLAFUSE_OK);
  mlafuse_context_destroy(first);
  const mlafuse_function *function = nullptr;
  ASSERT_EQ(mlafuse_module_find(other, "scale_rows", &function), MLAFUSE_OK);
  ScaleRows data(context, 9);
  EXPECT_EQ(data.launch(function), MLAFUSE_OK) << mlafuse_last_error();
  EXPECT_EQ(data.y.read<float>(), ScaleRows::wanted(9));
  mlafuse_module_unload(other);
}

TEST_F(Load, GpuNeedsItsImage) {
  if (isCpu())
    GTEST_SKIP() << "code for the CPU has no image";
  mlafuse_module *other = nullptr;
  expectError(mlafuse_module_load(context, library("no_image").c_str(), &other),
              MLAFUSE_BAD_LIBRARY, {"exports no no_image"});
}

TEST_F(Load, Target) {
  std::string chip = mlafuse_module_chip(module);
  mlafuse_module *other = nullptr;
  ASSERT_EQ(mlafuse_module_load_target(context, fixture().c_str(), chip.c_str(),
                                       &other),
            MLAFUSE_OK)
      << mlafuse_last_error();
  EXPECT_EQ(mlafuse_module_chip(other), chip);
  mlafuse_module_unload(other);
  other = nullptr;
  expectError(
      mlafuse_module_load_target(context, fixture().c_str(), "chip9", &other),
      MLAFUSE_BAD_LIBRARY,
      {"compiled for cpu:generic", std::string(backend()) + ":chip9"});
  expectError(
      mlafuse_module_load_target(context, fixture().c_str(), nullptr, &other),
      MLAFUSE_INVALID_ARGUMENT, {"'chip'"});
  EXPECT_EQ(other, nullptr);
}

using Query = CtsTest;

TEST_F(Query, Functions) {
  ASSERT_EQ(mlafuse_module_function_count(module), 5u);
  const char *names[] = {"scale_rows", "sizes", "scatter", "untouched",
                         "refuse"};
  for (size_t i = 0; i < 5; ++i)
    EXPECT_STREQ(mlafuse_function_name(mlafuse_module_function(module, i)),
                 names[i]);
  EXPECT_EQ(mlafuse_module_function(module, 5), nullptr);
  EXPECT_EQ(std::string(mlafuse_module_manifest(module)).substr(0, 16),
            "{\"mlafuse_abi\": ");
  const mlafuse_function *function = nullptr;
  expectError(mlafuse_module_find(module, "scale", &function),
              MLAFUSE_NOT_FOUND,
              {"'scale'", "scale_rows, sizes, scatter, untouched, refuse"});
  EXPECT_EQ(function, nullptr);
}

TEST_F(Query, Arguments) {
  const mlafuse_function *function = find("sizes");
  ASSERT_EQ(mlafuse_function_argument_count(function), 4u);
  mlafuse_argument_info info;
  ASSERT_EQ(mlafuse_function_argument(function, 0, &info), MLAFUSE_OK);
  EXPECT_STREQ(info.name, "a");
  EXPECT_EQ(info.type, MLAFUSE_BF16);
  EXPECT_EQ(info.layout, MLAFUSE_CONTIGUOUS);
  EXPECT_EQ(info.access, MLAFUSE_READ);
  ASSERT_EQ(info.rank, 3);
  EXPECT_EQ(std::vector<int64_t>(info.static_sizes, info.static_sizes + 3),
            (std::vector<int64_t>{-1, -1, 2}));
  EXPECT_STREQ(info.dims[0], "B");
  EXPECT_STREQ(info.dims[2], "2");
  ASSERT_EQ(mlafuse_function_argument(function, 1, &info), MLAFUSE_OK);
  EXPECT_STREQ(info.dims[0], "align(S, 4)");
  EXPECT_EQ(info.access, MLAFUSE_WRITE);
  ASSERT_EQ(mlafuse_function_argument(function, 2, &info), MLAFUSE_OK);
  EXPECT_STREQ(info.dims[0], "ceildiv(B * S, 4)");
  ASSERT_EQ(mlafuse_function_argument(find("scale_rows"), 0, &info),
            MLAFUSE_OK);
  EXPECT_EQ(info.layout, MLAFUSE_STRIDED);
  ASSERT_EQ(mlafuse_function_argument(find("scatter"), 1, &info), MLAFUSE_OK);
  EXPECT_EQ(info.access, MLAFUSE_READWRITE);
  expectError(mlafuse_function_argument(function, 4, &info),
              MLAFUSE_INVALID_ARGUMENT, {"'sizes'", "no argument 4", "has 4"});
  expectError(mlafuse_function_argument(nullptr, 0, &info),
              MLAFUSE_INVALID_ARGUMENT, {"'function'"});
  expectError(mlafuse_function_argument(function, 0, nullptr),
              MLAFUSE_INVALID_ARGUMENT, {"'info'"});
}

TEST_F(Query, Results) {
  const mlafuse_function *function = find("scale_rows");
  ASSERT_EQ(mlafuse_function_result_count(function), 1u);
  mlafuse_result_info info;
  ASSERT_EQ(mlafuse_function_result(function, 0, &info), MLAFUSE_OK);
  EXPECT_STREQ(info.name, "scaled");
  EXPECT_EQ(info.argument, 2u);
  expectError(mlafuse_function_result(function, 1, &info),
              MLAFUSE_INVALID_ARGUMENT, {"no result 1", "has 1"});
  expectError(mlafuse_function_result(nullptr, 0, &info),
              MLAFUSE_INVALID_ARGUMENT, {"'function'"});
  expectError(mlafuse_function_result(function, 0, nullptr),
              MLAFUSE_INVALID_ARGUMENT, {"'info'"});
}
