#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "text/word_vectors_format.h"
#include "text/word_vectors_writer.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/text/printable_name.h"
#include "textcrs/text/word_vectors.h"

namespace textcrs {
namespace {

namespace ondemand = simdjson::ondemand;

struct Table {
  size_t dimension = 0;
  std::string letters;        // of all words, one after the other
  std::vector<size_t> ends;   // of each word, in `letters`
  std::vector<float> matrix;  // (words, dimension)

  size_t size() const { return ends.size(); }
  std::string_view word(size_t at) const {
    const size_t begin = at == 0 ? 0 : ends[at - 1];
    return std::string_view(letters).substr(begin, ends[at] - begin);
  }
};

class WinkReader {
 public:
  WinkReader(const std::string& name, size_t bytes) : name_(name), bytes_(bytes) {}

  Table read(ondemand::object root) {
    // Asked for in the order of the file: going back would scan all of it.
    const uint64_t norm_index = root["l2NormIndex"].get_uint64();
    const uint64_t word_index = root["wordIndex"].get_uint64();
    const uint64_t size = root["size"].get_uint64();
    const uint64_t dimension = root["dimensions"].get_uint64();
    expect("size", size >= 1 && size <= kMaxWords, size, "1 to 2^31 - 1");
    expect("dimensions", dimension >= 1 && dimension <= kMaxDimension, dimension, "1 to 65536");
    expect("l2NormIndex", norm_index == dimension, norm_index, std::to_string(dimension));
    expect("wordIndex", word_index == dimension + 1, word_index, std::to_string(dimension + 1));
    // A number is a digit and a comma, a word has quotes: more would not be in the file.
    expect("size", size <= bytes_ / (2 * (dimension + 2)), size,
           fmt::format("fewer: {} bytes do not hold so many vectors of {} numbers", bytes_,
                       dimension));
    table_.dimension = dimension;
    table_.ends.reserve(size);
    for (auto word : root["words"].get_array()) {
      expect("words", table_.size() < size, size + 1, fmt::format("{} words", size));
      table_.letters += word.get_string().value();
      table_.ends.push_back(table_.letters.size());
    }
    expect("words", table_.size() == size, table_.size(), fmt::format("{} words", size));
    read_vectors(root["vectors"].get_object());
    // Walks over the rest: a file cut off there would otherwise go unnoticed.
    const auto rest = root.find_field("no such field").error();
    if (rest != simdjson::NO_SUCH_FIELD) throw simdjson::simdjson_error(rest);
    return std::move(table_);
  }

 private:
  void read_vectors(ondemand::object vectors) {
    const size_t size = table_.size();
    table_.matrix.resize(size * table_.dimension);
    std::vector<bool> seen(size);
    std::vector<double> row;
    size_t count = 0;
    for (auto field : vectors) {
      const std::string_view word = field.unescaped_key().value();
      row.clear();
      for (auto value : field.value().get_array()) {
        if (row.size() == table_.dimension + 2)
          fail(word, fmt::format("found more than {} numbers, expected so many", row.size()));
        row.push_back(value.get_double().value());
      }
      if (row.size() != table_.dimension + 2)
        fail(word, fmt::format("found {} numbers, expected {}", row.size(), table_.dimension + 2));
      const double index = row.back();
      if (!(index >= 0 && index < static_cast<double>(size)) || index != std::floor(index))
        fail(word, fmt::format("found the index {}, expected 0 to {}", index, size - 1));
      const auto at = static_cast<size_t>(index);
      if (seen[at]) fail(word, fmt::format("the index {} was used before", at));
      if (table_.word(at) != word)
        fail(word, fmt::format("has the index {}, where \"words\" holds '{}'", at,
                               printable_name(table_.word(at))));
      seen[at] = true;
      store(word, at, row);
      ++count;
    }
    expect("vectors", count == size, count, fmt::format("{} vectors", size));
  }

  void store(std::string_view word, size_t at, const std::vector<double>& row) {
    float* out = table_.matrix.data() + at * table_.dimension;
    for (size_t i = 0; i < table_.dimension; ++i) {
      out[i] = static_cast<float>(row[i]);
      if (!std::isfinite(out[i]))
        fail(word, fmt::format("number {} is {}, expected a finite float", i + 1, row[i]));
    }
  }

  void expect(std::string_view key, bool holds, uint64_t found, std::string_view expected) const {
    if (!holds)
      throw bad_input(
          fmt::format("{}: \"{}\": found {}, expected {}", name_, key, found, expected));
  }

  [[noreturn]] void fail(std::string_view word, const std::string& why) const {
    throw bad_input(fmt::format("{}: vector of '{}': {}", name_, printable_name(word), why));
  }

  std::string name_;
  size_t bytes_;  // of the file
  Table table_;
};

Table read_wink(const std::filesystem::path& source) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(source, ignored))
    throw bad_input(fmt::format("{}: cannot be read (no such file)", source.string()));
  simdjson::padded_string json;
  ondemand::parser parser;
  ondemand::document document;
  try {
    json = simdjson::padded_string::load(source.string());
    document = parser.iterate(json);
    Table table = WinkReader(source.string(), json.size()).read(document.get_object());
    if (document.current_location().error() != simdjson::OUT_OF_BOUNDS)
      throw simdjson::simdjson_error(simdjson::TRAILING_CONTENT);
    return table;
  } catch (const simdjson::simdjson_error& error) {
    const char* place = nullptr;
    std::string where;
    if (document.is_alive() && document.current_location().get(place) == simdjson::SUCCESS)
      where = fmt::format("byte {}: ", place - json.data());
    throw bad_input(fmt::format("{}: {}not the JSON of a wink-embeddings package ({})",
                                source.string(), where, error.what()));
  }
}

}  // namespace

void convert_wink_json(const std::filesystem::path& source, const std::filesystem::path& cache) {
  const Table table = read_wink(source);
  write_file_atomically(cache, [&](std::ostream& out) {
    WordVectorsWriter writer(out, table.dimension);
    const std::span<const float> matrix(table.matrix);
    for (size_t row = 0; row < table.size(); ++row)
      if (!writer.add(table.word(row), matrix.subspan(row * table.dimension, table.dimension)))
        throw bad_input(fmt::format("{}: the word '{}' appears twice", source.string(),
                                    printable_name(table.word(row))));
    writer.finish();
  });
}

}  // namespace textcrs
