// What the readers of WordNet's files share: lines of fields with one space between two.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace textcrs {

// The fields of one line, from left to right. What is not as it is asked for is a bad_input Error
// that names file and line.
class WordnetLine {
 public:
  // `file` must outlive the line.
  WordnetLine(const std::string& file, size_t number, std::string_view line)
      : file_(file), number_(number), rest_(line) {}

  std::string_view rest() const { return rest_; }
  bool at_end() const { return rest_.find_first_not_of(' ') == std::string_view::npos; }
  void cut_rest(size_t length) { rest_ = rest_.substr(0, length); }

  std::string_view next(std::string_view what);
  // A number of exactly `width` digits.
  int digits(std::string_view what, size_t width, int base);
  // A decimal number of any width.
  int number(std::string_view what);

  [[noreturn]] void fail(const std::string& why) const;

 private:
  const std::string& file_;
  size_t number_;
  std::string_view rest_;
};

// Calls visit(line) for the lines of a file, without those of the licence, which start with two
// spaces.
void for_each_wordnet_line(const std::filesystem::path& path,
                           const std::function<void(WordnetLine&)>& visit);

// In ASCII.
std::string lower_case(std::string_view lemma);

}  // namespace textcrs
