// The numbers of a model: fresh ones, and their file.
#include "textcrs/model/weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "expect_error.h"
#include "text/temporary_folder.h"
#include "textcrs/base/stream.h"
#include "textcrs/model/safetensors.h"

namespace textcrs {
namespace {

TEST(FreshTensor, IsUniformWithinItsBound) {
  const TensorSpec spec{.name = "a", .shape = {100, 200}, .bound = 0.5};
  const FloatTensor tensor = fresh_tensor(spec, 1);
  EXPECT_EQ(tensor.shape, spec.shape);
  ASSERT_EQ(tensor.values.size(), 20000u);
  double mean = 0, square = 0;
  for (const float x : tensor.values) {
    EXPECT_LE(std::abs(x), 0.5f);
    mean += x / 20000.0;
    square += static_cast<double>(x) * x / 20000;
  }
  // Six standard deviations: those of a uniform number are 1 / sqrt(12), of its square
  // 1 / sqrt(180).
  EXPECT_NEAR(mean, 0, 6 / std::sqrt(12.0 * 20000));
  EXPECT_NEAR(square, 1 / 12.0, 6 / std::sqrt(180.0 * 20000));
}

TEST(FreshTensor, IsKeyedByTheSeedAndTheName) {
  const TensorSpec a{.name = "a", .shape = {50}, .bound = 1},
      b{.name = "b", .shape = {50}, .bound = 1}, longer{.name = "a", .shape = {2, 50}, .bound = 1};
  EXPECT_EQ(fresh_tensor(a, 1), fresh_tensor(a, 1));
  EXPECT_NE(fresh_tensor(a, 1).values, fresh_tensor(a, 2).values);
  EXPECT_NE(fresh_tensor(a, 1).values, fresh_tensor(b, 1).values);
  const std::vector<float> all = fresh_tensor(longer, 1).values;
  EXPECT_EQ(std::vector<float>(all.begin(), all.begin() + 50), fresh_tensor(a, 1).values);
}

// The numbers of a seed stay what they are: a model can be trained again.
TEST(FreshTensor, DrawsFromTheStreamOfItsName) {
  const FloatTensor tensor =
      fresh_tensor({.name = "head.weight", .shape = {2, 3}, .bound = 0.25}, 7);
  Stream stream(7, 0x40a9513u, 0, 101);  // FNV-1a of the name, 32 bits
  for (const float x : tensor.values)
    EXPECT_EQ(x, static_cast<float>((2 * stream.uniform() - 1) * 0.25));
}

TEST(FreshTensor, HasOnesWhereItIsTold) {
  const FloatTensor tensor =
      fresh_tensor({.name = "b", .shape = {8}, .ones_from = 2, .ones_to = 4}, 1);
  EXPECT_EQ(tensor.values, (std::vector<float>{0, 0, 1, 1, 0, 0, 0, 0}));
  const FloatTensor gains = fresh_tensor({.name = "g", .shape = {3}, .ones_to = 3}, 1);
  EXPECT_EQ(gains.values, (std::vector<float>{1, 1, 1}));
  const FloatTensor zeros = fresh_tensor({.name = "z", .shape = {2, 2}}, 1);
  EXPECT_EQ(zeros.values, std::vector<float>(4));
}

TEST(ElementsOf, IsTheProduct) {
  EXPECT_EQ(elements_of({}), 1);
  EXPECT_EQ(elements_of({7}), 7);
  EXPECT_EQ(elements_of({2, 3, 5}), 30);
  EXPECT_EQ(elements_of({2, 0, 5}), 0);
  EXPECT_EQ(elements_of({100000, 100000}), 10000000000);
}

class WeightsFile : public testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "w.safetensors"; }
  std::string refusal(const std::vector<TensorSpec>& expected) const {
    const std::string message =
        expect_error(ErrorKind::kBadInput, [&] { load_weights(path(), expected); });
    EXPECT_EQ(message.rfind(path().string() + ": ", 0), 0u) << message;
    return message;
  }

  TemporaryFolder folder_;
  const Weights weights_ = {{"a", {{2, 3}, {1, -2, 3.5f, 0, 1e-42f, 3e38f}}},
                            {"scalar", {{}, {7}}},
                            {"none", {{0, 4}, {}}}};
  const std::vector<TensorSpec> specs_ = {{.name = "a", .shape = {2, 3}},
                                          {.name = "scalar", .shape = {}},
                                          {.name = "none", .shape = {0, 4}}};
};

TEST_F(WeightsFile, RoundTrips) {
  save_weights(path(), weights_, {{"key", "value"}});
  EXPECT_EQ(load_weights(path()), weights_);
  EXPECT_EQ(load_weights(path(), specs_), weights_);
  EXPECT_EQ(SafetensorsFile(path()).metadata(),
            (std::map<std::string, std::string>{{"key", "value"}}));
}

TEST_F(WeightsFile, KeepsEveryBit) {
  save_weights(path(), {{"a", {{3}, {-1e-45f, -0.0f, 1}}}});
  const std::vector<float> values = load_weights(path()).at("a").values;
  EXPECT_EQ(values[0], -1e-45f);
  EXPECT_TRUE(std::signbit(values[1]));
}

TEST_F(WeightsFile, RefusesWhatIsNoFiniteNumber) {
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    Weights weights = weights_;
    weights.at("a").values[4] = wrong;
    save_weights(path(), weights);
    const std::string message = refusal(specs_);
    EXPECT_NE(message.find("tensor 'a': value 4 is "), std::string::npos) << message;
    expect_error(ErrorKind::kBadInput, [&] { load_weights(path()); });
  }
}

TEST_F(WeightsFile, HoldsJustWhatIsExpected) {
  save_weights(path(), weights_);
  auto specs = specs_;
  specs.push_back({.name = "more", .shape = {1}});
  EXPECT_NE(refusal(specs).find("'more' is missing"), std::string::npos);
  specs.resize(2);
  EXPECT_NE(refusal(specs).find("found 3 tensors, expected 2"), std::string::npos);
  specs = specs_;
  specs[0].shape = {3, 2};
  EXPECT_NE(refusal(specs).find("'a': found F32 [2, 3], expected F32 [3, 2]"), std::string::npos);
}

TEST_F(WeightsFile, RefusesOtherTypes) {
  const std::vector<uint16_t> halves(6);
  write_safetensors(path(), {{"a", {"F16", {2, 3}, std::as_bytes(std::span(halves))}}});
  EXPECT_NE(refusal({specs_[0]}).find("'a': found F16"), std::string::npos);
  expect_error(ErrorKind::kBadInput, [&] { load_weights(path()); });
}

TEST_F(WeightsFile, RefusesWhatIsNoFile) {
  expect_error(ErrorKind::kBadInput, [&] { load_weights(folder_.path() / "absent"); });
  std::ofstream(path()) << "no tensors";
  expect_error(ErrorKind::kBadInput, [&] { load_weights(path()); });
}

}  // namespace
}  // namespace textcrs
