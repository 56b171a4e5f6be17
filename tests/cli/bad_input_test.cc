// Wrong files: exit code 3 and one line that names the file, after the one that says how it was
// read if it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

void expect_refused(const std::vector<Arguments>& commands, const std::vector<std::string>& named) {
  const auto results = run_all(commands);
  for (size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].exit_code, 3) << named[i] << ": " << results[i].err;
    EXPECT_EQ(results[i].out, "");
    std::vector<std::string> lines = lines_of(results[i].err);
    if (lines.size() == 2 && lines[0].starts_with("read ")) lines.erase(lines.begin());
    ASSERT_EQ(lines.size(), 1u) << results[i].err;
    EXPECT_THAT(lines[0], HasSubstr(named[i]));
  }
}

TEST(BadInput, Texts) {
  const Workspace& w = workspace();
  const std::string missing = w.path("missing.csv");
  const std::string cut =
      w.write("cut.jsonl", "{\"text\": \"a\", \"label\": 1}\n{\"text\": \"b\", \"la");
  const std::string ragged = w.write("ragged.csv", "text,label\ngood film,pos\nonly one column\n");
  const std::string empty = w.write("nothing.csv", "");
  const std::string latin = w.write("latin.csv", "text,label\ncaf\xe9,pos\n");
  expect_refused({{"data", "show", missing},
                  {"data", "show", w.texts(), "--text-column", "review"},
                  {"data", "show", w.texts(), "--label-column", "class"},
                  {"data", "show", cut},
                  {"data", "show", ragged},
                  {"data", "show", empty},
                  {"data", "show", latin}},
                 {missing, w.texts(), w.texts(), cut + ":2", ragged + ":3", empty, latin + ":2"});
}

TEST(BadInput, LabelsThatTheModelDoesNotKnow) {
  const std::string file = workspace().write("stars.csv", "text,label\ngood film,five\n");
  expect_refused({{"certify", "--model", workspace().model(), "--data", file, "--out",
                   workspace().path("stars")},
                  {"evaluate", "--model", workspace().model(), "--data", file}},
                 {file, file});
}

TEST(BadInput, Models) {
  const std::string missing = workspace().path("no-model");
  std::vector<Arguments> commands = {{"predict", "--model", missing, "good film"}};
  std::vector<std::string> named = {missing};
  const auto broken = [&](const std::string& folder, const std::string& file,
                          const std::string& content) {
    fs::copy(workspace().model(), workspace().path(folder));
    named.push_back(workspace().write(folder + "/" + file, content));
    commands.push_back({"predict", "--model", workspace().path(folder), "good film"});
  };
  const std::string weights = read(workspace().model() + "/model.safetensors");
  const std::string config = read(workspace().model() + "/config.json");
  broken("cut-weights", "model.safetensors", weights.substr(0, weights.size() - 8));
  broken("cut-config", "config.json", config.substr(0, config.size() / 2));
  broken("no-words", "vocab.txt", "");
  expect_refused(commands, named);
}

TEST(BadInput, VectorsAndSynonyms) {
  const std::string vectors = workspace().write("ragged.txt", "good 1 2 3\nbad 1 2\n");
  const std::string synonyms = workspace().write("cut.json", "{\"good\": [\"gre");
  expect_refused({{"train", "--data", workspace().texts(), "--vectors", vectors, "--out",
                   workspace().path("never")},
                  {"sample", "--noise", "substitute:kernel=uniform", "--text", "good", "--vectors",
                   workspace().vectors(), "--synonyms", synonyms}},
                 {vectors + ":2", synonyms});
}

TEST(BadInput, NothingToLearnFromIsRefusedBeforeTraining) {
  const Workspace& w = workspace();
  const auto train = [&](const std::string& data) {
    return Arguments{
        "train", "--data", data, "--vectors", w.vectors(), "--out", w.path("nothing-learnt")};
  };
  const std::string same = w.write("same.csv", "text,label\ngood film,pos\nfine film,pos\n");
  const std::string blank = w.write("blank.csv", "text,label\n \t ,pos\n\"\",neg\n");
  const std::string plain = w.write("plain.csv", "text\ngood film\nbad film\n");
  expect_refused({train(same), train(blank), train(plain)},
                 {"every text has the label \"pos\"", "no text has a word", "has no label"});
}

TEST(BadInput, WhatIsPredictedMustBeUtf8) {
  const Arguments predict = {"predict", "--model", workspace().model(), "--samples", "100"};
  expect_refused({predict + Arguments{"good film", "a caf\xe9"}},
                 {"argument 2: found the byte 0xe9 at offset 5"});
  const Result result = run(predict, {}, "good film\nbad film\ncaf\xe9\ngood film\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(lines_of(result.out).size(), 2u);  // the lines before it
  EXPECT_EQ(result.err,
            "textcrs: error: standard input:3: found the byte 0xe9 at offset 3, expected UTF-8\n");
}

}  // namespace
}  // namespace textcrs::cli_test
