// The masked language model: what it reads and writes, and its guesses.
#include "textcrs/torch/masked_lm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "masked_lm_folder.h"
#include "model/expect_error.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using MaskedLmOnDisk = MaskedLmFolder;

TEST_F(MaskedLmOnDisk, AnEncoderAloneGetsAFreshHead) {
  const fs::path folder = write("bert.", {});
  const Weights parameters = load(folder, 5)->parameters();
  const auto all_are = [&](const std::string& name, float value) {
    const auto& values = parameters.at(name).values;
    return std::all_of(values.begin(), values.end(), [&](float x) { return x == value; });
  };
  EXPECT_TRUE(all_are(kNorm + ".weight", 1));
  for (const std::string& name : {kNorm + ".bias", kDense + ".bias", kBias})
    EXPECT_TRUE(all_are(name, 0)) << name;
  EXPECT_EQ(parameters.at(kBias).shape,
            std::vector<int64_t>{static_cast<int64_t>(tiny_.pieces.size())});
  const auto& dense = parameters.at(kDense + ".weight").values;
  EXPECT_TRUE(std::any_of(dense.begin(), dense.end(), [](float x) { return std::abs(x) > 0.001; }));
  EXPECT_TRUE(at::equal(scores_of(folder, 5), scores_of(folder, 5)));
  EXPECT_FALSE(at::equal(scores_of(folder, 5), scores_of(folder, 6)));
}

TEST_F(MaskedLmOnDisk, ReadsTheNamesOfAllCheckpoints) {
  const at::Tensor expected = scores_of(write("", head()));
  EXPECT_TRUE(at::equal(scores_of(write("bert.", head())), expected));

  Weights old = head(), padded = head();
  old[kNorm + ".gamma"] = old.at(kNorm + ".weight");
  old[kNorm + ".beta"] = old.at(kNorm + ".bias");
  old.erase(kNorm + ".weight");
  old.erase(kNorm + ".bias");
  old[kDecoder] = tiny_.tensors().at(kPieceEmbedding);
  old["cls.seq_relationship.bias"] = {{2}, {0, 0}};
  EXPECT_TRUE(at::equal(scores_of(write("bert.", old)), expected));

  padded[kBias].shape[0] += 6;
  padded[kBias].values.resize(padded[kBias].values.size() + 6, 1);
  EXPECT_TRUE(at::equal(scores_of(write("bert.", padded)), expected));
}

TEST_F(MaskedLmOnDisk, RefusesAHeadThatIsNotWholeOrNotTied) {
  const auto refusal = [&](const Weights& tensors, const std::set<std::string>& without = {}) {
    const fs::path folder = write("bert.", tensors, without);
    return expect_error(ErrorKind::kBadInput, [&] { load(folder); });
  };
  for (const auto& [name, tensor] : head()) {
    const std::string message = refusal(head(), {name});
    EXPECT_THAT(message, HasSubstr("'" + name + "' is missing"));
    EXPECT_THAT(message, HasSubstr(folder_.path().string()));
    Weights other = head();
    other[name] = {{3}, {0, 0, 0}};
    EXPECT_THAT(refusal(other), HasSubstr("'" + name + "'"));
  }
  Weights untied = head();
  untied[kDecoder] = tiny_.tensors().at(kPieceEmbedding);
  untied[kDecoder].values[17] += 1;
  EXPECT_THAT(refusal(untied), HasSubstr(kDecoder));
  EXPECT_THAT(refusal({}, {std::string("bert.") + kPieceEmbedding}), HasSubstr("missing"));
  EXPECT_THAT(
      expect_error(ErrorKind::kUsage, [&] { torch_backend().masked_lm(write("", {}), "tpu"); }),
      HasSubstr("tpu"));
}

TEST_F(MaskedLmOnDisk, WhatItSavesIsReadBackByAll) {
  const fs::path source = write("", head()), out = folder_.path() / "saved";
  load(source)->save(out);
  EXPECT_TRUE(at::equal(scores_of(out), scores_of(source)));
  EXPECT_EQ(load(out)->parameters(), load(source)->parameters());

  Weights expected = head();
  for (const auto& [name, tensor] : tiny_.tensors()) expected["bert." + name] = tensor;
  EXPECT_EQ(saved(out), expected);
  EXPECT_EQ(SafetensorsFile(out / "model.safetensors").metadata().at("format"), "pt");

  const auto config = nlohmann::json::parse(read_file(out / "config.json"));
  EXPECT_EQ(config["architectures"], nlohmann::json::array({"BertForMaskedLM"}));
  const auto before = nlohmann::json::parse(tiny_.config_json());
  for (const auto& [name, value] : before.items()) EXPECT_EQ(config[name], value) << name;

  const auto classify = [&](const fs::path& folder) {
    const auto classifier = Classifier::from_bert(
        tiny_.config(), Vocabulary({}, Vocabulary::Growth::kOpen), {}, folder, 3);
    OwnWords own;
    CopyBatch batch{{classifier->vocabulary().encode({"a", "good", "films", "!"}, own)}};
    batch.own = {own.list()};
    return torch_backend().reference_engine(*classifier, "cpu")->scores(batch);
  };
  EXPECT_EQ(classify(out), classify(source));
}

