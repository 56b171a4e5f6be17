#include "textcrs/text/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <stdexcept>
#include <unordered_map>

#include "base/growing_array.h"
#include "text/utf8.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

constexpr std::array<std::string_view, 3> kSpecial = {"<pad>", "<unk>", "<mask>"};

struct Hash {
  using is_transparent = void;
  size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
};

}  // namespace

class Vocabulary::Words {
 public:
  explicit Words(Growth growth) : growth_(growth) {}

  int size() const { return size_.load(std::memory_order_acquire); }
  const std::string& word(WordId id) const {
    if (id < 0 || id >= size())
      throw std::out_of_range(fmt::format("Vocabulary: no word has the id {}", id));
    return words_[static_cast<size_t>(id)];
  }
  std::optional<WordId> find(std::string_view word) const {
    const std::shared_lock lock(mutex_);
    const auto found = ids_.find(word);
    return found == ids_.end() ? std::nullopt : std::optional(found->second);
  }
  WordId find_or_add(std::string_view word) {
    if (const auto id = find(word)) return *id;
    return growth_ == Growth::kOpen ? add(word).first : kUnk;
  }
  // The id, and whether the word is new. A bad_input Error for a word that is no line of a file.
  std::pair<WordId, bool> add(std::string_view word) {
    const std::scoped_lock lock(mutex_);
    if (word.empty() || word.find_first_of("\r\n") != word.npos)
      throw bad_input(fmt::format("vocabulary: found {} as word {}, expected a word in one line",
                                  in_quotes(word), size()));
    if (const auto held = ids_.find(word); held != ids_.end()) return {held->second, false};
    const auto next = static_cast<WordId>(size());
    words_[static_cast<size_t>(next)] = word;
    ids_.emplace(word, next);
    size_.store(next + 1, std::memory_order_release);
    return {next, true};
  }

 private:
  Growth growth_;
  mutable std::shared_mutex mutex_;
  GrowingArray<std::string> words_;
  std::atomic<int> size_ = 0;
  std::unordered_map<std::string, WordId, Hash, std::equal_to<>> ids_;
};

Vocabulary::Vocabulary(const std::vector<std::string>& words, Growth growth)
    : words_(std::make_shared<Words>(growth)) {
  const auto add = [this](std::string_view word) {
    const auto [id, is_new] = words_->add(word);
    if (!is_new)
      throw bad_input(
          fmt::format("vocabulary: found {} as word {} and as word {}, expected "
                      "different words",
                      in_quotes(word), id, words_->size()));
  };
  for (const std::string_view word : kSpecial) add(word);
  for (const std::string& word : words) add(word);
}

WordId Vocabulary::id(std::string_view word) const { return words_->find(word).value_or(kUnk); }

bool Vocabulary::holds(std::string_view word) const { return words_->find(word).has_value(); }

const std::string& Vocabulary::word(WordId id) const { return words_->word(id); }

int Vocabulary::size() const { return words_->size(); }

std::vector<WordId> Vocabulary::encode(const std::vector<std::string>& words) const {
  std::vector<WordId> ids;
  ids.reserve(words.size());
  for (const std::string& word : words) ids.push_back(words_->find_or_add(word));
  return ids;
}

void Vocabulary::save(const std::filesystem::path& path) const {
  std::string content;
  for (WordId id = 0; id < size(); ++id) content.append(word(id)).append("\n");
  write_file_atomically(path, content);
}

Vocabulary Vocabulary::load(const std::filesystem::path& path, Growth growth) {
  const std::string content = read_file(path);
  if (const auto at = find_invalid_utf8(content))
    throw bad_input(fmt::format("{}: found the byte 0x{:02x} at offset {}, expected UTF-8",
                                path.string(), static_cast<unsigned char>(content[*at]), *at));
  std::vector<std::string> words;
  size_t line = 0;
  for (size_t at = 0; at < content.size() || line < kSpecial.size(); ++line) {
    const size_t end = std::min(content.find('\n', at), content.size());
    const std::string_view word =
        at < content.size() ? std::string_view(content).substr(at, end - at) : "";
    if (line < kSpecial.size() && word != kSpecial[line])
      throw bad_input(fmt::format("{}:{}: found {}, expected {}", path.string(), line + 1,
                                  in_quotes(word), kSpecial[line]));
    if (line >= kSpecial.size()) words.emplace_back(word);
    at = end + 1;
  }
  try {
    return Vocabulary(words, growth);
  } catch (const Error& error) {
    throw bad_input(fmt::format("{}: {}", path.string(), error.what()));
  }
}

}  // namespace textcrs
