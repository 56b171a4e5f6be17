// From a data set to an untrained classifier and the texts as it reads them.
#include "textcrs/train/prepare.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/expect_error.h"
#include "model/tiny_bert.h"
#include "text/scratch_home.h"
#include "textcrs/noise/noise.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// good 3, film 2, bad 2, very 1 with vectors; dull 2, films 1 without.
Dataset reviews() {
  return {
      "reviews",
      {"negative", "positive"},
      {{7, "Good film", 1}, {9, "bad, bad dull films", 0}, {12, "very good good dull film", 1}}};
}

class Prepare : public testing::Test {
 protected:
  Prepare() {
    bert_.write(home_.folder() / "bert");
    options_.model.hidden = 5;
    options_.model.slots = 12;
    options_.model.noise = "delete:p=0.30";
    options_.vectors =
        home_.write("vectors.txt", "good 1 0 0\nfilm 0 1 0\nbad 0 0 1\nvery 1 1 1\nunused 2 2 2\n");
    options_.bert = (home_.folder() / "bert").string();
  }
  PreparedClassifier prepare() const { return prepare_classifier(dataset_, options_); }
  std::string refusal(ErrorKind kind) const {
    return expect_error(kind, [&] { prepare(); });
  }
  void use_bert() { options_.model.architecture = "bert"; }
  // Finds the synonyms "good" and "bad" of each other.
  void use_synonyms() {
    options_.model.noise = "substitute:kernel=uniform";
    options_.synonyms.source = home_.write("synonyms.json", R"({"good": ["bad", "nowhere"]})");
  }
  static std::vector<std::string> words_of(const Vocabulary& vocabulary) {
    std::vector<std::string> words;
    for (WordId id = kFirstWord; id < vocabulary.size(); ++id) words.push_back(vocabulary.word(id));
    return words;
  }
  // The words of the i-th text as the model tells them apart.
  static std::vector<std::string> read(const PreparedClassifier& prepared, size_t i) {
    std::vector<std::string> words;
    for (const WordId id : prepared.texts[i].words)
      words.push_back(prepared.classifier->vocabulary().word(id, prepared.texts[i].own));
    return words;
  }

  ScratchHome home_;
  TinyBert bert_;
  Dataset dataset_ = reviews();
  PrepareOptions options_;
};

using Strings = std::vector<std::string>;

TEST_F(Prepare, AWordModelKnowsTheWordsThatHaveVectors) {
  for (const char* architecture : {"bilstm", "cnn"}) {
    options_.model.architecture = architecture;
    const PreparedClassifier prepared = prepare();
    const ModelConfig& config = prepared.classifier->config();
    EXPECT_EQ(config.architecture, architecture);
    EXPECT_EQ(config.dimension, 3);
    EXPECT_EQ(config.hidden, 5);
    EXPECT_EQ(config.slots, 12);
    EXPECT_EQ(config.classes, dataset_.classes);
    EXPECT_EQ(config.noise, "delete:p=0.3");  // as the noise spells it
    EXPECT_FALSE(config.pool_all_slots);
    EXPECT_FALSE(prepared.classifier->vocabulary().is_open());
    // Most frequent first, ties by spelling.
    EXPECT_EQ(words_of(prepared.classifier->vocabulary()),
              (Strings{"good", "bad", "film", "very"}));
    EXPECT_EQ(prepared.words, 12);  // the comma is one
    EXPECT_DOUBLE_EQ(prepared.covered.value(), 8 / 12.0);
    ASSERT_EQ(prepared.texts.size(), 3u);
    EXPECT_EQ(read(prepared, 0), (Strings{"good", "film"}));
    EXPECT_EQ(read(prepared, 1), (Strings{"bad", "<unk>", "bad", "<unk>", "<unk>"}));
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(prepared.texts[i].id, dataset_.examples[i].id);
      EXPECT_EQ(prepared.texts[i].label, dataset_.examples[i].label);
      EXPECT_TRUE(prepared.texts[i].own.empty());
    }
  }
}

TEST_F(Prepare, TheNoiseMayBeChosenByTheMedianLength) {
  int asked = 0;
  options_.choose_noise = [&](int words) {
    asked = words;
    return "universal:p=0.7";
  };
  const PreparedClassifier prepared = prepare();
  EXPECT_EQ(asked, 5);  // of 2, 5 and 5 words
  EXPECT_EQ(prepared.median_words, 5);
  EXPECT_EQ(prepared.classifier->config().noise, "universal:p=0.7");
}

TEST_F(Prepare, AWordSeenLessOftenIsUnknown) {
  options_.min_count = 2;
  const PreparedClassifier prepared = prepare();
  EXPECT_EQ(words_of(prepared.classifier->vocabulary()), (Strings{"good", "bad", "film"}));
  EXPECT_EQ(read(prepared, 2), (Strings{"<unk>", "good", "good", "<unk>", "film"}));
  EXPECT_DOUBLE_EQ(prepared.covered.value(), 8 / 12.0);  // it has a vector all the same
}

