#include "workspace.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "textcrs/base/stream.h"

namespace textcrs::cli_test {
namespace {

const std::vector<std::string> kPositive = {"good", "great", "fine", "warm", "bright"};
const std::vector<std::string> kNegative = {"bad", "poor", "dull", "cold", "weak"};
const std::vector<std::string> kNeutral = {
    "film", "story", "plot", "scene", "actor", "music", "the", "town", "of",    "and",
    "is",   "was",   "with", "it",    "this",  "one",   "two", "very", "quite", "city"};

const std::string& pick(const std::vector<std::string>& words, Stream& stream) {
  return words[stream.below(static_cast<uint32_t>(words.size()))];
}

std::string vectors_text() {
  Stream stream(1, 0, 0);
  std::string text;
  for (const auto& [words, first] : {std::pair{kPositive, 1.0}, {kNegative, -1.0}, {kNeutral, 0.0}})
    for (const std::string& word : words) {
      text += word;
      for (int d = 0; d < 8; ++d)
        text += fmt::format(" {:.4f}", (d == 0 ? first : 0) + 0.5 * (stream.uniform() - 0.5));
      text += "\n";
    }
  return text;
}

std::string labelled_texts() {
  std::string csv = "text,label\n";
  for (uint32_t i = 0; i < 200; ++i) {
    Stream stream(2, i, 0);
    const bool positive = i % 2 == 1;
    const uint32_t length = 4 + stream.below(9);
    for (uint32_t w = 0; w < length; ++w)
      csv += (w > 0 ? " " : "") + pick(w % 3 != 0 ? kNeutral
                                       : positive ? kPositive
                                                  : kNegative,
                                       stream);
    csv += positive ? ",pos\n" : ",neg\n";
  }
  return csv;
}

}  // namespace

Workspace::Workspace() {
  std::string pattern = (std::filesystem::temp_directory_path() / "textcrs-cli-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = pattern;
  write("vectors.txt", vectors_text());
  write("texts.csv", labelled_texts());
  write("synonyms.json", R"({"good": ["great", "fine"], "bad": ["poor"], "film": ["story"]})");
}

Workspace::~Workspace() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Workspace::write(const std::string& name, const std::string& content) const {
  std::ofstream(folder_ / name, std::ios::binary) << content;
  return path(name);
}

Arguments Workspace::training(const std::string& out, int epochs) const {
  return {"train",
          "--data",
          texts(),
          "--vectors",
          vectors(),
          "--noise",
          "universal:p=0.3",
          "--hidden",
          "8",
          "--batch-size",
          "16",
          "--epochs",
          std::to_string(epochs),
          "--dropout",
          "0",
          "--input-dropout",
          "0",
          "--learning-rate",
          "0.03",
          "--slots",
          "32",
          "--out",
          out};
}

std::string Workspace::model() {
  if (!trained_) {
    const Result result = run(training(path("model")));
    if (result.exit_code != 0) throw std::runtime_error("training failed: " + result.err);
    trained_ = true;
  }
  return path("model");
}

Workspace& workspace() {
  static Workspace shared;
  return shared;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Arguments operator+(Arguments arguments, const Arguments& extra) {
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  return arguments;
}

}  // namespace textcrs::cli_test
