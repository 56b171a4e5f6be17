// Wrong files: exit code 3 and one line that names the file.
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
    EXPECT_EQ(lines_of(results[i].err).size(), 1u) << results[i].err;
    EXPECT_THAT(results[i].err, HasSubstr(named[i]));
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

}  // namespace
}  // namespace textcrs::cli_test