TEST_F(Prepare, ABertReadsEveryWord) {
  use_bert();
  const PreparedClassifier prepared = prepare();
  const ModelConfig& config = prepared.classifier->config();
  EXPECT_EQ(config.dimension, bert_.width);
  EXPECT_EQ(config.hidden, bert_.inner);
  EXPECT_EQ(config.bert.layers, bert_.layers);
  EXPECT_EQ(config.classes, dataset_.classes);
  EXPECT_TRUE(prepared.classifier->vocabulary().is_open());
  EXPECT_EQ(words_of(prepared.classifier->vocabulary()),
            (Strings{"good", "bad", "dull", "film", ",", "films", "very"}));
  EXPECT_EQ(prepared.words, 12);
  EXPECT_FALSE(prepared.covered.has_value());
  EXPECT_EQ(read(prepared, 1), (Strings{"bad", ",", "bad", "dull", "films"}));
  for (const EncodedText& text : prepared.texts) EXPECT_TRUE(text.own.empty());
}

TEST_F(Prepare, ABertsRareWordsAreTheTextsOwn) {
  use_bert();
  options_.min_count = 2;
  const PreparedClassifier prepared = prepare();
  const WordId beyond = prepared.classifier->vocabulary().size();
  EXPECT_EQ(words_of(prepared.classifier->vocabulary()), (Strings{"good", "bad", "dull", "film"}));
  EXPECT_TRUE(prepared.texts[0].own.empty());
  EXPECT_EQ(prepared.texts[1].own, (Strings{",", "films"}));
  EXPECT_EQ(prepared.texts[1].words, (Words{4, beyond, 4, 5, beyond + 1}));
  EXPECT_EQ(prepared.texts[2].own, (Strings{"very"}));
  EXPECT_EQ(prepared.texts[2].words, (Words{beyond, 3, 3, 5, 6}));
  EXPECT_EQ(read(prepared, 1), (Strings{"bad", ",", "bad", "dull", "films"}));
  EXPECT_EQ(prepared.words, 12);
}

TEST_F(Prepare, TheTextsAreWhatTheClassifierReads) {
  options_.min_count = 2;
  for (const char* architecture : {"bilstm", "bert"}) {
    options_.model.architecture = architecture;
    const PreparedClassifier prepared = prepare();
    const auto again = encode_all(dataset_, *prepared.classifier);
    ASSERT_EQ(again.size(), prepared.texts.size());
    for (size_t i = 0; i < again.size(); ++i) {
      EXPECT_EQ(again[i].id, prepared.texts[i].id);
      EXPECT_EQ(again[i].words, prepared.texts[i].words);
      EXPECT_EQ(again[i].own, prepared.texts[i].own);
      EXPECT_EQ(again[i].label, prepared.texts[i].label);
      OwnWords own;
      EXPECT_EQ(prepared.classifier->vocabulary().encode(
                    prepared.classifier->words(dataset_.examples[i].text), own),
                again[i].words);
      EXPECT_EQ(own.list(), again[i].own);
    }
  }
}

TEST_F(Prepare, ManyTextsAreSplitInTheirOrder) {
  Dataset many{"many", {"a"}, {}};
  for (uint32_t i = 0; i < 1000; ++i) many.examples.push_back({i, std::to_string(i), 0});
  const auto words =
      split_all(many, [](std::string_view text) { return Strings{std::string(text)}; });
  ASSERT_EQ(words.size(), 1000u);
  for (uint32_t i = 0; i < 1000; ++i) EXPECT_EQ(words[i], Strings{std::to_string(i)});
  EXPECT_TRUE(split_all({}, [](std::string_view) { return Strings(); }).empty());
}

TEST_F(Prepare, EveryTextNeedsALabel) {
  dataset_.examples[1].label = kNoLabel;
  for (const char* architecture : {"bilstm", "bert"}) {
    options_.model.architecture = architecture;
    const std::string refused = refusal(ErrorKind::kBadInput);
    EXPECT_THAT(refused, HasSubstr("reviews"));
    EXPECT_THAT(refused, HasSubstr("text 9"));
  }
  EXPECT_NO_THROW(encode_all(reviews(), *prepare_classifier(reviews(), options_).classifier));
  EXPECT_NO_THROW(check_labels(reviews(), "a file", "a test"));
  const std::string message =
      expect_error(ErrorKind::kBadInput, [&] { check_labels(dataset_, "a file", "a test"); });
  EXPECT_THAT(message, HasSubstr("a file"));
  EXPECT_THAT(message, HasSubstr("a test"));
}

