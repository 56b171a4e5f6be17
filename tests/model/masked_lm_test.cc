// The masked language model: its head in exact arithmetic, what it reads and writes, its guesses.
#include "textcrs/model/masked_lm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "model/expect_error.h"
#include "model/masked_lm_network.h"
#include "model/tiny_bert.h"
#include "text/temporary_folder.h"
#include "textcrs/model/classifier.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Tensors = std::map<std::string, at::Tensor>;

const std::string kDense = "cls.predictions.transform.dense";
const std::string kNorm = "cls.predictions.transform.LayerNorm";
const std::string kBias = "cls.predictions.bias";
const std::string kDecoder = "cls.predictions.decoder.weight";

// Two sequences, three places.
const MaskedRows kRows = {.pieces = {2, 57, 58, 4, 3, 2, 60, 4, 4, 61, 3},
                          .starts = {0, 5, 11},
                          .longest = 6,
                          .places = {3, 7, 9}};

class MaskedLmTest : public testing::Test {
 protected:
  Tensors head() const {
    const FreshInitializer fresh(9);
    const int64_t width = tiny_.width, pieces = static_cast<int64_t>(tiny_.pieces.size());
    return {{kDense + ".weight", fresh.make(kDense + ".weight", {width, width}, 0.5)},
            {kDense + ".bias", fresh.make(kDense + ".bias", {width}, 0.5)},
            {kNorm + ".weight", fresh.make(kNorm + ".weight", {width}, 0.5) + 1},
            {kNorm + ".bias", fresh.make(kNorm + ".bias", {width}, 0.5)},
            {kBias, fresh.make(kBias, {pieces}, 1)}};
  }
  // With the tensors of `more` beside the encoder's, and without those named in `without`.
  fs::path write(const std::string& prefix, const Tensors& more,
                 const std::set<std::string>& without = {}) const {
    const fs::path folder = folder_.path() / "bert";
    tiny_.write(folder);
    Tensors all = more;
    for (const auto& [name, tensor] : tiny_.tensors()) all[prefix + name] = tensor;
    for (const std::string& name : without) all.erase(name);
    save_tensors(folder / "model.safetensors", all);
    return folder;
  }
  static at::Tensor scores(const MaskedLm& model, const MaskedRows& rows = kRows) {
    const at::NoGradGuard no_grad;
    return model.network().scores(rows, nullptr);
  }
  static Tensors saved(const fs::path& folder) {
    const SafetensorsFile file(folder / "model.safetensors");
    Tensors all;
    for (const auto& [name, view] : file.tensors()) all[name] = from_view(view);
    return all;
  }

  TemporaryFolder folder_;
  TinyBert tiny_;
};

// gelu(x W^T + b), normalized, times the vectors of the pieces.
std::vector<double> head_by_hand(const at::Tensor& state, const Tensors& head,
                                 const at::Tensor& table) {
  const auto width = static_cast<size_t>(table.size(1));
  const auto values = [](const at::Tensor& tensor) {
    const float* const data = tensor.data_ptr<float>();
    return std::vector<double>(data, data + tensor.numel());
  };
  const auto x = values(state), w = values(head.at(kDense + ".weight")),
             b = values(head.at(kDense + ".bias")), gain = values(head.at(kNorm + ".weight")),
             shift = values(head.at(kNorm + ".bias")), bias = values(head.at(kBias)),
             rows = values(table);
  std::vector<double> inner(width);
  double mean = 0, variance = 0;
  for (size_t i = 0; i < width; ++i) {
    double sum = b[i];
    for (size_t j = 0; j < width; ++j) sum += w[i * width + j] * x[j];
    inner[i] = sum * (1 + std::erf(sum / std::sqrt(2.0))) / 2;
    mean += inner[i] / static_cast<double>(width);
  }
  for (const double y : inner) variance += (y - mean) * (y - mean) / static_cast<double>(width);
  std::vector<double> all = bias;
  for (size_t piece = 0; piece < all.size(); ++piece)
    for (size_t i = 0; i < width; ++i)
      all[piece] += rows[piece * width + i] *
                    ((inner[i] - mean) / std::sqrt(variance + 1e-12) * gain[i] + shift[i]);
  return all;
}

