// A teacher's scores are those of its engine on its own reading of the texts.
#include "textcrs/train/teacher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/draw_copies.h"
#include "model/expect_error.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/engine/engine.h"
#include "textcrs/train/prepare.h"
#include "train/tiny_task.h"

namespace textcrs {
namespace {

using testing::HasSubstr;

class Teacher : public testing::Test {
 protected:
  Teacher() {
    data_.name = "three";
    data_.classes = {"no", "yes", "maybe"};
    for (uint32_t i = 0; i < 40; ++i) {
      Stream stream(31, i, 0);
      std::string text;
      for (uint32_t rest = stream.below(20); rest > 0; --rest)
        text += "w" + std::to_string(stream.below(25)) + " ";  // w20 and on are unknown
      data_.examples.push_back({100 + i, text, static_cast<int>(stream.below(3))});
    }
    texts_.resize(data_.examples.size());
    for (size_t i = 0; i < texts_.size(); ++i)
      texts_[i] = {data_.examples[i].id, {}, data_.examples[i].label};
  }
  std::unique_ptr<Classifier> teacher(const std::string& architecture = "bilstm") const {
    return small_classifier(folder_.path(), small_config(architecture));
  }
  std::string refusal(const Classifier& classifier) {
    return expect_error(ErrorKind::kUsage, [&] { ask_teacher(classifier, data_, texts_); });
  }
  // A text alone, read by the classifier.
  static std::vector<double> scores_of(const Classifier& classifier, const std::string& text) {
    OwnWords own;
    CopyBatch batch;
    batch.copies.push_back(classifier.vocabulary().encode(classifier.words(text), own));
    if (!own.list().empty()) batch.own.push_back(own.list());
    return make_cpu_engine(classifier, {.threads = 1, .precision = classifier.config().precision})
        ->scores(batch);
  }

  TemporaryFolder folder_;
  Dataset data_;
  std::vector<EncodedText> texts_;
};

TEST_F(Teacher, ScoresAreThoseOfItsEngineOnItsOwnReading) {
  for (const char* architecture : {"bilstm", "cnn"}) {
    const auto classifier = teacher(architecture);
    const double accuracy = ask_teacher(*classifier, data_, texts_, 2);
    size_t right = 0;
    for (size_t i = 0; i < texts_.size(); ++i) {
      const std::vector<double> expected = scores_of(*classifier, data_.examples[i].text);
      EXPECT_EQ(texts_[i].teacher, std::vector<float>(expected.begin(), expected.end())) << i;
      right += highest(expected, 3)[0] == texts_[i].label;
    }
    EXPECT_EQ(accuracy, static_cast<double>(right) / 40);
  }
}

TEST_F(Teacher, MayBeABert) {
  ModelConfig config = TinyBert().config();
  config.classes = data_.classes;
  const auto bert = tiny_classifier(TinyBert(), config, folder_.path());
  for (Example& example : data_.examples) example.text = "good films, " + example.text;
  ask_teacher(*bert, data_, texts_, 1);
  for (size_t i = 0; i < 5; ++i) {
    const std::vector<double> expected = scores_of(*bert, data_.examples[i].text);
    EXPECT_EQ(texts_[i].teacher, std::vector<float>(expected.begin(), expected.end())) << i;
  }
}

TEST_F(Teacher, ClassesAreMatchedByName) {
  const auto classifier = teacher();
  ask_teacher(*classifier, data_, texts_);
  const std::vector<EncodedText> before = texts_;
  data_.classes = {"maybe", "no", "yes"};
  ask_teacher(*classifier, data_, texts_);
  for (size_t i = 0; i < texts_.size(); ++i) {
    const std::vector<float>& was = before[i].teacher;
    EXPECT_EQ(texts_[i].teacher, (std::vector<float>{was[2], was[0], was[1]}));
  }
}

TEST_F(Teacher, IsRefusedWhereItCanNotTeach) {
  const auto classifier = teacher();
  data_.classes = {"no", "yes", "perhaps"};
  EXPECT_THAT(refusal(*classifier), HasSubstr("no, yes, perhaps"));
  data_.classes = {"no", "yes"};
  EXPECT_THAT(refusal(*classifier), HasSubstr("maybe"));
  data_.classes = {"no", "yes", "maybe"};
  EXPECT_THAT(refusal(*teacher("votes")), HasSubstr("votes"));
  EXPECT_THAT(refusal(*teacher("linear")), HasSubstr("linear"));
  ModelConfig sentences = small_config("cnn");
  sentences.units = Units::kSentences;
  EXPECT_THAT(refusal(*small_classifier(folder_.path(), sentences)), HasSubstr("sentences"));
}

TEST_F(Teacher, CanBeInterrupted) {
  const std::atomic<bool> stop = true;
  expect_error(ErrorKind::kInterrupted,
               [&] { ask_teacher(*teacher(), data_, texts_, 1, StopToken(stop)); });
}

}  // namespace
}  // namespace textcrs