TEST_F(Prepare, ASubstitutionNoiseBringsItsSynonyms) {
  use_synonyms();
  for (const char* architecture : {"cnn", "bert"}) {
    options_.model.architecture = architecture;
    const PreparedClassifier prepared = prepare();
    const Classifier& classifier = *prepared.classifier;
    const WordId good = classifier.vocabulary().id("good"), bad = classifier.vocabulary().id("bad");
    EXPECT_EQ(classifier.synonyms().of(good).size(), 1u);
    EXPECT_EQ(classifier.synonyms().of(good)[0], bad);
    EXPECT_EQ(classifier.synonyms().of(bad)[0], good);
    EXPECT_FALSE(classifier.config().synonyms.empty());
  }
  // Other noises have no use for them.
  options_.model.noise = "universal:p=0.3";
  EXPECT_EQ(prepare().classifier->synonyms().size(), 0);
  EXPECT_TRUE(prepare().classifier->config().synonyms.empty());
}

TEST_F(Prepare, ASubstitutionNoiseWithoutSynonymsIsAUsageError) {
  use_synonyms();
  options_.synonyms.source = "";
  for (const char* architecture : {"bilstm", "cnn", "bert"}) {
    options_.model.architecture = architecture;
    EXPECT_THAT(refusal(ErrorKind::kUsage), HasSubstr("synonyms"));
  }
}

// The table is there for the certificate, if one is given.
TEST_F(Prepare, AGaussianTakesSynonymsWhereTheyAreGiven) {
  for (const char* architecture : {"bilstm", "bert"}) {
    use_synonyms();
    options_.model.noise = "gaussian:sigma=0.2";
    options_.model.architecture = architecture;
    EXPECT_GT(prepare().classifier->synonyms().size(), 0);
    EXPECT_FALSE(prepare().classifier->config().synonyms.empty());
    options_.synonyms.source = "";
    EXPECT_EQ(prepare().classifier->synonyms().size(), 0);
  }
}

TEST_F(Prepare, NoiseOnVectorsPoolsAllSlots) {
  for (const char* noise : {"insert:sigma=0.2", "gaussian:sigma=0.2"})
    for (const char* architecture : {"bilstm", "bert"}) {
      options_.model.noise = noise;
      options_.model.architecture = architecture;
      EXPECT_TRUE(prepare().classifier->config().pool_all_slots);
    }
  options_.model.slots = bert_.positions - 1;  // a slot without a position
  refusal(ErrorKind::kUsage);
}

TEST_F(Prepare, WordsThatVoteHaveNoVectorsToMove) {
  options_.model.noise = "insert:sigma=0.2";
  for (const char* architecture : {"votes", "linear"}) {
    options_.model.architecture = architecture;
    EXPECT_EQ(refusal(ErrorKind::kUsage),
              fmt::format("noise insert:sigma=0.2 moves word vectors, and a {} model has none",
                          architecture));
  }
}

// With a vector or without; the vectors come along for the learner.
TEST_F(Prepare, WordsThatVoteAreAllThatOccurOftenEnough) {
  options_.model.architecture = "votes";
  options_.model.noise = "none";
  options_.min_count = 2;
  const PreparedClassifier prepared = prepare();
  const Vocabulary& vocabulary = prepared.classifier->vocabulary();
  for (const char* known : {"good", "film", "bad", "dull"}) EXPECT_TRUE(vocabulary.holds(known));
  for (const char* rare : {"very", "films", "unused"}) EXPECT_FALSE(vocabulary.holds(rare));
  ASSERT_EQ(prepared.dimension, 3);
  ASSERT_EQ(prepared.word_vectors.size(), static_cast<size_t>(vocabulary.size()) * 3);
  const auto vector_of = [&](const char* word) {
    const auto row = prepared.word_vectors.begin() + 3 * vocabulary.id(word);
    return std::vector<float>(row, row + 3);
  };
  EXPECT_EQ(vector_of("film"), (std::vector<float>{0, 1, 0}));
  EXPECT_EQ(vector_of("dull"), (std::vector<float>{0, 0, 0}));
  options_.model.hidden = 0;
  options_.vectors = "nowhere";  // is not opened
  EXPECT_TRUE(prepare().word_vectors.empty());
}

// A candidate votes as it is spelled: one that the tokenizer reads otherwise is none.
TEST_F(Prepare, CandidatesOfWordsThatVoteAreWordsThatTextsHave) {
  options_.model.architecture = "votes";
  options_.model.noise = kNoNoise;
  options_.model.hidden = 0;
  options_.synonyms.source =
      home_.write("synonyms.json", R"({"good": ["well-made", "Nice", "fine"], "a b": ["bad"]})");
  const PreparedClassifier prepared = prepare();
  const Vocabulary& words = prepared.classifier->vocabulary();
  EXPECT_TRUE(words.holds("fine"));
  for (const char* other : {"well-made", "Nice", "a b"}) EXPECT_FALSE(words.holds(other)) << other;
  const SynonymTable& synonyms = prepared.classifier->synonyms();
  EXPECT_THAT(synonyms.of(words.id("good")), testing::ElementsAre(words.id("fine")));
  EXPECT_THAT(synonyms.of(words.id("bad")), testing::IsEmpty());
}

