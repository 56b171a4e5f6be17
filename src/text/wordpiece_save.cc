// WordPiece as a tokenizer.json of Hugging Face's library.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "textcrs/base/files.h"
#include "textcrs/text/wordpiece.h"

namespace textcrs {
namespace {

using Json = nlohmann::ordered_json;

Json added_token(int32_t id, const std::string& content) {
  return {{"id", id},        {"content", content},  {"single_word", false}, {"lstrip", false},
          {"rstrip", false}, {"normalized", false}, {"special", true}};
}

Json step(const char* kind, const char* name, int segment) {
  return {{kind, {{"id", name}, {"type_id", segment}}}};
}

Json template_token(int32_t id, const std::string& content) {
  return {{"id", content}, {"ids", Json::array({id})}, {"tokens", Json::array({content})}};
}

}  // namespace

void WordPiece::save(const std::filesystem::path& path) const {
  const auto target = std::filesystem::is_directory(path) ? path / "tokenizer.json" : path;
  if (target.extension() != ".json") throw std::logic_error("WordPiece::save: not a .json file");

  std::vector<int32_t> special = {pad_, unk_, cls_, sep_, mask_};
  std::sort(special.begin(), special.end());
  Json added = Json::array();
  for (const int32_t id : special) added.push_back(added_token(id, piece(id)));

  const Json single = Json::array({step("SpecialToken", "[CLS]", 0), step("Sequence", "A", 0),
                                   step("SpecialToken", "[SEP]", 0)});
  Json pair = single;
  pair.push_back(step("Sequence", "B", 1));
  pair.push_back(step("SpecialToken", "[SEP]", 1));

  Json::object_t vocabulary;  // operator[] would look through all members before it adds one
  for (int32_t id = 0; id < size(); ++id) vocabulary.emplace_back(piece(id), id);

  const Json root = {
      {"version", "1.0"},
      {"truncation", nullptr},
      {"padding", nullptr},
      {"added_tokens", std::move(added)},
      {"normalizer",
       {{"type", "BertNormalizer"},
        {"clean_text", rules_.clean_text},
        {"handle_chinese_chars", rules_.split_chinese},
        {"strip_accents", rules_.strip_accents},
        {"lowercase", rules_.lower_case}}},
      {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
      {"post_processor",
       {{"type", "TemplateProcessing"},
        {"single", single},
        {"pair", pair},
        {"special_tokens",
         {{"[CLS]", template_token(cls_, "[CLS]")}, {"[SEP]", template_token(sep_, "[SEP]")}}}}},
      {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", true}}},
      {"model",
       {{"type", "WordPiece"},
        {"unk_token", "[UNK]"},
        {"continuing_subword_prefix", "##"},
        {"max_input_chars_per_word", rules_.longest_word},
        {"vocab", std::move(vocabulary)}}}};
  write_file_atomically(target, root.dump(2) + "\n");
}

}  // namespace textcrs
