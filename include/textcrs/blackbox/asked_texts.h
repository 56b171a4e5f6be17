// What a black box says of texts, asked as seldom as may be: equal texts once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/blackbox/black_box.h"

namespace TEXTCRS_API textcrs {

class KeptAnswers;  // src/blackbox/kept_answers.h

struct AskedCounts {
  uint64_t texts = 0;       // that classes_of() was asked about; each is one of the next three
  uint64_t remembered = 0;  // answered before, or beside an equal one
  uint64_t kept = 0;        // answered by an earlier run: the folder had them
  uint64_t asked = 0;       // put to the black box
  // How often a text was put to it again, in another batch, and how often the answer was another
  // one than the first.
  uint64_t repeated = 0, changed = 0;
};

struct AskedOptions {
  // Where answers are kept for later runs, by all that is known of the black box: a file of its
  // own for each. Empty: nowhere.
  std::filesystem::path folder = {};
  size_t memory = size_t{64} << 20;  // bytes for texts that are remembered, more or less
  // The first 16 texts are asked twice, and one of so many others; 0: none is.
  uint64_t repeat_one_of = 100;
  // Told now and then, by any thread but one at a time; may be empty.
  std::function<void(const AskedCounts&)> report = {};
};

// Thread-safe. If the black box always answers a text the same way, neither what is remembered nor
// the batches make a difference. If it does not, the first answer counts for as long as it is
// remembered, also where threads ask for a text at the same time.
class AskedTexts {
 public:
  // Throws as KeptAnswers does for a file that is damaged or in use by another process.
  AskedTexts(std::unique_ptr<BlackBox> box, const AskedOptions& options);
  ~AskedTexts();
  AskedTexts(const AskedTexts&) = delete;
  AskedTexts& operator=(const AskedTexts&) = delete;

  const BlackBox& box() const { return *box_; }
  // The class of each text; throws as BlackBox::ask() does. What was answered before an Error is
  // remembered, and kept.
  std::vector<int> classes_of(std::span<const std::string> texts, StopToken stop);
  AskedCounts counts() const;

 private:
  using Memory = std::unordered_map<std::string, int>;

  // -1: not known. With the lock held.
  int find(const std::string& text);
  void remember(const std::string& text, int answer);
  std::string key_of(const std::string& text) const;
  std::filesystem::path kept_file() const;
  int class_kept(const std::string& label) const;

  // The answers that are known, -1 for others, counted as of so many texts.
  std::vector<int> known(std::span<const std::string* const> different, size_t texts);
  // The answer that counts, now that this one was given. With the lock held.
  int settle(const std::string& text, int said);
  void ask(std::span<const std::string> texts, std::span<int> answers, StopToken stop);
  void repeat(std::span<const std::string> texts, std::span<const int> answers, StopToken stop);
  // Puts texts to it, several batches at a time; `take` is told what is said of those from `first`
  // on, with the lock held.
  using Take = std::function<void(size_t first, std::span<const int> said)>;
  void in_batches(std::span<const std::string> texts, const Take& take, StopToken stop);

  std::unique_ptr<BlackBox> box_;
  AskedOptions options_;
  std::string fingerprint_;
  mutable std::mutex mutex_;  // of what is below
  std::unique_ptr<KeptAnswers> kept_;
  Memory now_, before_;  // what is in neither is forgotten
  size_t bytes_ = 0;     // of now_
  AskedCounts counts_;
};

}  // namespace textcrs
