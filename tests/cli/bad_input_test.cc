// Wrong files: exit code 3 and one line that names the file, after the one that says how it was
// read if it was.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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
  const auto with = [&](const std::string& key, const std::string& value) {
    auto changed = nlohmann::ordered_json::parse(config);
    changed[key] = "HERE";
    std::string text = changed.dump();
    return text.replace(text.find("\"HERE\""), 6, value);
  };
  const std::string deep(100000, '[');
  broken("deep-config", "config.json", with("dimension", deep));
  broken("deep-closed", "config.json", with("dimension", deep + std::string(100000, ']')));
  broken("endless", "config.json", with("dropout", "1e999"));
  broken("wrong-type", "config.json", with("hidden", "true"));
  broken("no-noise", "config.json", with("noise", "\"confetti\""));
  broken("bad-noise", "config.json", with("noise", "\"delete:p=7\""));
  broken("deep-header", "model.safetensors",
         std::string("\xa6\x86\x01\0\0\0\0\0", 8) + "{\"a\":[" + deep);
  std::string infinite = weights;
  broken("infinite", "model.safetensors",
         infinite.replace(weights.size() - 4, 4, std::string("\0\0\x80\x7f", 4)));
  expect_refused(commands, named);
}

TEST(BadInput, FoldersOfRuns) {
  Workspace& w = workspace();
  const std::string out = w.path("spoilt-run");
  const Arguments certify = {"certify", "--model",   w.model(), "--data",  w.texts(), "--out",
                             out,       "--samples", "100",     "--limit", "3"};
  ASSERT_EQ(run(certify).exit_code, 0);
  const std::string results = read(out + "/results.jsonl"), settings = read(out + "/run.json");
  const std::string deep(100000, '[');
  const auto spoilt = [&](const std::string& name, const std::string& content) {
    w.write("spoilt-run/" + name, content);
    SCOPED_TRACE(name + " " + content.substr(0, 60));
    expect_refused({certify, {"compare", out, "--threat", "edit"}},
                   {out + "/" + name, out + "/" + name});
  };
  const auto without = [&](const std::string& key) {
    std::string copy = results;
    return copy.replace(copy.find('"' + key + '"'), key.size() + 2, "\"foreign\"");
  };
  for (const char* key : {"prediction", "words", "counts", "abstained", "samples"})
    spoilt("results.jsonl", without(key));
  spoilt("results.jsonl", "{\"id\":0,\"label\":" + deep + "}\n");
  spoilt("results.jsonl", "{\"id\":0,\"label\":" + deep + std::string(100000, ']') + "}\n");
  spoilt("results.jsonl", results + results);
  w.write("spoilt-run/results.jsonl", results);
  spoilt("run.json", "{\"alpha\":" + deep);
  spoilt("run.json", "{\"alpha\":" + deep + std::string(100000, ']') + "}");
  spoilt("run.json", "{\"alpha\":1e999}");
  w.write("spoilt-run/run.json", settings);
  EXPECT_EQ(run(certify).exit_code, 0);
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
  const auto train = [&](const std::string& data) {  // all at once: each has a folder of its own
    return Arguments{"train", "--data", data, "--vectors", w.vectors(), "--out", data + "-learnt"};
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
