#include "engine/gather_votes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>

namespace textcrs {
namespace {

using testing::ElementsAre;
using Votes = VoteGatherer::Votes;

TextSamples samples_of(uint32_t example, uint32_t begin, uint32_t end) {
  return {Text(), {.seed = 1, .example = example, .begin = begin, .end = end}};
}

// A function of the samples alone.
std::vector<int64_t> votes_of(const TextSamples& text) {
  std::vector<int64_t> votes(3);
  for (uint32_t s = text.range.begin; s < text.range.end; ++s)
    ++votes[(text.range.example * 7 + s * s) % 3];
  return votes;
}

Votes votes_of(std::span<const TextSamples> texts) {
  Votes votes;
  for (const TextSamples& text : texts) votes.push_back(votes_of(text));
  return votes;
}

// A model that counts, writes down its batches and can be held up in its first one.
class FakeModel {
 public:
  struct Batch {
    std::vector<uint32_t> examples;
    uint64_t copies = 0;
    const Noise* noise = nullptr;
  };

  VoteGatherer::Run run() {
    return [this](std::span<const TextSamples> texts, const Noise& noise) {
      EXPECT_FALSE(running_.exchange(true)) << "two batches at once";
      Batch batch{{}, 0, &noise};
      for (const TextSamples& text : texts) {
        batch.examples.push_back(text.range.example);
        batch.copies += text.range.end - text.range.begin;
      }
      batches_.push_back(batch);
      held_.wait(true);
      running_ = false;
      for (const TextSamples& text : texts)
        if (text.range.example == bad_example) throw std::bad_alloc();
      return votes_of(texts);
    };
  }
  void hold() { held_ = true; }
  void go_on() {
    held_ = false;
    held_.notify_all();
  }
  bool is_running() const { return running_; }
  const std::vector<Batch>& batches() const { return batches_; }

  std::optional<uint32_t> bad_example;

 private:
  std::atomic<bool> running_{false}, held_{false};
  std::vector<Batch> batches_;
};

class GatherVotes : public testing::Test {
 protected:
  // A thread that asks for the samples [0, copies) of a text.
  void ask(uint32_t example, uint32_t copies, const Noise& noise) {
    threads_.emplace_back([this, example, copies, &noise] {
      const TextSamples text = samples_of(example, 0, copies);
      try {
        EXPECT_EQ(gatherer_.votes(std::span(&text, 1), noise), Votes{votes_of(text)});
      } catch (const std::bad_alloc&) {
        EXPECT_EQ(example, model_.bad_example);
        ++failed_;
      }
    });
  }
  // The same, and waits until it is in the queue behind the batch that is held up.
  void ask_behind(uint32_t example, uint32_t copies, const Noise& noise) {
    const size_t before = gatherer_.waiting();
    ask(example, copies, noise);
    while (gatherer_.waiting() == before) std::this_thread::yield();
  }
  // A first batch that does not end before finish().
  void hold_first_batch() {
    model_.hold();
    ask(100, 5, *noise_);
    while (!model_.is_running()) std::this_thread::yield();
  }
  void finish() {
    model_.go_on();
    threads_.clear();
    EXPECT_EQ(gatherer_.waiting(), 0u);
  }
  std::vector<std::vector<uint32_t>> examples() const {
    std::vector<std::vector<uint32_t>> list;
    for (const auto& batch : model_.batches()) list.push_back(batch.examples);
    return list;
  }

  FakeModel model_;
  VoteGatherer gatherer_{model_.run(), 1000};
  std::unique_ptr<Noise> noise_ = make_noise("delete:p=0.5"), other_ = make_noise("delete:p=0.5");
  std::atomic<int> failed_{0};

