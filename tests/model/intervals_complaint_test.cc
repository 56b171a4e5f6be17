#include "model/intervals_complaint.h"

#include <gtest/gtest.h>

#include <functional>

#include "expect_error.h"
#include "model/interval_models.h"

namespace textcrs {
namespace {

TEST(IntervalsComplaint, NamesWhatDoesNotGoWithThem) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "config.json";
  ModelConfig good = interval_config("bilstm");
  good.dimension = 5;
  EXPECT_EQ(intervals_complaint(good), std::nullopt);
  good.save(path);
  EXPECT_TRUE(ModelConfig::load(path).intervals);
  const std::pair<const char*, std::function<void(ModelConfig&)>> wrong[] = {
      {"noise is delete:p=0.5", [](ModelConfig& c) { c.noise = "delete:p=0.5"; }},
      {"synonyms are not given", [](ModelConfig& c) { c.synonyms.clear(); }},
      {"canonical is given", [](ModelConfig& c) { c.canonical = "clusters"; }},
      {"units is sentences", [](ModelConfig& c) { c.units = Units::kSentences; }},
      {"reconstruction is given", [](ModelConfig& c) { c.reconstruction = 4; }},
  };
  for (const auto& [said, change] : wrong) {
    ModelConfig config = good;
    change(config);
    config.save(path);
    const std::string message =
        expect_error(ErrorKind::kBadInput, [&] { ModelConfig::load(path); });
    EXPECT_NE(message.find(said), std::string::npos) << message;
    config.intervals = false;
    EXPECT_EQ(intervals_complaint(config), std::nullopt);
  }
  good.architecture = "votes";
  EXPECT_NE(intervals_complaint(good)->find("expected cnn or bilstm"), std::string::npos);
}

}  // namespace
}  // namespace textcrs