TEST_F(MaskedLmTest, ScoresAreTheHeadOnTheStatesOfTheEncoder) {
  const MaskedLm model = MaskedLm::load(write("", head()), "cpu");
  const at::Tensor found = scores(model);
  ASSERT_EQ(found.sizes().vec(), (std::vector<int64_t>{3, model.wordpiece().size()}));

  const Tensors encoder = tiny_.tensors();
  const TensorOf tensor_of = [&](const std::string& name) { return encoder.at(name); };
  const PackedRows packed = make_packed_rows(kRows.starts, kRows.longest, at::kCPU);
  const at::Tensor table = encoder.at(kPieceEmbedding);
  const at::Tensor states =
      run_bert(embed_rows(table.index_select(0, at::tensor(kRows.pieces, at::kInt)), packed,
                          tensor_of, 1e-12, at::kFloat),
               packed, make_bert_layers(tiny_.config(), tensor_of, at::kFloat), tiny_.config().bert,
               false, nullptr);
  for (size_t m = 0; m < kRows.places.size(); ++m) {
    const auto expected = head_by_hand(states[kRows.places[m]].contiguous(), head(), table);
    for (size_t piece = 0; piece < expected.size(); ++piece)
      EXPECT_NEAR(found[static_cast<int64_t>(m)][static_cast<int64_t>(piece)].item<double>(),
                  expected[piece], 1e-4 * (1 + std::abs(expected[piece])));
  }
}

TEST_F(MaskedLmTest, ASequenceDoesNotSeeItsNeighbours) {
  const MaskedLm model = MaskedLm::load(write("", head()), "cpu");
  const MaskedRows alone = {
      .pieces = {2, 60, 4, 4, 61, 3}, .starts = {0, 6}, .longest = 6, .places = {2, 4}};
  EXPECT_TRUE(at::allclose(scores(model).narrow(0, 1, 2), scores(model, alone), 1e-4, 1e-4));
}

// The tied table has two ways into the loss: the pieces that are read and the scores.
TEST_F(MaskedLmTest, TheGradientOfTheTableIsThatOfBothItsUses) {
  const MaskedLm model = MaskedLm::load(write("", head()), "cpu");
  MaskedLmNetwork& network = model.network();
  const at::Tensor targets = at::tensor(std::vector<int64_t>{59, 58, 7}, at::kLong);
  const auto loss = [&] { return at::cross_entropy_loss(network.scores(kRows, nullptr), targets); };
  loss().backward();
  const at::Tensor gradient = network.parameters().at(kPieceEmbedding).grad().clone();
  const at::Tensor table = network.parameters().at(kPieceEmbedding).detach().clone();
  const auto slope = [&](int64_t piece, int64_t column) {
    const at::NoGradGuard no_grad;
    constexpr double kStep = 4e-3;
    double difference = 0;
    for (const double sign : {1.0, -1.0}) {
      at::Tensor moved = table.clone();
      moved[piece][column] += sign * kStep;
      network.assign(kPieceEmbedding, moved);
      difference += sign * loss().item<double>();
    }
    return difference / (2 * kStep);
  };
  // Read and scored, [MASK], a target that is not read, neither.
  for (const int64_t piece : {57, 4, 59, 30})
    for (const int64_t column : {0, 5, 11}) {
      const double expected = slope(piece, column);
      EXPECT_NEAR(gradient[piece][column].item<double>(), expected,
                  2e-3 + 0.02 * std::abs(expected))
          << piece << " " << column;
    }
  for (const auto& [name, parameter] : network.parameters())
    EXPECT_TRUE(parameter.grad().defined()) << name;
}