TEST_F(Prepare, TheSeedDecidesTheWeights) {
  for (const char* architecture : {"bilstm", "bert"}) {
    options_.model.architecture = architecture;
    options_.seed = 1;
    const std::string expected = prepare().classifier->fingerprint();
    EXPECT_EQ(prepare().classifier->fingerprint(), expected);
    options_.seed = 2;
    EXPECT_NE(prepare().classifier->fingerprint(), expected);
  }
}

TEST_F(Prepare, StartsFromATrainedModel) {
  const fs::path trained = home_.folder() / "trained";
  for (const char* architecture : {"bilstm", "cnn", "bert"}) {
    options_.model.architecture = architecture;
    options_.start_from.clear();
    options_.seed = 8;
    prepare().classifier->save(trained);
    const auto expected = Classifier::load(trained);
    options_.seed = 1;
    const Weights without = prepare().classifier->weights();
    options_.start_from = trained;
    const PreparedClassifier prepared = prepare();
    for (const TensorSpec& spec : expected->config().kind().tensors(expected->config()))
      EXPECT_EQ(prepared.classifier->weights().at(spec.name), expected->weights().at(spec.name))
          << spec.name;
    EXPECT_NE(without.at("head.weight"), expected->weights().at("head.weight"));
    EXPECT_EQ(prepared.texts.size(), 3u);

    // Another task: the head begins anew.
    dataset_.classes = {"no", "yes", "maybe"};
    const auto other = prepare().classifier;
    EXPECT_EQ(other->config().classes.size(), 3u);
    EXPECT_EQ(other->weights().at("head.bias").shape, std::vector<int64_t>{3});
    dataset_ = reviews();
  }
}

TEST_F(Prepare, RefusesToStartFromWhatDoesNotFit) {
  const fs::path trained = home_.folder() / "trained";
  prepare().classifier->save(trained);
  options_.start_from = trained;
  EXPECT_NO_THROW(prepare());
  options_.model.hidden = 6;
  refusal(ErrorKind::kUsage);
  options_.model.hidden = 5;
  options_.model.architecture = "cnn";
  refusal(ErrorKind::kUsage);
  use_bert();
  refusal(ErrorKind::kUsage);
  options_.start_from = home_.folder() / "nowhere";
  EXPECT_THAT(refusal(ErrorKind::kBadInput), HasSubstr("nowhere"));
}

TEST_F(Prepare, RefusesWhatIsNotThere) {
  options_.model.noise = "delete:q=0.3";
  refusal(ErrorKind::kUsage);
  options_.model.noise = "delete:p=0.3";
  options_.model.architecture = "abacus";
  refusal(ErrorKind::kUsage);
  use_bert();
  options_.bert = (home_.folder() / "no bert").string();
  EXPECT_THAT(refusal(ErrorKind::kBadInput), HasSubstr("no bert"));
  options_.model.architecture = "cnn";
  options_.vectors = (home_.folder() / "no vectors.txt").string();
  EXPECT_THAT(refusal(ErrorKind::kBadInput), HasSubstr("no vectors"));
}

TEST_F(Prepare, RefusesTextsOfWhichNoneHasAWord) {
  dataset_.examples = {{0, "", 0}, {1, " \t", 1}};
  for (const char* architecture : {"bilstm", "cnn", "bert"}) {
    options_.model.architecture = architecture;
    const std::string refused = refusal(ErrorKind::kBadInput);
    EXPECT_THAT(refused, HasSubstr("reviews"));
    EXPECT_THAT(refused, HasSubstr("no text has a word"));
  }
  dataset_.examples.push_back({2, "good", 1});
  EXPECT_EQ(prepare().words, 1);
}

TEST_F(Prepare, RefusesLabelsThatAreAllTheSame) {
  for (Example& example : dataset_.examples) example.label = 1;
  for (const char* architecture : {"bilstm", "bert"}) {
    options_.model.architecture = architecture;
    const std::string refused = refusal(ErrorKind::kBadInput);
    EXPECT_THAT(refused, HasSubstr("reviews"));
    EXPECT_THAT(refused, HasSubstr("every text has the label \"positive\""));
  }
  dataset_.examples.clear();
  EXPECT_THAT(refusal(ErrorKind::kBadInput), HasSubstr("no texts"));
}

}  // namespace
}  // namespace textcrs
