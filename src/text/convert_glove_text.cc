#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "text/word_vectors_format.h"
#include "text/word_vectors_writer.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/text/word_vectors.h"

namespace textcrs {
namespace {

constexpr std::string_view kSeparators = " \t";

std::string_view without_trailing_space(std::string_view line) {
  const size_t last = line.find_last_not_of(" \t\r");
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

size_t count_fields(std::string_view line) {
  size_t fields = 0;
  for (size_t at = line.find_first_not_of(kSeparators); at != std::string_view::npos; ++fields)
    at = line.find_first_not_of(kSeparators, line.find_first_of(kSeparators, at));
  return fields;
}

template <typename T>
std::optional<T> parse(std::string_view field) {
  T value{};
  const char* end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

// Cuts the last field off `line` and returns it.
std::string_view take_last_field(std::string_view& line) {
  line = without_trailing_space(line);
  const size_t separator = line.find_last_of(kSeparators);
  const size_t begin = separator == std::string_view::npos ? 0 : separator + 1;
  const std::string_view field = line.substr(begin);
  line = line.substr(0, begin);
  return field;
}

struct Word2vecHeader {
  uint64_t count, dimension;
};

// The first line of a word2vec text file, told from a word with one number by the second line.
std::optional<Word2vecHeader> word2vec_header(std::string_view first, std::string_view second) {
  if (count_fields(first) != 2) return std::nullopt;
  const auto dimension = parse<uint64_t>(take_last_field(first));
  const auto count = parse<uint64_t>(take_last_field(first));
  if (!count || !dimension || count_fields(second) < *dimension + 1) return std::nullopt;
  return Word2vecHeader{*count, *dimension};
}

class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}
  bool done() const { return rest_.empty(); }
  uint64_t number() const { return number_; }  // of the line read last, from 1
  std::string_view peek() const { return rest_.substr(0, rest_.find('\n')); }
  std::string_view next() {
    const std::string_view line = peek();
    rest_.remove_prefix(std::min(line.size() + 1, rest_.size()));
    ++number_;
    return without_trailing_space(line);
  }

 private:
  std::string_view rest_;
  uint64_t number_ = 0;
};

class GloveText {
 public:
  explicit GloveText(const std::filesystem::path& source)
      : name_(source.string()), file_(source), lines_(file_.text()) {
    LineReader ahead = lines_;
    const std::string_view first = ahead.next();
    header_ = word2vec_header(first, ahead.peek());
    if (header_) lines_.next();
    dimension_ = header_ ? header_->dimension : std::max<size_t>(count_fields(first), 1) - 1;
    if (dimension_ < 1 || dimension_ > kMaxDimension)
      throw bad_input(fmt::format("{}:1: found {} fields, expected a word and 1 to {} numbers",
                                  name_, count_fields(first), kMaxDimension));
  }

  void write(std::ostream& out) {
    WordVectorsWriter writer(out, dimension_);
    std::vector<float> row(dimension_);
    uint64_t rows = 0;
    for (; !lines_.done(); ++rows) {
      const std::string_view word = parse_line(lines_.next(), row);
      writer.add(word, row);
    }
    if (header_ && header_->count != rows)
      throw bad_input(fmt::format("{}:{}: the file ends after {} words, expected {} (line 1)",
                                  name_, lines_.number(), rows, header_->count));
    writer.finish();
  }

 private:
  std::string_view parse_line(std::string_view line, std::vector<float>& row) const {
    const std::string_view whole = line;
    for (size_t i = dimension_; i-- > 0;) {
      const std::string_view field = take_last_field(line);
      if (line.empty()) fail_fields(whole);
      const auto value = parse<double>(field);
      if (!value || !std::isfinite(static_cast<float>(*value)))
        throw bad_input(fmt::format("{}:{}: number {} is '{}', expected a finite number", name_,
                                    lines_.number(), i + 1, field.substr(0, 40)));
      row[i] = static_cast<float>(*value);
    }
    const std::string_view word = line.substr(0, line.size() - 1);
    // A surplus number would otherwise pass as the end of a word with spaces.
    std::string_view rest = word;
    const std::string_view last = take_last_field(rest);
    const bool surplus = !rest.empty() && last.find('.') != std::string_view::npos &&
                         parse<double>(last).has_value();
    if (word.empty() || surplus) fail_fields(whole);
    return word;
  }

  [[noreturn]] void fail_fields(std::string_view line) const {
    throw bad_input(fmt::format("{}:{}: found {} fields, expected a word and {} numbers", name_,
                                lines_.number(), count_fields(line), dimension_));
  }

  std::string name_;
  MappedFile file_;
  LineReader lines_;
  std::optional<Word2vecHeader> header_;
  size_t dimension_ = 0;
};

}  // namespace

void convert_glove_text(const std::filesystem::path& source, const std::filesystem::path& cache) {
  GloveText text(source);
  write_file_atomically(cache, [&](std::ostream& out) { text.write(out); });
}

}  // namespace textcrs
