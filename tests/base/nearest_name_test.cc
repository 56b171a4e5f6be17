#include "textcrs/base/nearest_name.h"

#include <gtest/gtest.h>

namespace textcrs {
namespace {

const std::vector<std::string> kVerbs = {"train", "pretrain", "certify", "predict", "list"};

TEST(NearestName, UndoesOneOrTwoSlips) {
  EXPECT_EQ(nearest_name("trian", kVerbs), "train");       // swapped
  EXPECT_EQ(nearest_name("trai", kVerbs), "train");        // one too few
  EXPECT_EQ(nearest_name("predicct", kVerbs), "predict");  // one too many
  EXPECT_EQ(nearest_name("sertifi", kVerbs), "certify");   // two others
  EXPECT_EQ(nearest_name("CERTIFY", kVerbs), "certify");
  EXPECT_EQ(nearest_name("lstm", {"bilstm", "cnn"}), "bilstm");
  EXPECT_EQ(nearest_name("unversal", {"none", "universal"}), "universal");
}

TEST(NearestName, SaysNothingAboutAnotherWord) {
  for (const char* name : {"", "confess", "x", "tra", "remove"})
    EXPECT_EQ(nearest_name(name, kVerbs), std::nullopt) << name;
  EXPECT_EQ(nearest_name("q", {"p"}), std::nullopt);
  EXPECT_EQ(nearest_name("train", {}), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(100000, 't'), kVerbs), std::nullopt);
}

TEST(NearestName, TakesTheNearestAndThenTheFirst) {
  EXPECT_EQ(nearest_name("block", {"clock", "blocks", "block"}), "block");
  EXPECT_EQ(nearest_name("bloc", {"blow", "block"}), "blow");
}

TEST(NearestName, AsTheEndOfAMessage) {
  EXPECT_EQ(did_you_mean("trian", kVerbs), "; did you mean 'train'?");
  EXPECT_EQ(did_you_mean("confess", kVerbs), "");
}

}  // namespace
}  // namespace textcrs
