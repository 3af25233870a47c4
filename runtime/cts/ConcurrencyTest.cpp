//===- ConcurrencyTest.cpp - launches from several threads ------------===//
#include "Cts.h"

#include <thread>

using namespace mlafuse::cts;

using ConcurrencyTest = CtsTest;

TEST_F(ConcurrencyTest, OneFunctionFromSeveralThreads) {
  const mlafuse_function *function = find("scale_rows");
  std::vector<std::thread> threads;
  for (int64_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      int64_t rows = 50 + thread;
      ScaleRows data(context, rows);
      for (int run = 0; run < 200; ++run) {
        ASSERT_EQ(data.launch(function), MLAFUSE_OK) << mlafuse_last_error();
        ASSERT_EQ(data.y.read<float>(), ScaleRows::wanted(rows));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(ConcurrencyTest, ErrorsStayWithTheirThread) {
  const mlafuse_function *function = find("scale_rows");
  std::vector<std::thread> threads;
  for (int64_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      ScaleRows data(context, 2);
      const int64_t shape[] = {100 + thread};
      data.tensors[1].shape = shape;
      for (int run = 0; run < 200; ++run)
        expectError(data.launch(function), MLAFUSE_INVALID_ARGUMENT,
                    {"dimension 0 is " + std::to_string(100 + thread) + ";"});
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(ConcurrencyTest, ContextsComeAndGo) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 3; ++thread)
    threads.emplace_back([&] {
      for (int run = 0; run < 20; ++run) {
        mlafuse_context *own = nullptr;
        mlafuse_module *loaded = nullptr;
        const mlafuse_function *function = nullptr;
        ASSERT_EQ(mlafuse_context_create(backend(), 3, &own), MLAFUSE_OK);
        ASSERT_EQ(mlafuse_module_load(own, fixture().c_str(), &loaded),
                  MLAFUSE_OK);
        ASSERT_EQ(mlafuse_module_find(loaded, "scale_rows", &function),
                  MLAFUSE_OK);
        {
          ScaleRows data(own, 40);
          ASSERT_EQ(data.launch(function), MLAFUSE_OK);
          ASSERT_EQ(data.y.read<float>(), ScaleRows::wanted(40));
        }
        mlafuse_module_unload(loaded);
        mlafuse_context_destroy(own);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}
