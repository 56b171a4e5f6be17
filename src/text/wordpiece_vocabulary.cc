// WordPiece from files.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "text/json.h"
#include "text/json_value.h"
#include "text/text_file.h"
#include "text/utf8.h"
#include "text/word_index.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/base/reachable.h"
#include "textcrs/text/wordpiece.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// A JSON file whose members are asked for by name.
class JsonFile {
 public:
  explicit JsonFile(const fs::path& path)
      : name_(path.string()), root_(read_json_file<Json>(path)) {
    if (!root_.is_object()) fail("the top", root_, "an object");
  }

  const Json& root() const { return root_; }

  [[noreturn]] void fail(std::string_view what, const Json& found,
                         std::string_view expected) const {
    throw bad_input(
        fmt::format("{}: {}: found {}, expected {}", name_, what, shown(found), expected));
  }

  // The member `name` of an object; null if there is none.
  static const Json& member(const Json& parent, const char* name) {
    static const Json kNull;
    const auto found = parent.find(name);
    return found == parent.end() ? kNull : *found;
  }

  const Json& object(const char* name) const {
    const Json& value = member(root_, name);
    if (!value.is_object()) fail(name, value, "an object");
    return value;
  }

  void expect(const char* where, const char* name, const char* expected) const {
    const Json& value = member(root_.at(where), name);
    if (value != expected) fail(fmt::format("{}.{}", where, name), value, Json(expected).dump());
  }

  bool flag(const std::string& where, const Json& value) const {
    if (!value.is_boolean()) fail(where, value, "true or false");
    return value.get<bool>();
  }

  bool flag_or(const std::string& where, const Json& value, bool otherwise) const {
    return value.is_null() ? otherwise : flag(where, value);
  }

 private:
  std::string name_;
  Json root_;
};

WordPieceRules read_rules(const JsonFile& file) {
  const Json& normalizer = file.object("normalizer");
  file.expect("normalizer", "type", "BertNormalizer");
  const auto flag = [&](const char* name) {
    return file.flag(std::string("normalizer.") + name, JsonFile::member(normalizer, name));
  };
  WordPieceRules rules;
  rules.clean_text = flag("clean_text");
  rules.split_chinese = flag("handle_chinese_chars");
  rules.lower_case = flag("lowercase");
  rules.strip_accents = file.flag_or(
      "normalizer.strip_accents", JsonFile::member(normalizer, "strip_accents"), rules.lower_case);
  file.object("pre_tokenizer");
  file.expect("pre_tokenizer", "type", "BertPreTokenizer");

  const Json& longest = JsonFile::member(file.object("model"), "max_input_chars_per_word");
  const bool fits =
      longest.is_number_integer() && longest >= 1 && longest <= std::numeric_limits<int>::max();
  if (!fits)
    file.fail("model.max_input_chars_per_word", longest, "a whole number from 1 to 2^31 - 1");
  rules.longest_word = longest.get<int>();
  return rules;
}

std::vector<std::string> read_pieces(const JsonFile& file) {
  file.expect("model", "type", "WordPiece");
  file.expect("model", "unk_token", "[UNK]");
  file.expect("model", "continuing_subword_prefix", "##");
  const Json& vocabulary = JsonFile::member(file.object("model"), "vocab");
  if (!vocabulary.is_object()) file.fail("model.vocab", vocabulary, "an object");

  std::vector<std::string> pieces(vocabulary.size());
  std::vector<bool> seen(pieces.size());
  for (const auto& entry : vocabulary.items()) {
    const std::string& piece = entry.key();
    const Json& id = entry.value();
    const auto where = [&] { return fmt::format("model.vocab: {}", in_quotes(piece)); };
    if (!id.is_number_integer() || id < 0 || id >= pieces.size())
      file.fail(where(), id, fmt::format("an id from 0 to {}, without gaps", pieces.size() - 1));
    const auto place = id.get<size_t>();
    if (seen[place])
      file.fail(where(), id, fmt::format("another id than that of {}", in_quotes(pieces[place])));
    seen[place] = true;
    pieces[place] = piece;
  }
  return pieces;
}

