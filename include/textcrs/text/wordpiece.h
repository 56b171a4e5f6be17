// BERT's tokenizer: from a text to words, and from a word to pieces.
//
// The rules are those of Hugging Face's tokenizers library (BertNormalizer, BertPreTokenizer,
// WordPiece). In order:
//
//  1. Clean. U+0000, U+FFFD, control and format characters and private ones (Cc, Cf, Co) vanish,
//     also U+000B, U+000C and U+0085; other white space (White_Space, with \t \n \r) becomes ' '.
//  2. Chinese. A code point of 3400-4DBF, 4E00-9FFF, F900-FAFF, 20000-2A6DF, 2A700-2B73F,
//     2B740-2B81F, 2B920-2CEAF or 2F800-2FA1F is a word.
//  3. Accents. Canonical decomposition (NFD), then nonspacing marks (Mn) vanish. A Hangul syllable
//     becomes its jamo.
//  4. Lower case, code point by code point: U+0130 becomes "i" and U+0307, and sigma has no final
//     form.
//  5. White space separates words; every punctuation mark (ASCII 33-47, 58-64, 91-96, 123-126 and
//     the categories P*) is a word.
//
// Where that library and Google's original differ, the library is followed: the original has
// 2B820-2CEAF in rule 2, strips accents after lower-casing, and keeps Co. Unassigned code points
// (Cn) stay in both. The library knows the categories of Unicode 8.0, and so does this one,
// whatever the version of utf8proc. Decomposition and lower case are utf8proc's and can differ from
// the library's for letters and marks younger than Unicode 8.0, some dozens in all.
//
// Two differences from the library, both on purpose. Special tokens written in a text ("[SEP]") are
// split like any punctuation: a text can not forge them. A byte that is not UTF-8 counts as U+FFFD;
// where clean_text is off, it separates words.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

struct WordPieceRules {
  bool lower_case = true;
  bool strip_accents = true;  // absent or null in a file: as lower_case
  bool split_chinese = true;
  bool clean_text = true;
  int longest_word = 100;  // code points, at least 1; longer words are [UNK]

  bool operator==(const WordPieceRules&) const = default;
};

// Immutable; every const member is pure, thread-safe, and never throws on any bytes (but
// std::bad_alloc).
class WordPiece {
 public:
  // pieces[i] has the id i. A piece that is empty, repeated or not UTF-8, or no [PAD], [UNK],
  // [CLS], [SEP] or [MASK] among them, is a bad_input Error; longest_word below 1 a
  // std::logic_error.
  explicit WordPiece(std::vector<std::string> pieces, WordPieceRules rules = {});

  // Reads a tokenizer.json (any *.json), a vocab.txt (any other file) or a folder that has one of
  // these names; tokenizer.json is preferred. Malformed content is a bad_input Error that names the
  // file, what was found and what was expected.
  //  * tokenizer.json: a WordPiece model behind BertNormalizer and BertPreTokenizer, ids without
  //    gaps, no added token outside the vocabulary. Truncation, padding, post-processor and decoder
  //    are ignored.
  //  * vocab.txt: UTF-8, one piece per line (\n or \r\n), the line's number from 0 is the id. Of a
  //    tokenizer_config.json beside it do_lower_case, strip_accents and tokenize_chinese_chars
  //    count.
  static WordPiece load(const std::filesystem::path& path);

  // Writes a tokenizer.json, atomically: load() gives the same tokenizer, and Hugging Face's
  // library reads it. `path` is a *.json (anything else is a std::logic_error) or a folder.
  void save(const std::filesystem::path& path) const;

  const WordPieceRules& rules() const { return rules_; }
  int size() const { return static_cast<int>(pieces_.size()); }
  const std::string& piece(int32_t id) const { return pieces_.at(static_cast<size_t>(id)); }
  int32_t pad() const { return pad_; }
  int32_t unk() const { return unk_; }
  int32_t cls() const { return cls_; }
  int32_t sep() const { return sep_; }
  int32_t mask() const { return mask_; }

  // Rules 1 to 5. A "word" of every certificate of a BERT model is one of these. Valid UTF-8, not
  // empty, no white space. words(join(words(text), " ")) == words(text), unless a mark of combining
  // class 0 vanishes (U+034F) between marks that stay (U+302E, U+1D165) and are not in canonical
  // order: they come into it the second time.
  std::vector<std::string> words(std::string_view text) const;

  // Appends the pieces of one word: the longest match first, "##" in front of all but the first
  // piece; one [UNK] if any part has no match or the word is too long; nothing for "". Words that
  // words() does not make are matched as they stand: "[MASK]" is mask().
  void append_pieces(std::string_view word, std::vector<int32_t>& out) const;

  // [CLS], the pieces of all words, [SEP]: append_pieces of words(), but faster.
  std::vector<int32_t> encode(std::string_view text) const;

 private:
  // All pieces by their bytes. Nodes are numbered breadth first, so that the children of node n are
  // first_child[n] up to, not including, first_child[n + 1], ordered by label. Node 0 is the root.
  struct Trie {
    std::vector<uint32_t> first_child;
    std::vector<unsigned char> label;                // the byte that leads to the node
    std::vector<int32_t> id;                         // of the piece that ends at the node, or -1
    uint32_t child(uint32_t node, char byte) const;  // 0: none
  };
  static Trie make_trie(const std::vector<std::string>& pieces);

  std::vector<std::string> pieces_;
  WordPieceRules rules_;
  Trie trie_;
  uint32_t continuation_ = 0;  // the node of "##", or 0
  int32_t pad_, unk_, cls_, sep_, mask_;
};

// The words of a text as every BERT of this project reads it: rules 1 to 5 on the text without its
// markup (without_markup, textcrs/text/tokenizer.h).
std::vector<std::string> bert_words(const WordPiece& wordpiece, std::string_view text);

}  // namespace textcrs
