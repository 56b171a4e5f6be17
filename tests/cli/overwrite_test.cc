// What training replaces, and what it does not touch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bert_folder.h"
#include "workspace.h"

namespace textcrs::cli_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Everything below a folder, by its path from there, with the files' contents.
std::map<std::string, std::string> content_of(const fs::path& folder) {
  std::map<std::string, std::string> content;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    content[fs::relative(entry.path(), folder)] = entry.is_directory() ? "" : read(entry.path());
  return content;
}

void expect_untouched(const std::string& out, const std::string& found) {
  const auto before = content_of(out);
  const Result refused = run(workspace().training(out) + Arguments{"--overwrite"});
  EXPECT_EQ(refused.exit_code, 2) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr(out + ": found " + found));
  EXPECT_EQ(content_of(out), before);
}

TEST(Overwrite, AModelIsReplacedIfTold) {
  const std::string out = workspace().path("replaced");
  ASSERT_EQ(run(workspace().training(out)).exit_code, 0);
  const std::string before = read(out + "/model.safetensors");
  const Arguments other = workspace().training(out) + Arguments{"--seed", "7"};
  const Result refused = run(other);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr(out + " exists; choose another --out or add --overwrite"));
  EXPECT_EQ(read(out + "/model.safetensors"), before);
  const Result replaced = run(other + Arguments{"--overwrite"});
  EXPECT_EQ(replaced.exit_code, 0) << replaced.err;
  EXPECT_NE(read(out + "/model.safetensors"), before);
}

TEST(Overwrite, WhatTrainingHasNotWrittenStays) {
  const std::string notes = workspace().path("notes");
  fs::create_directories(notes);
  workspace().write("notes/note.txt", "mine");
  expect_untouched(notes, "note.txt, which training does not write");

  const std::string mixed = workspace().path("mixed");
  fs::copy(workspace().model(), mixed);
  fs::create_directories(mixed + "/runs");
  workspace().write("mixed/runs/results.jsonl", "{}");
  expect_untouched(mixed, "runs, which training does not write");

  // Its files have the names of a model's.
  expect_untouched(BertFolder::write("bert-of-others"), "a folder of others");

  const std::string file = workspace().write("file", "mine");
  const Result refused = run(workspace().training(file) + Arguments{"--overwrite"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("found a file"));
  EXPECT_EQ(read(file), "mine");

  const std::string partial = workspace().path("fresh.partial");
  fs::create_directories(partial);
  workspace().write("fresh.partial/note.txt", "mine");
  const Result beside = run(workspace().training(workspace().path("fresh")));
  EXPECT_EQ(beside.exit_code, 2);
  EXPECT_THAT(beside.err, HasSubstr(partial + ": found note.txt"));
  EXPECT_EQ(read(partial + "/note.txt"), "mine");
}

TEST(Overwrite, AnEmptyFolderHasNothingToLose) {
  const std::string out = workspace().path("empty-model");
  fs::create_directories(out);
  EXPECT_EQ(run(workspace().training(out)).exit_code, 2);
  EXPECT_EQ(run(workspace().training(out) + Arguments{"--overwrite"}).exit_code, 0);
}

TEST(Overwrite, ALinkedFolderStaysALink) {
  const std::string real = workspace().path("real"), link = workspace().path("link");
  fs::copy(workspace().model(), real);
  fs::create_directory_symlink(real, link);
  const Result result = run(workspace().training(link) + Arguments{"--overwrite", "--seed", "7"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_NE(read(real + "/model.safetensors"), read(workspace().model() + "/model.safetensors"));

  const std::string nowhere = workspace().path("nowhere");
  fs::create_directory_symlink(workspace().path("gone"), nowhere);
  const Result refused = run(workspace().training(nowhere));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr(nowhere + ": found a link to nothing"));
}

TEST(Overwrite, FoldersMadeForARefusedTrainingGoAgain) {
  const std::string out = workspace().path("new/deep/model");
  EXPECT_EQ(run({"train", "--data", workspace().path("none.csv"), "--out", out}).exit_code, 3);
  EXPECT_FALSE(fs::exists(workspace().path("new")));
}

}  // namespace
}  // namespace textcrs::cli_test