// Hugging Face's library finds these in a text before anything else.
void check_added_tokens(const JsonFile& file) {
  const Json& added = JsonFile::member(file.root(), "added_tokens");
  if (added.is_null()) return;
  if (!added.is_array()) file.fail("added_tokens", added, "a list");
  const Json& vocabulary = file.root().at("model").at("vocab");
  for (size_t i = 0; i < added.size(); ++i) {
    const auto where = [&](const char* name) { return fmt::format("added_tokens[{}]{}", i, name); };
    if (!added[i].is_object()) file.fail(where(""), added[i], "an object");
    const Json& content = JsonFile::member(added[i], "content");
    if (!content.is_string() || !vocabulary.contains(content.get_ref<const std::string&>()))
      file.fail(where(".content"), content, "a piece of model.vocab");
    const Json& id = JsonFile::member(added[i], "id");
    const Json& expected = vocabulary.at(content.get_ref<const std::string&>());
    if (id != expected) file.fail(where(".id"), id, expected.dump() + " as in model.vocab");
  }
}

// The file's name in front of what the constructor says.
WordPiece make(const fs::path& path, std::vector<std::string> pieces, const WordPieceRules& rules) {
  try {
    return WordPiece(std::move(pieces), rules);
  } catch (const Error& error) {
    throw bad_input(fmt::format("{}: {}", path.string(), error.what()));
  }
}

struct Content {
  std::vector<std::string> pieces;
  WordPieceRules rules;
};

Content read_json(const fs::path& path) {
  const JsonFile file(path);
  file.object("model");
  Content content{read_pieces(file), read_rules(file)};
  check_added_tokens(file);
  return content;
}

WordPiece load_json(const fs::path& path) {
  Content content = read_json(path);
  return make(path, std::move(content.pieces), content.rules);
}

WordPieceRules read_config(const fs::path& path) {
  WordPieceRules rules;
  if (!is_there(path)) return rules;
  const JsonFile file(path);
  const auto flag = [&](const char* name, bool otherwise) {
    return file.flag_or(name, JsonFile::member(file.root(), name), otherwise);
  };
  rules.lower_case = flag("do_lower_case", true);
  rules.strip_accents = flag("strip_accents", rules.lower_case);
  rules.split_chinese = flag("tokenize_chinese_chars", true);
  return rules;
}

std::vector<std::string> read_lines(const fs::path& path) {
  const std::string content = read_text_file(path);
  WordIndex pieces;
  pieces.reserve(static_cast<size_t>(std::count(content.begin(), content.end(), '\n')) + 1);
  LineReader reader(content);
  for (std::string_view line; reader.next(line);) {
    if (line.empty())
      throw bad_line(path, reader.number(), "found an empty line, expected a piece");
    if (const int32_t earlier = pieces.find(line); earlier != WordIndex::kNone)
      throw bad_line(path, reader.number(),
                     fmt::format("found {} as in line {}, expected different pieces",
                                 in_quotes(line), earlier + 1));
    pieces.add(line);
  }
  return std::move(pieces).take();
}

WordPiece load_text(const fs::path& path) {
  return make(path, read_lines(path), read_config(path.parent_path() / "tokenizer_config.json"));
}

}  // namespace

WordPiece WordPiece::load(const fs::path& path) {
  if (!is_folder(path)) return path.extension() == ".json" ? load_json(path) : load_text(path);
  if (is_there(path / "tokenizer.json")) return load_json(path / "tokenizer.json");
  if (is_there(path / "vocab.txt")) return load_text(path / "vocab.txt");
  throw bad_input(fmt::format(
      "{}: found neither tokenizer.json nor vocab.txt in the folder, expected one", path.string()));
}

}  // namespace textcrs
