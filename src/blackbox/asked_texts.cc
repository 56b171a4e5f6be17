#include "textcrs/blackbox/asked_texts.h"

#include <algorithm>
#include <utility>

#include "blackbox/answers.h"
#include "blackbox/fingerprint_of.h"
#include "blackbox/kept_answers.h"
#include "textcrs/base/error.h"
#include "textcrs/base/hash.h"
#include "textcrs/base/parallel.h"

namespace textcrs {
namespace {

constexpr size_t kFirstRepeated = 16;
constexpr size_t kEntry = 100;  // bytes of a remembered text beside its own

}  // namespace

AskedTexts::AskedTexts(std::unique_ptr<BlackBox> box, const AskedOptions& options)
    : box_(std::move(box)), options_(options), fingerprint_(box_->fingerprint()) {
  if (!options.folder.empty()) kept_ = std::make_unique<KeptAnswers>(kept_file());
}

AskedTexts::~AskedTexts() = default;

AskedCounts AskedTexts::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::string AskedTexts::key_of(const std::string& text) const {
  return digest_of({fingerprint_, text});
}

int AskedTexts::find(const std::string& text) {
  if (const auto found = now_.find(text); found != now_.end()) return found->second;
  const auto found = before_.find(text);
  if (found == before_.end()) return -1;
  const int answer = found->second;
  remember(text, answer);
  return answer;
}

void AskedTexts::remember(const std::string& text, int answer) {
  if (bytes_ > options_.memory / 2) {
    before_ = std::exchange(now_, {});
    bytes_ = 0;
  }
  if (now_.emplace(text, answer).second) bytes_ += text.size() + kEntry;
}

std::vector<int> AskedTexts::classes_of(std::span<const std::string> texts, StopToken stop) {
  std::vector<size_t> place_of;  // in `different`
  std::vector<const std::string*> different;
  std::unordered_map<std::string_view, size_t> places;
  for (const std::string& text : texts) {
    const auto [place, is_new] = places.try_emplace(text, different.size());
    if (is_new) different.push_back(&text);
    place_of.push_back(place->second);
  }
  std::vector<int> answers = known(different, texts.size());
  std::vector<std::string> unknown;
  for (size_t i = 0; i < different.size(); ++i)
    if (answers[i] < 0) unknown.push_back(*different[i]);
  std::vector<int> said(unknown.size());
  ask(unknown, said, stop);
  auto next = said.begin();
  for (int& answer : answers)
    if (answer < 0) answer = *next++;
  std::vector<int> classes;
  for (const size_t place : place_of) classes.push_back(answers[place]);
  return classes;
}

int AskedTexts::class_kept(const std::string& label) const {
  try {
    return class_named(label, box_->classes());
  } catch (const Error& error) {
    throw bad_input(kept_file().string() + ": " + error.what());
  }
}

std::filesystem::path AskedTexts::kept_file() const {
  return options_.folder / (fingerprint_ + ".jsonl");
}

std::vector<int> AskedTexts::known(std::span<const std::string* const> different, size_t texts) {
  std::vector<int> answers;
  const std::lock_guard lock(mutex_);
  counts_.texts += texts;
  counts_.remembered += texts - different.size();
  for (const std::string* text : different) {
    int answer = find(*text);
    counts_.remembered += answer >= 0;
    if (answer < 0 && kept_ != nullptr)
      if (const std::string* label = kept_->find(key_of(*text))) {
        answer = class_kept(*label);
        remember(*text, answer);
        ++counts_.kept;
      }
    answers.push_back(answer);
  }
  return answers;
}

int AskedTexts::settle(const std::string& text, int said) {
  int answer = find(text);
  if (answer >= 0) {  // another thread has asked, too
    ++counts_.repeated;
    counts_.changed += said != answer;
    return answer;
  }
  answer = said;
  if (kept_ != nullptr)
    answer = class_kept(kept_->add(key_of(text), box_->classes()[static_cast<size_t>(said)]));
  remember(text, answer);
  return answer;
}

void AskedTexts::in_batches(std::span<const std::string> texts, const Take& take, StopToken stop) {
  const size_t batch = box_->batch();
  const size_t batches = (texts.size() + batch - 1) / batch;
  parallel_for(batches, std::min<int>(box_->at_once(), static_cast<int>(batches)), [&](size_t b) {
    const auto part = texts.subspan(b * batch, std::min(batch, texts.size() - b * batch));
    const std::vector<int> said = box_->ask(part, stop);
    const std::lock_guard lock(mutex_);
    take(b * batch, said);
  });
}

void AskedTexts::ask(std::span<const std::string> texts, std::span<int> answers, StopToken stop) {
  const auto take = [&](size_t first, std::span<const int> said) {
    counts_.asked += said.size();
    for (size_t i = 0; i < said.size(); ++i) answers[first + i] = settle(texts[first + i], said[i]);
    if (options_.report) options_.report(counts_);
  };
  in_batches(texts, take, stop);
  repeat(texts, answers, stop);
}

void AskedTexts::repeat(std::span<const std::string> texts, std::span<const int> answers,
                        StopToken stop) {
  if (options_.repeat_one_of == 0) return;
  std::vector<std::string> again;
  std::vector<int> expected;
  const uint64_t repeated = counts().repeated;
  for (size_t i = texts.size(); i-- > 0;)  // beside other texts than the first time
    if (repeated + again.size() < kFirstRepeated || fnv1a(texts[i]) % options_.repeat_one_of == 0) {
      again.push_back(texts[i]);
      expected.push_back(answers[i]);
    }
  const auto take = [&](size_t first, std::span<const int> said) {
    counts_.repeated += said.size();
    for (size_t i = 0; i < said.size(); ++i) counts_.changed += said[i] != expected[first + i];
  };
  in_batches(again, take, stop);
}

}  // namespace textcrs
