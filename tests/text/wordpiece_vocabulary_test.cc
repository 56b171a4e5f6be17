#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <nlohmann/json.hpp>

#include "text/scratch_home.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/text/wordpiece.h"

namespace textcrs {
namespace {

using Json = nlohmann::json;
using Pieces = std::vector<std::string>;

constexpr const char* kVocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\n##é\n\"\n";

Pieces all_pieces(const WordPiece& tokenizer) {
  Pieces pieces;
  for (int32_t id = 0; id < tokenizer.size(); ++id) pieces.push_back(tokenizer.piece(id));
  return pieces;
}

Json sample_json() {
  return Json::parse(R"({
    "version": "1.0", "truncation": {"max_length": 128}, "padding": {"pad_id": 0},
    "added_tokens": [{"id": 0, "content": "[PAD]", "special": true},
                     {"id": 4, "content": "[MASK]", "special": true}],
    "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                   "strip_accents": null, "lowercase": true},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
              "max_input_chars_per_word": 100,
              "vocab": {"the": 5, "[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4}}})");
}

class WordPieceFiles : public testing::Test {
 protected:
  WordPiece load_json(const Json& json) {
    return WordPiece::load(scratch_.write("j/tokenizer.json", json.dump()));
  }
  // What load() says about the sample with the value at `pointer` replaced, after the file's name.
  std::string complaint(const std::string& pointer, const Json& value) {
    Json json = sample_json();
    json[Json::json_pointer(pointer)] = value;
    return json_complaint(json.dump());
  }
  std::string json_complaint(const std::string& content) {
    return complaint_about(scratch_.write("j/tokenizer.json", content));
  }
  std::string text_complaint(const std::string& content) {
    return complaint_about(scratch_.write("t/vocab.txt", content));
  }
  std::string complaint_about(const std::filesystem::path& path) {
    try {
      WordPiece::load(path);
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      EXPECT_TRUE(message.starts_with(path.string())) << message;
      return message.substr(std::min(path.string().size(), message.size()));
    }
    return "";
  }

  ScratchHome scratch_;
};

TEST_F(WordPieceFiles, VocabTxt) {
  const Pieces expected = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "##é", "\""};
  for (std::string content :
       {std::string(kVocabulary),
        std::string(kVocabulary).substr(0, std::string(kVocabulary).size() - 1),
        std::string("[PAD]\r\n[UNK]\r\n[CLS]\r\n[SEP]\r\n[MASK]\r\nthe\r\n"
                    "##é\r\n\"\r\n")}) {
    const auto path = scratch_.write("t/vocab.txt", content);
    EXPECT_EQ(all_pieces(WordPiece::load(path)), expected);
    EXPECT_EQ(all_pieces(WordPiece::load(path.parent_path())), expected);
    EXPECT_EQ(WordPiece::load(path).rules(), WordPieceRules{});
  }
}

TEST_F(WordPieceFiles, TheConfigBesideVocabTxt) {
  const auto path = scratch_.write("t/vocab.txt", kVocabulary);
  const auto rules = [&](const char* config) {
    scratch_.write("t/tokenizer_config.json", config);
    EXPECT_EQ(WordPiece::load(path).rules(), WordPiece::load(path.parent_path()).rules());
    return WordPiece::load(path).rules();
  };
  EXPECT_EQ(rules("{}"), WordPieceRules{});
  EXPECT_EQ(rules(R"({"do_lower_case": false, "model_max_length": 512})"),
            (WordPieceRules{.lower_case = false, .strip_accents = false}));
  EXPECT_EQ(rules(R"({"do_lower_case": false, "strip_accents": true})"),
            (WordPieceRules{.lower_case = false}));
  EXPECT_EQ(rules(R"({"strip_accents": false, "tokenize_chinese_chars": false})"),
            (WordPieceRules{.strip_accents = false, .split_chinese = false}));
  EXPECT_EQ(rules(R"({"do_lower_case": true, "strip_accents": null})"), WordPieceRules{});

  const std::string config = (scratch_.folder() / "t/tokenizer_config.json").string();
  scratch_.write("t/tokenizer_config.json", R"({"do_lower_case": "yes"})");
  EXPECT_EQ(error_of([&] { WordPiece::load(path); }),
            config + ": do_lower_case: found \"yes\", expected true or false");
  scratch_.write("t/tokenizer_config.json", "[]");
  EXPECT_EQ(error_of([&] { WordPiece::load(path); }),
            config + ": the top: found array, expected an object");
}

TEST_F(WordPieceFiles, TokenizerJson) {
  const WordPiece tokenizer = load_json(sample_json());
  EXPECT_EQ(all_pieces(tokenizer), (Pieces{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the"}));
  EXPECT_EQ(tokenizer.rules(), WordPieceRules{});
  Json json = sample_json();
  json["normalizer"] = {{"type", "BertNormalizer"},
                        {"clean_text", false},
                        {"handle_chinese_chars", false},
                        {"lowercase", false}};
  json["model"]["max_input_chars_per_word"] = 7;
  json.erase("added_tokens");
  EXPECT_EQ(load_json(json).rules(), (WordPieceRules{false, false, false, false, 7}));
  json["normalizer"]["strip_accents"] = true;
  EXPECT_EQ(load_json(json).rules(), (WordPieceRules{false, true, false, false, 7}));
}

TEST_F(WordPieceFiles, AFolderPrefersTokenizerJson) {
  scratch_.write("j/vocab.txt", kVocabulary);
  EXPECT_EQ(WordPiece::load(scratch_.folder() / "j").size(), 8);
  scratch_.write("j/tokenizer.json", sample_json().dump());
  EXPECT_EQ(WordPiece::load(scratch_.folder() / "j").size(), 6);
  scratch_.write("empty/readme", "");
  EXPECT_EQ(complaint_about(scratch_.folder() / "empty"),
            ": found neither tokenizer.json nor vocab.txt in the folder, expected one");
  EXPECT_NE(error_of([&] { WordPiece::load(scratch_.folder() / "none.txt"); }), "");
  EXPECT_NE(error_of([&] { WordPiece::load(scratch_.folder() / "none.json"); }), "");
}

TEST_F(WordPieceFiles, MalformedVocabTxt) {
  EXPECT_EQ(text_complaint("[PAD]\n[UNK]\n\n[CLS]\n"), ":3: found an empty line, expected a piece");
  EXPECT_EQ(text_complaint("[PAD]\r\n\r\n[CLS]\r\n"), ":2: found an empty line, expected a piece");
  EXPECT_EQ(text_complaint("[PAD]\n[UNK]\nthe\n[UNK]\n"),
            ":4: found \"[UNK]\" as in line 2, expected different pieces");
  EXPECT_EQ(text_complaint("[PAD]\n[UNK]\n[CLS]\n[SEP]\n"),
            ": found no piece [MASK] among 4, expected one");
  EXPECT_EQ(text_complaint("[PAD]\n\xff\n"), ":2: found the byte 0xff at offset 6, expected UTF-8");
  EXPECT_NE(text_complaint(""), "");
}

TEST_F(WordPieceFiles, MalformedTokenizerJson) {
  EXPECT_THAT(json_complaint("{\"model\": "), testing::StartsWith(": byte 10: not JSON ("));
  EXPECT_THAT(json_complaint("{\"model\": " + std::string(100000, '[')),
              testing::StartsWith(": byte 74: found more than 64"));
  EXPECT_THAT(json_complaint("{\"model\": 1e999}"),
              testing::StartsWith(": byte 15: found a number that is too large"));
  EXPECT_EQ(json_complaint("[]"), ": the top: found array, expected an object");
  EXPECT_EQ(json_complaint("{}"), ": model: found null, expected an object");
  EXPECT_EQ(complaint("/model", 3), ": model: found 3, expected an object");
  EXPECT_EQ(complaint("/model/type", "BPE"), ": model.type: found \"BPE\", expected \"WordPiece\"");
  EXPECT_EQ(complaint("/model/unk_token", "<unk>"),
            ": model.unk_token: found \"<unk>\", expected \"[UNK]\"");
  EXPECT_EQ(complaint("/model/continuing_subword_prefix", nullptr),
            ": model.continuing_subword_prefix: found null, expected \"##\"");
  for (const Json& wrong : {Json(0), Json(-1), Json(2.5), Json("100"), Json(int64_t{1} << 31)})
    EXPECT_EQ(complaint("/model/max_input_chars_per_word", wrong),
              ": model.max_input_chars_per_word: found " + wrong.dump() +
                  ", expected a whole number from 1 to 2^31 - 1");
  EXPECT_EQ(complaint("/normalizer", nullptr), ": normalizer: found null, expected an object");
  EXPECT_EQ(complaint("/normalizer/type", "NFC"),
            ": normalizer.type: found \"NFC\", expected \"BertNormalizer\"");
  for (const char* flag : {"clean_text", "handle_chinese_chars", "lowercase"})
    EXPECT_EQ(complaint(std::string("/normalizer/") + flag, nullptr),
              std::string(": normalizer.") + flag + ": found null, expected true or false");
  EXPECT_EQ(complaint("/normalizer/strip_accents", 1),
            ": normalizer.strip_accents: found 1, expected true or false");
  EXPECT_EQ(complaint("/pre_tokenizer", Json::array()),
            ": pre_tokenizer: found array, expected an object");
  EXPECT_EQ(complaint("/pre_tokenizer/type", "Whitespace"),
            ": pre_tokenizer.type: found \"Whitespace\", expected \"BertPreTokenizer\"");
}

TEST_F(WordPieceFiles, MalformedVocabularyInTokenizerJson) {
  EXPECT_EQ(complaint("/model/vocab", Json::array({"the"})),
            ": model.vocab: found array, expected an object");
  EXPECT_EQ(complaint("/model/vocab/the", 6),
            ": model.vocab: \"the\": found 6, expected an id from 0 to 5, without gaps");
  for (const Json& wrong : {Json(-1), Json(1.5), Json("5"), Json(uint64_t{1} << 63)})
    EXPECT_EQ(complaint("/model/vocab/the", wrong),
              ": model.vocab: \"the\": found " + wrong.dump() +
                  ", expected an id from 0 to 5, without gaps");
  EXPECT_EQ(complaint("/model/vocab/the", 4),
            ": model.vocab: \"the\": found 4, expected another id than that of \"[MASK]\"");
  EXPECT_EQ(complaint("/model/vocab", {{"the", 0}}),
            ": added_tokens[0].content: found \"[PAD]\", expected a piece of model.vocab");
  Json json = sample_json();
  json["added_tokens"] = Json::array();
  json["model"]["vocab"] = {{"the", 0}};
  EXPECT_EQ(json_complaint(json.dump()), ": found no piece [PAD] among 1, expected one");
  json["model"]["vocab"] = Json::object();
  EXPECT_EQ(json_complaint(json.dump()), ": found no piece [PAD] among 0, expected one");
  json = sample_json();
  json["model"]["vocab"][""] = 6;
  EXPECT_EQ(json_complaint(json.dump()),
            ": found \"\" as piece 6, expected UTF-8, at least one character");
}

TEST_F(WordPieceFiles, AddedTokensArePiecesOfTheVocabulary) {
  EXPECT_EQ(complaint("/added_tokens", 1), ": added_tokens: found 1, expected a list");
  EXPECT_EQ(complaint("/added_tokens/1", 1), ": added_tokens[1]: found 1, expected an object");
  EXPECT_EQ(complaint("/added_tokens/1/content", "<user>"),
            ": added_tokens[1].content: found \"<user>\", expected a piece of model.vocab");
  EXPECT_EQ(complaint("/added_tokens/1/id", 5),
            ": added_tokens[1].id: found 5, expected 4 as in model.vocab");
}

TEST_F(WordPieceFiles, LoadUndoesSave) {
  EXPECT_TRUE(rc::check([&] {
    Pieces pieces = *rc::gen::unique<Pieces>(rc::gen::nonEmpty(
        rc::gen::container<std::string>(rc::gen::element('a', '#', '"', '\\', '\n', ' ', '\0'))));
    for (const char* special : {"[PAD]", "[UNK]", "é東", "[CLS]", "[SEP]", "[MASK]"})
      pieces.push_back(special);
    const WordPieceRules rules{*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(),
                               *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(),
                               *rc::gen::inRange(1, 1000)};
    const auto path = scratch_.folder() / "saved.json";
    WordPiece(pieces, rules).save(path);
    const WordPiece loaded = WordPiece::load(path);
    RC_ASSERT(all_pieces(loaded) == pieces);
    RC_ASSERT(loaded.rules() == rules);
  }));
}

// The members that Hugging Face's library asks for.
TEST_F(WordPieceFiles, WhatIsSaved) {
  const WordPiece tokenizer = load_json(sample_json());
  scratch_.write("out/readme", "");
  tokenizer.save(scratch_.folder() / "out");
  const auto path = scratch_.folder() / "out" / "tokenizer.json";
  const Json json = Json::parse(read_file(path));
  Json expected = Json::parse(R"({
    "version": "1.0", "truncation": null, "padding": null,
    "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                   "strip_accents": true, "lowercase": true},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
    "post_processor": {"type": "TemplateProcessing",
      "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                 {"Sequence": {"id": "A", "type_id": 0}},
                 {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
      "pair": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
               {"Sequence": {"id": "A", "type_id": 0}},
               {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
               {"Sequence": {"id": "B", "type_id": 1}},
               {"SpecialToken": {"id": "[SEP]", "type_id": 1}}],
      "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
                         "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}},
    "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true}})");
  expected["model"] = sample_json()["model"];
  const Pieces special = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  for (size_t id = 0; id < special.size(); ++id)
    expected["added_tokens"].push_back({{"id", id},
                                        {"content", special[id]},
                                        {"single_word", false},
                                        {"lstrip", false},
                                        {"rstrip", false},
                                        {"normalized", false},
                                        {"special", true}});
  EXPECT_EQ(json, expected);
  EXPECT_THROW(tokenizer.save(scratch_.folder() / "vocab.txt"), std::logic_error);
}

}  // namespace
}  // namespace textcrs
