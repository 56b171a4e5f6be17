// Runs that certify several texts at once write what one text at a time writes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <regex>
#include <thread>

#include "report/fake_classifier.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/base/stream.h"
#include "textcrs/report/certification_run.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

constexpr int kAtOnce = 8;
constexpr uint32_t kTexts = 300;

Dataset some_texts() {
  Dataset dataset{"films", {"neg", "pos"}, {}};
  for (uint32_t i = 0; i < kTexts; ++i) {
    Stream stream(3, i, 0);
    std::string text = stream.below(2) == 0 ? "good" : "bad";
    for (uint32_t words = stream.below(20); words > 0; --words) text += " film";
    dataset.examples.push_back({100 + i, text, static_cast<int>(stream.below(2))});
  }
  return dataset;
}

// Texts end in another order than they begin.
void take_a_while(uint32_t example) {
  Stream stream(4, example, 0);
  std::this_thread::sleep_for(std::chrono::microseconds(stream.below(1000)));
}

// The bytes of the records, but for the times they took.
std::string bytes(const fs::path& folder) {
  static const std::regex seconds("\"(wall_)?seconds\":[^,]*,");
  return std::regex_replace(read_file(folder / "results.jsonl"), seconds, "");
}

size_t lines(const std::string& content) {
  return static_cast<size_t>(std::count(content.begin(), content.end(), '\n'));
}

class TextsAtOnce : public testing::Test {
 protected:
  TextsAtOnce() {
    const FakeClassifier one;
    run(one, "one");
    expected_ = bytes(work_.path() / "one");
    many_.set_texts_at_once(kAtOnce);
    many_.before_each(take_a_while);
  }

  Summary run(const FakeClassifier& classifier, const std::string& name,
              const RunReporter& report = {}) const {
    RunOptions options;
    options.folder = work_.path() / name;
    return run_certification(classifier, texts_, options, report, classifier.stop());
  }
  std::string written(const std::string& name) const { return bytes(work_.path() / name); }

  const Dataset texts_ = some_texts();
  std::string expected_;
  FakeClassifier many_;

 private:
  TemporaryFolder work_;
};

TEST_F(TextsAtOnce, TheRecordsAreThoseOfOneAtATimeInTheirOrder) {
  ASSERT_EQ(lines(expected_), kTexts);
  std::vector<size_t> done;
  const auto caller = std::this_thread::get_id();
  const Summary summary = run(many_, "many", [&](const RunProgress& progress) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    done.push_back(progress.done);
    EXPECT_EQ(lines(written("many")), progress.done);
  });
  EXPECT_EQ(written("many"), expected_);
  EXPECT_EQ(summary.texts, kTexts);
  ASSERT_EQ(done.size(), kTexts + 1);
  for (size_t i = 0; i < done.size(); ++i) EXPECT_EQ(done[i], i);
}

TEST_F(TextsAtOnce, SoManyAreInWork) {
  std::atomic<int> begun{0}, in_work{0}, most{0};
  many_.before_each([&](uint32_t example) {
    const int now = ++in_work;
    for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
    }
    ++begun;
    begun.notify_all();
    for (int so_far = begun; so_far < kAtOnce; so_far = begun) begun.wait(so_far);
    take_a_while(example);
    --in_work;
  });
  run(many_, "busy");
  EXPECT_EQ(most, kAtOnce);
  EXPECT_EQ(written("busy"), expected_);
}

TEST_F(TextsAtOnce, AnInterruptionKeepsABeginningAndTheSameCallGoesOn) {
  const auto expect_stopped = [&](const RunReporter& report) {
    try {
      run(many_, "stopped", report);
      ADD_FAILURE() << "not interrupted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
      EXPECT_THAT(error.what(),
                  HasSubstr(fmt::format("after {} of {}", lines(written("stopped")), kTexts)));
    }
    EXPECT_THAT(expected_, StartsWith(written("stopped")));
  };
  for (const int texts : {0, 1, 20, 30}) {  // in the middle of some
    many_.stop_after(texts);
    expect_stopped({});
  }
  many_.stop_after(-1);
  const size_t before = lines(written("stopped"));
  expect_stopped([&](const RunProgress& progress) {
    if (progress.done == before + 40) many_.stop_after(0);
  });
  EXPECT_GE(lines(written("stopped")), before + 40);
  many_.stop_after(-1);
  run(many_, "stopped");
  EXPECT_EQ(written("stopped"), expected_);
}

TEST_F(TextsAtOnce, AnErrorComesBehindTheRecordsBeforeIt) {
  std::atomic<bool> later_failed{false};
  many_.before_each([&](uint32_t example) {
    take_a_while(example);
    if (example == 145) {
      later_failed = true;
      later_failed.notify_all();
      throw failed("a later one, which comes first");
    }
    if (example == 143) {
      later_failed.wait(false);
      throw failed("out of memory");
    }
  });
  try {
    run(many_, "failed");
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "out of memory");
  }
  EXPECT_THAT(expected_, StartsWith(written("failed")));
  EXPECT_EQ(lines(written("failed")), 43u);
  many_.before_each(take_a_while);
  run(many_, "failed");
  EXPECT_EQ(written("failed"), expected_);
}

TEST_F(TextsAtOnce, OfTextsWithTheSameIdTheFirstIsCertified) {
  Dataset texts = texts_;
  texts.examples[1] = texts.examples[0];
  TemporaryFolder work;
  RunOptions options;
  options.folder = work.path() / "twice";
  const Summary summary = run_certification(many_, texts, options, {});
  EXPECT_EQ(summary.texts, kTexts - 1);
}

}  // namespace
}  // namespace textcrs
