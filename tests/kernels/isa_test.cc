#include "textcrs/kernels/isa.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "textcrs/base/error.h"

namespace textcrs {
namespace {

TEST(Isa, TheAvailableOnesRiseFromThePortable) {
  const auto& isas = available_isas();
  ASSERT_FALSE(isas.empty());
  EXPECT_EQ(isas.front(), Isa::kPortable);
  EXPECT_TRUE(std::is_sorted(isas.begin(), isas.end()));
}

TEST(Isa, NamesRoundTrip) {
  for (const Isa isa : available_isas())
    EXPECT_EQ(parse_isa(to_string(isa), Precision::kBf16), isa);
  for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
    EXPECT_EQ(parse_precision(to_string(precision)), precision);
    EXPECT_EQ(parse_isa("auto", precision), best_isa(precision));
    EXPECT_NE(std::find(available_isas().begin(), available_isas().end(), best_isa(precision)),
              available_isas().end());
  }
}

TEST(Isa, TheBestOneKnowsThePrecision) { EXPECT_LT(best_isa(Precision::kFp32), Isa::kAvx512Bf16); }

TEST(Isa, WhatIsUnknownOrLackingIsAUsageError) {
  const auto refused = [](std::string_view name, Precision precision) {
    try {
      parse_isa(name, precision);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::kUsage &&
             std::string_view(error.what()).find(name) != std::string_view::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused("abacus", Precision::kFp32));
  EXPECT_TRUE(refused("amx", Precision::kFp32));  // lacking, or bf16 only
  EXPECT_TRUE(refused("avx512bf16", Precision::kFp32));
  for (const Isa isa : {Isa::kAvx2, Isa::kAvx512, Isa::kAvx512Bf16, Isa::kAmx})
    if (std::find(available_isas().begin(), available_isas().end(), isa) == available_isas().end())
      EXPECT_TRUE(refused(to_string(isa), Precision::kBf16));
  EXPECT_THROW(parse_precision("int8"), Error);
}

}  // namespace
}  // namespace textcrs