TEST_F(MaskedLmTest, GuessesFollowItsParameters) {
  const MaskedLm model = MaskedLm::load(write("", head()), "cpu");
  for (const auto& [name, parameter] : model.network().parameters()) {
    const at::Tensor before = scores(model).clone(), values = parameter.detach().clone();
    model.network().assign(name, values.flip(0) + 0.1);
    // A key's bias shifts all scores of a query alike, which the softmax takes back.
    if (!name.ends_with("key.bias")) EXPECT_FALSE(at::equal(scores(model), before)) << name;
    model.network().assign(name, values);
    EXPECT_TRUE(at::equal(scores(model), before)) << name;
  }
  EXPECT_THROW(model.network().assign(kBias, at::zeros({3})), std::logic_error);
}

TEST_F(MaskedLmTest, AnEncoderAloneGetsAFreshHead) {
  const fs::path folder = write("bert.", {});
  const MaskedLm model = MaskedLm::load(folder, "cpu", 5);
  const auto& parameters = model.network().parameters();
  EXPECT_TRUE(parameters.at(kNorm + ".weight").eq(1).all().item<bool>());
  for (const std::string& name : {kNorm + ".bias", kDense + ".bias", kBias})
    EXPECT_TRUE(parameters.at(name).eq(0).all().item<bool>()) << name;
  EXPECT_TRUE(parameters.at(kDense + ".weight").abs().gt(0.001).any().item<bool>());
  EXPECT_TRUE(at::equal(scores(model), scores(MaskedLm::load(folder, "cpu", 5))));
  EXPECT_FALSE(at::equal(scores(model), scores(MaskedLm::load(folder, "cpu", 6))));
}

TEST_F(MaskedLmTest, ReadsTheNamesOfAllCheckpoints) {
  const at::Tensor expected = scores(MaskedLm::load(write("", head()), "cpu"));
  EXPECT_TRUE(at::equal(scores(MaskedLm::load(write("bert.", head()), "cpu")), expected));

  Tensors old = head(), padded = head();
  old[kNorm + ".gamma"] = old.at(kNorm + ".weight");
  old[kNorm + ".beta"] = old.at(kNorm + ".bias");
  old.erase(kNorm + ".weight");
  old.erase(kNorm + ".bias");
  old[kDecoder] = tiny_.tensors().at(kPieceEmbedding);
  old["cls.seq_relationship.bias"] = at::zeros({2});
  EXPECT_TRUE(at::equal(scores(MaskedLm::load(write("bert.", old), "cpu")), expected));

  padded[kBias] = at::cat({padded.at(kBias), at::ones({6})});
  EXPECT_TRUE(at::equal(scores(MaskedLm::load(write("bert.", padded), "cpu")), expected));
}

TEST_F(MaskedLmTest, RefusesAHeadThatIsNotWholeOrNotTied) {
  const auto refusal = [&](const Tensors& tensors, const std::set<std::string>& without = {}) {
    const fs::path folder = write("bert.", tensors, without);
    return expect_error(ErrorKind::kBadInput, [&] { MaskedLm::load(folder, "cpu"); });
  };
  for (const auto& [name, tensor] : head()) {
    const std::string message = refusal(head(), {name});
    EXPECT_THAT(message, HasSubstr("'" + name + "' is missing"));
    EXPECT_THAT(message, HasSubstr(folder_.path().string()));
    Tensors other = head();
    other[name] = at::zeros({3});
    EXPECT_THAT(refusal(other), HasSubstr("'" + name + "'"));
  }
  Tensors untied = head();
  untied[kDecoder] = tiny_.tensors().at(kPieceEmbedding) + 1;
  EXPECT_THAT(refusal(untied), HasSubstr(kDecoder));
  EXPECT_THAT(refusal({}, {std::string("bert.") + kPieceEmbedding}), HasSubstr("missing"));
  EXPECT_THAT(expect_error(ErrorKind::kUsage, [&] { MaskedLm::load(write("", {}), "tpu"); }),
              HasSubstr("tpu"));
}