TEST_F(MaskedLmOnDisk, APoolerIsKeptOrLeftOut) {
  const fs::path out = folder_.path() / "saved";
  load(write("", {}))->save(out);
  EXPECT_TRUE(saved(out).contains("bert.pooler.dense.weight"));
  load(write("", {}, {"pooler.dense.weight", "pooler.dense.bias"}))->save(out);
  for (const auto& [name, tensor] : saved(out)) EXPECT_THAT(name, Not(HasSubstr("pooler")));
  EXPECT_NO_THROW(load(out));
}

using Words = std::vector<std::string>;

TEST_F(MaskedLmOnDisk, FillGuessesWordsByTheirProbability) {
  const fs::path folder = write("", head());
  const auto model = load(folder);
  const auto graph = network(folder);
  const WordPiece& wordpiece = model->wordpiece();
  const Words text = {"the", "films", "very"};
  for (size_t place = 0; place <= text.size(); ++place) {
    MaskedRows rows{.pieces = {wordpiece.cls()}, .starts = {0}, .longest = 0, .places = {}};
    for (size_t word = 0; word <= text.size(); ++word) {
      if (word == place) {
        rows.places.push_back(static_cast<int64_t>(rows.pieces.size()));
        rows.pieces.push_back(wordpiece.mask());
      }
      if (word < text.size()) wordpiece.append_pieces(text[word], rows.pieces);
    }
    rows.pieces.push_back(wordpiece.sep());
    rows.longest = static_cast<int>(rows.pieces.size());
    rows.starts.push_back(rows.longest);
    const at::Tensor expected = scores(*graph, rows).to(at::kDouble).softmax(1)[0];

    const auto all = model->fill(text, place, 1000);
    EXPECT_EQ(all.size(), 26u + 13u);  // no "##a", no "[MASK]"
    std::map<std::string, double> by_word;
    for (const WordGuess& guess : all) by_word[guess.word] = guess.probability;
    EXPECT_EQ(by_word.size(), all.size());
    for (int32_t id = 0; id < wordpiece.size(); ++id) {
      const std::string& piece = wordpiece.piece(id);
      const bool is_word = !piece.starts_with("##") && !piece.starts_with("[");
      ASSERT_EQ(by_word.contains(piece), is_word) << piece;
      if (is_word) EXPECT_NEAR(by_word[piece], expected[id].item<double>(), 1e-9);
    }
    for (size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i - 1].probability, all[i].probability);
    const auto few = model->fill(text, place, 3);
    ASSERT_EQ(few.size(), 3u);
    for (size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i].word, all[i].word);
  }
}

TEST_F(MaskedLmOnDisk, FillReadsTheNearestWordsOfALongText) {
  const auto model = load(write("", head()));
  Words text(100, "film");
  for (size_t i = 0; i < text.size(); ++i)
    text[i] = std::string(1, static_cast<char>('a' + i % 26));
  const auto is_as = [&](size_t place, size_t begin, size_t end) {
    const auto found = model->fill(text, place, 5);
    const auto expected = model->fill(Words(text.begin() + static_cast<ptrdiff_t>(begin),
                                            text.begin() + static_cast<ptrdiff_t>(end)),
                                      place - begin, 5);
    for (size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(found[i].word, expected[i].word);
      EXPECT_EQ(found[i].probability, expected[i].probability);
    }
  };
  const size_t room = 24 - 3;
  is_as(0, 0, room);
  is_as(4, 0, room);
  is_as(50, 50 - 11, 50 + 10);
  is_as(100, 100 - room, 100);
  // A word too long to fit ends its side.
  text[45] = std::string(22, 'x');
  is_as(50, 46, 46 + room);
}

TEST_F(MaskedLmOnDisk, FillRefusesWhatIsNoPlace) {
  const auto model = load(write("", {}));
  EXPECT_EQ(model->fill({}, 0, 2).size(), 2u);
  EXPECT_THROW(model->fill({"film"}, 2, 1), std::logic_error);
  EXPECT_THROW(model->fill({"film"}, 0, 0), std::logic_error);
}

TEST_F(MaskedLmOnDisk, WordsAreThoseOfClassifiers) {
  const auto model = load(write("", {}));
  const auto classifier = Classifier::from_bert(
      tiny_.config(), Vocabulary({}, Vocabulary::Growth::kOpen), {}, folder_.path() / "bert", 1);
  EXPECT_EQ(bert_words(model->wordpiece(), "A <br/>GOOD film!"), (Words{"a", "good", "film", "!"}));
  EXPECT_EQ(classifier->words("A <br/>GOOD film!"), (Words{"a", "good", "film", "!"}));
}

}  // namespace
}  // namespace textcrs
