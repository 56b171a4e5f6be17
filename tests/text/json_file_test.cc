#include "textcrs/text/json_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "text/temporary_folder.h"

namespace textcrs {
namespace {

class JsonFile : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& content) const {
    std::ofstream(path_, std::ios::binary) << content;
    return path_;
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "notes.json";
};

TEST_F(JsonFile, MembersAreFoundByNameAndType) {
  const auto path = write(R"({"run":"r 1","texts":40,"loss":0.5,"epochs":[]})");
  EXPECT_TRUE(has_members(path, {"run", "epochs"}));
  EXPECT_TRUE(has_members(path, {}));
  EXPECT_FALSE(has_members(path, {"run", "epoch"}));
  EXPECT_EQ(text_member(path, "run"), "r 1");
  EXPECT_EQ(text_member(path, "texts"), std::nullopt);
  EXPECT_EQ(number_member(path, "texts"), 40);
  EXPECT_EQ(number_member(path, "loss"), 0.5);
  EXPECT_EQ(number_member(path, "run"), std::nullopt);
  EXPECT_EQ(number_member(path, "epoch"), std::nullopt);
}

TEST_F(JsonFile, WhatIsNoObjectHasNoMembers) {
  for (const std::string& content :
       {std::string(), std::string("[1]"), std::string("null"), std::string("{\"run\":"),
        std::string("{\"run\":\"\xff\"}"), std::string("{\"texts\":1e999}"),
        std::string(100'000, '['), std::string("{\"run\":\"a\",\"run\":\"b\"}")}) {
    const auto path = write(content);
    EXPECT_FALSE(has_members(path, {})) << content.substr(0, 20);
    EXPECT_EQ(text_member(path, "run"), std::nullopt) << content.substr(0, 20);
    EXPECT_EQ(number_member(path, "texts"), std::nullopt) << content.substr(0, 20);
  }
  EXPECT_FALSE(has_members(folder_.path(), {}));
  EXPECT_FALSE(has_members(folder_.path() / "missing", {}));
}

}  // namespace
}  // namespace textcrs