TEST_F(MaskedLmTest, WhatItSavesIsReadBackByAll) {
  const fs::path source = write("", head()), out = folder_.path() / "saved";
  const MaskedLm model = MaskedLm::load(source, "cpu");
  model.save(out);
  EXPECT_TRUE(at::equal(scores(MaskedLm::load(out, "cpu")), scores(model)));

  Tensors expected = head();
  for (const auto& [name, tensor] : tiny_.tensors()) expected["bert." + name] = tensor;
  const Tensors found = saved(out);
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [name, tensor] : expected) EXPECT_TRUE(at::equal(found.at(name), tensor));
  EXPECT_EQ(SafetensorsFile(out / "model.safetensors").metadata().at("format"), "pt");

  const auto config = nlohmann::json::parse(read_file(out / "config.json"));
  EXPECT_EQ(config["architectures"], nlohmann::json::array({"BertForMaskedLM"}));
  const auto before = nlohmann::json::parse(tiny_.config_json());
  for (const auto& [name, value] : before.items()) EXPECT_EQ(config[name], value) << name;

  const auto classify = [&](const fs::path& folder) {
    const auto classifier = Classifier::from_bert(
        tiny_.config(), Vocabulary({}, Vocabulary::Growth::kOpen), {}, folder, 3, "cpu");
    CopyBatch batch;
    batch.copies.push_back(classifier->vocabulary().encode({"a", "good", "films", "!"}));
    const at::NoGradGuard no_grad;
    return classifier->network().forward(batch, nullptr).clone();
  };
  EXPECT_TRUE(at::equal(classify(out), classify(source)));
}

TEST_F(MaskedLmTest, APoolerIsKeptOrLeftOut) {
  const fs::path out = folder_.path() / "saved";
  MaskedLm::load(write("", {}), "cpu").save(out);
  EXPECT_TRUE(saved(out).contains("bert.pooler.dense.weight"));
  MaskedLm::load(write("", {}, {"pooler.dense.weight", "pooler.dense.bias"}), "cpu").save(out);
  for (const auto& [name, tensor] : saved(out)) EXPECT_THAT(name, Not(HasSubstr("pooler")));
  EXPECT_NO_THROW(MaskedLm::load(out, "cpu"));
}

using Words = std::vector<std::string>;

TEST_F(MaskedLmTest, FillGuessesWordsByTheirProbability) {
  const MaskedLm model = MaskedLm::load(write("", head()), "cpu");
  const WordPiece& wordpiece = model.wordpiece();
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
    const at::Tensor expected = scores(model, rows).to(at::kDouble).softmax(1)[0];

    const auto all = model.fill(text, place, 1000);
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
    const auto few = model.fill(text, place, 3);
    ASSERT_EQ(few.size(), 3u);
    for (size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i].word, all[i].word);
  }
}

TEST_F(MaskedLmTest, FillReadsTheNearestWordsOfALongText) {
  const MaskedLm model = MaskedLm::load(write("", head()), "cpu");
  Words text(100, "film");
  for (size_t i = 0; i < text.size(); ++i)
    text[i] = std::string(1, static_cast<char>('a' + i % 26));
  const auto is_as = [&](size_t place, size_t begin, size_t end) {
    const auto found = model.fill(text, place, 5);
    const auto expected = model.fill(Words(text.begin() + static_cast<ptrdiff_t>(begin),
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

TEST_F(MaskedLmTest, FillRefusesWhatIsNoPlace) {
  const MaskedLm model = MaskedLm::load(write("", {}), "cpu");
  EXPECT_EQ(model.fill({}, 0, 2).size(), 2u);
  EXPECT_THROW(model.fill({"film"}, 2, 1), std::logic_error);
  EXPECT_THROW(model.fill({"film"}, 0, 0), std::logic_error);
}

TEST_F(MaskedLmTest, WordsAreThoseOfClassifiers) {
  const MaskedLm model = MaskedLm::load(write("", {}), "cpu");
  EXPECT_EQ(model.words("A <br/>GOOD film!"), (Words{"a", "good", "film", "!"}));
}

}  // namespace
}  // namespace textcrs
