//===- DriverLibraryTest.cpp - tests of missing drivers ---------------===//
#include "DriverLibrary.h"

#include <gtest/gtest.h>

using namespace mlafuse::rt;

TEST(DriverLibrary, NamesAllThatWereTried) {
  DriverLibrary library;
  std::string problem = library.open({"libnowhere.so.2", "libnowhere.so.1"});
  EXPECT_EQ(problem.rfind("the driver's library cannot be loaded: "
                          "libnowhere.so.2: ",
                          0),
            0u)
      << problem;
  EXPECT_NE(problem.find("; libnowhere.so.1: "), std::string::npos) << problem;
}

TEST(DriverLibrary, TakesTheFirstThatThereIs) {
  DriverLibrary library;
  ASSERT_EQ(library.open({"libnowhere.so.2", "libc.so.6"}), "");
  DriverFunction<int(int)> absolute{"abs"};
  DriverFunction<int(int)> missing{"no_such_function"};
  EXPECT_EQ(library.findAll(absolute), "");
  EXPECT_EQ(absolute(-3), 3);
  EXPECT_EQ(library.findAll(absolute, missing),
            "libc.so.6 has no function no_such_function: the driver is older "
            "than this runtime needs");
}
