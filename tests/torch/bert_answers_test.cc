// The answers of a classifier on a BERT.
#include <gtest/gtest.h>

#include "model/small_model.h"
#include "model/tiny_bert.h"
#include "text/temporary_folder.h"
#include "textcrs/base/parallel.h"
#include "textcrs/torch/backend.h"
#include "torch/network.h"

namespace textcrs {
namespace {

// Texts as copies, with the words of their own.
struct Texts {
  OwnWords own;
  CopyBatch batch;

  Texts(const Classifier& classifier, const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
      batch.copies.push_back(classifier.vocabulary().encode(classifier.words(text), own));
    batch.own.assign(texts.size(), own.list());
  }
};

class BertAnswers : public testing::Test {
 protected:
  std::unique_ptr<Classifier> fresh(uint64_t seed = 1,
                                    const ModelConfig& config = TinyBert().config()) const {
    TinyBert().write(folder_.path() / "pretrained");
    return Classifier::from_bert(config,
                                 Vocabulary({"film", "good", "films"}, Vocabulary::Growth::kOpen),
                                 {}, folder_.path() / "pretrained", seed);
  }
  static at::Tensor logits(const Classifier& classifier, const CopyBatch& batch) {
    const at::NoGradGuard no_grad;
    return make_network(classifier, at::kCPU)->forward(batch, nullptr);
  }
  static at::Tensor logits(const Classifier& classifier, const std::vector<std::string>& texts) {
    return logits(classifier, Texts(classifier, texts).batch);
  }

  TemporaryFolder folder_;
  const std::vector<std::string> texts_ = {"A good film.", "", "bad, BAD films!",
                                           "the warm story of a dull film and a zebra", "\u0436"};
};

TEST_F(BertAnswers, AreTheSameOfAModelSavedAndLoaded) {
  const auto saved = fresh();
  saved->save(folder_.path() / "model");
  const auto loaded = Classifier::load(folder_.path() / "model");
  const Texts here(*saved, texts_), there(*loaded, texts_);
  EXPECT_EQ(there.batch.copies, here.batch.copies);
  EXPECT_EQ(there.own.list(), here.own.list());
  EXPECT_TRUE(logits(*loaded, there.batch).equal(logits(*saved, here.batch)));
  EXPECT_EQ(torch_backend().reference_engine(*loaded, "cpu")->classify(there.batch),
            torch_backend().reference_engine(*saved, "cpu")->classify(here.batch));

  // Words that neither has met.
  const std::vector<std::string> unseen = {"an unmet word", "xylophones, warmly"};
  EXPECT_TRUE(logits(*loaded, unseen).equal(logits(*saved, unseen)));
  EXPECT_FALSE(logits(*loaded, std::vector<std::string>{"an unmet word"})
                   .equal(logits(*loaded, std::vector<std::string>{"an unmet world"})));
}

TEST_F(BertAnswers, AreTheHighestScores) {
  ModelConfig config = TinyBert().config();
  config.classes = {"a", "b", "c"};
  const auto classifier = TinyBert().classifier(small_words(), config);
  const CopyBatch batch = random_copies(50, 10, 3);
  const at::Tensor expected = logits(*classifier, batch).argmax(1);
  const auto engine = torch_backend().reference_engine(*classifier, "cpu");
  const std::vector<int> answers = engine->classify(batch);
  for (size_t b = 0; b < answers.size(); ++b)
    EXPECT_EQ(answers[b], expected[static_cast<int64_t>(b)].item<int64_t>());
  EXPECT_TRUE(engine->classify({}).empty());
}

TEST_F(BertAnswers, ThreadsReadNewWordsAndClassifyAtOnce) {
  const auto classifier = fresh();
  const auto engine = torch_backend().reference_engine(*classifier, "cpu");
  std::vector<std::vector<int>> answers(8);
  parallel_for(answers.size(), 4, [&](size_t i) {
    std::vector<std::string> texts = texts_;
    texts.insert(texts.begin(), "word" + std::string(i + 1, 'x'));
    answers[i] = engine->classify(Texts(*classifier, texts).batch);
    answers[i].erase(answers[i].begin());
  });
  for (const auto& one : answers) EXPECT_EQ(one, answers[0]);
  EXPECT_EQ(classifier->vocabulary().size(), 6);
}

// Votes, scores and classes over texts with words of their own are those of a model whose
// vocabulary holds the words.
TEST_F(BertAnswers, OwnWordsAreReadAsThoseOfAVocabulary) {
  const std::vector<std::string> words = {"zebras", "film", "warmly", "good"};
  const auto holds = TinyBert().classifier(words), knows_few = TinyBert().classifier({"good"});
  const std::vector<WordId> held = holds->vocabulary().encode(words);
  OwnWords own;
  const std::vector<WordId> open = knows_few->vocabulary().encode(words, own);
  EXPECT_EQ(open, (std::vector<WordId>{4, 5, 6, 3}));
  const auto expected = torch_backend().reference_engine(*holds, "cpu"),
             found = torch_backend().reference_engine(*knows_few, "cpu");
  CopyBatch held_batch{{held, {held[2], held[0]}}}, open_batch{{open, {open[2], open[0]}}};
  open_batch.own.assign(2, own.list());
  EXPECT_EQ(found->scores(open_batch), expected->scores(held_batch));
  EXPECT_EQ(found->classify(open_batch), expected->classify(held_batch));
  const auto noise = make_noise("delete:p=0.5");
  EXPECT_EQ(found->votes(Text(open, own.list()), *noise, {1, 0, 0, 300}),
            expected->votes(held, *noise, {1, 0, 0, 300}));

  // Texts with other words under the same ids, together.
  const std::vector<std::string> other_own = {"dull", "films"};
  const std::vector<WordId> other = {4, 5, 3};
  const std::vector<TextSamples> texts = {{Text(open, own.list()), {1, 0, 0, 200}},
                                          {Text(other, other_own), {1, 1, 0, 200}}};
  const auto votes = found->votes(texts, *noise);
  for (size_t t = 0; t < 2; ++t)
    EXPECT_EQ(votes[t], found->votes(texts[t].text, *noise, texts[t].range));
  EXPECT_EQ(knows_few->vocabulary().size(), 4);
  EXPECT_FALSE(knows_few->vocabulary().holds("zebras"));
}

TEST_F(BertAnswers, StartingFromAnotherTakesItsAnswers) {
  const auto classifier = fresh(1), other = fresh(2);
  Weights shifted;
  for (const TensorSpec& spec : bert_tensors(other->config())) {
    if (!spec.is_trained) continue;
    shifted[spec.name] = other->weights().at(spec.name);
    for (float& x : shifted[spec.name].values) x += 0.25f;
  }
  other->assign(shifted);
  EXPECT_FALSE(logits(*classifier, texts_).equal(logits(*other, texts_)));
  classifier->start_from(*other);
  EXPECT_TRUE(logits(*classifier, texts_).equal(logits(*other, texts_)));
}

}  // namespace
}  // namespace textcrs