 private:
  std::vector<std::jthread> threads_;
};

TEST_F(GatherVotes, OneThreadGetsItsVotes) {
  const std::vector<TextSamples> texts = {samples_of(3, 0, 50), samples_of(4, 10, 20)};
  EXPECT_EQ(gatherer_.votes(texts, *noise_), votes_of(texts));
  EXPECT_EQ(gatherer_.votes({}, *noise_), Votes());
  EXPECT_THAT(examples(), ElementsAre(ElementsAre(3, 4)));
}

TEST_F(GatherVotes, WhatIsAskedDuringABatchIsTheNextBatch) {
  hold_first_batch();
  for (uint32_t example = 0; example < 20; ++example) ask_behind(example, 30, *noise_);
  finish();
  std::vector<uint32_t> all(20);
  for (uint32_t example = 0; example < 20; ++example) all[example] = example;
  EXPECT_THAT(examples(), ElementsAre(ElementsAre(100), all));
}

TEST_F(GatherVotes, ABatchHasAtMostSoManyCopies) {
  hold_first_batch();
  ask_behind(0, 600, *noise_);
  ask_behind(1, 500, *noise_);
  ask_behind(2, 400, *noise_);   // fits beside 0
  ask_behind(3, 5000, *noise_);  // too large for any company
  ask_behind(4, 500, *noise_);
  ask_behind(5, 1, *noise_);
  finish();
  EXPECT_THAT(examples(), ElementsAre(ElementsAre(100), ElementsAre(0, 2), ElementsAre(1, 4),
                                      ElementsAre(3), ElementsAre(5)));
}

TEST_F(GatherVotes, ABatchHasOneNoise) {
  hold_first_batch();
  ask_behind(0, 10, *noise_);
  ask_behind(1, 10, *other_);
  ask_behind(2, 10, *noise_);
  ask_behind(3, 10, *other_);
  finish();
  EXPECT_THAT(examples(), ElementsAre(ElementsAre(100), ElementsAre(0, 2), ElementsAre(1, 3)));
  EXPECT_EQ(model_.batches()[1].noise, noise_.get());
  EXPECT_EQ(model_.batches()[2].noise, other_.get());
}

TEST_F(GatherVotes, ARequestThatFailsFailsAlone) {
  model_.bad_example = 1;
  hold_first_batch();
  for (uint32_t example = 0; example < 3; ++example) ask_behind(example, 10, *noise_);
  finish();
  EXPECT_EQ(failed_, 1);
  EXPECT_THAT(examples(), ElementsAre(ElementsAre(100), ElementsAre(0, 1, 2), ElementsAre(0),
                                      ElementsAre(1), ElementsAre(2)));
  const TextSamples text = samples_of(2, 0, 10);  // and it goes on
  EXPECT_EQ(gatherer_.votes(std::span(&text, 1), *noise_), Votes{votes_of(text)});
}

TEST_F(GatherVotes, AFirstRequestThatFailsLeavesTheQueueToTheNext) {
  model_.bad_example = 100;
  hold_first_batch();
  for (uint32_t example = 0; example < 3; ++example) ask_behind(example, 10, *noise_);
  finish();
  EXPECT_EQ(failed_, 1);
  EXPECT_THAT(examples(), ElementsAre(ElementsAre(100), ElementsAre(0, 1, 2)));
}

TEST_F(GatherVotes, VotesOfAnotherNumberOfTextsAreABug) {
  const VoteGatherer gatherer([](auto, const Noise&) { return Votes(2); }, 1000);
  const TextSamples text = samples_of(0, 0, 10);
  EXPECT_THROW(gatherer.votes(std::span(&text, 1), *noise_), std::logic_error);
}

TEST_F(GatherVotes, ManyThreadsGetTheirOwnVotes) {
  constexpr uint32_t kThreads = 32, kSteps = 200;
  model_.bad_example = 7;
  std::atomic<uint32_t> failed{0};
  {
    std::vector<std::jthread> threads;
    for (uint32_t t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (uint32_t step = 0; step < kSteps; ++step) {
          const std::vector<TextSamples> texts(1 + t % 3,
                                               samples_of(t, step * 10, step * 10 + t + 1));
          try {
            EXPECT_EQ(gatherer_.votes(texts, t % 2 ? *noise_ : *other_), votes_of(texts));
          } catch (const std::bad_alloc&) {
            EXPECT_EQ(t, model_.bad_example);
            ++failed;
          }
        }
      });
  }
  EXPECT_EQ(failed, kSteps);
  for (const auto& batch : model_.batches()) EXPECT_LE(batch.copies, 1000u);
}

}  // namespace
}  // namespace textcrs
