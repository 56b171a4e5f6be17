#include "textcrs/text/wordpiece.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "text/basic_tokenizer.h"
#include "text/utf8.h"
#include "textcrs/base/error.h"
#include "textcrs/text/tokenizer.h"

namespace textcrs {
namespace {

// The pieces by spelling; a bad_input Error if one is empty, not UTF-8 or repeated.
std::vector<int32_t> sorted_ids(const std::vector<std::string>& pieces) {
  std::vector<int32_t> ids(pieces.size());
  std::iota(ids.begin(), ids.end(), 0);
  const auto piece = [&](int32_t id) -> const std::string& {
    return pieces[static_cast<size_t>(id)];
  };
  for (const int32_t id : ids)
    if (piece(id).empty() || find_invalid_utf8(piece(id)))
      throw bad_input(fmt::format("found {} as piece {}, expected UTF-8, at least one character",
                                  in_quotes(piece(id)), id));
  std::stable_sort(ids.begin(), ids.end(),
                   [&](int32_t a, int32_t b) { return piece(a) < piece(b); });
  const auto twin = std::adjacent_find(ids.begin(), ids.end(),
                                       [&](int32_t a, int32_t b) { return piece(a) == piece(b); });
  if (twin != ids.end())
    throw bad_input(fmt::format("found {} as piece {} and as piece {}, expected different pieces",
                                in_quotes(piece(*twin)), *twin, *std::next(twin)));
  return ids;
}

// Of their trie: the root and one for every beginning of a piece.
size_t count_nodes(const std::vector<std::string>& pieces, const std::vector<int32_t>& ids) {
  size_t nodes = 1;
  std::string_view before;
  for (const int32_t id : ids) {
    const std::string_view piece = pieces[static_cast<size_t>(id)];
    const auto end = std::mismatch(piece.begin(), piece.end(), before.begin(), before.end()).first;
    nodes += static_cast<size_t>(piece.end() - end);
    before = piece;
  }
  return nodes;
}

int64_t code_points(std::string_view word) {
  return std::count_if(word.begin(), word.end(),
                       [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; });
}

}  // namespace

WordPiece::WordPiece(std::vector<std::string> pieces, WordPieceRules rules)
    : pieces_(std::move(pieces)), rules_(rules), trie_(make_trie(pieces_)) {
  if (rules_.longest_word < 1) throw std::logic_error("WordPiece: longest_word is below 1");
  const auto special = [this](const std::string& name) {
    const auto found = std::find(pieces_.begin(), pieces_.end(), name);
    if (found == pieces_.end())
      throw bad_input(fmt::format("found no piece {} among {}, expected one", name, size()));
    return static_cast<int32_t>(found - pieces_.begin());
  };
  pad_ = special("[PAD]");
  unk_ = special("[UNK]");
  cls_ = special("[CLS]");
  sep_ = special("[SEP]");
  mask_ = special("[MASK]");
  if (const uint32_t hash = trie_.child(0, '#')) continuation_ = trie_.child(hash, '#');
}

WordPiece::Trie WordPiece::make_trie(const std::vector<std::string>& pieces) {
  const std::vector<int32_t> ids = sorted_ids(pieces);
  const auto piece = [&](size_t i) -> const std::string& {
    return pieces[static_cast<size_t>(ids[i])];
  };
  const size_t nodes = count_nodes(pieces, ids);
  if (nodes > std::numeric_limits<uint32_t>::max())
    throw bad_input(fmt::format("found pieces of {} different beginnings, expected fewer", nodes));
  Trie trie;
  trie.first_child.reserve(nodes + 1);
  trie.id.reserve(nodes);
  trie.label.reserve(nodes);
  trie.label.push_back(0);
  // The nodes of one depth, each as the pieces below it, in `ids`.
  struct Below {
    size_t begin, end;
  };
  std::vector<Below> level = {{0, ids.size()}}, next;
  for (size_t depth = 0; !level.empty(); ++depth, level.swap(next)) {
    next.clear();
    const size_t first_of_next = trie.first_child.size() + level.size();
    for (const auto& [begin, end] : level) {
      size_t at = begin;
      trie.first_child.push_back(static_cast<uint32_t>(first_of_next + next.size()));
      trie.id.push_back(-1);
      if (at < end && piece(at).size() == depth) trie.id.back() = ids[at++];
      while (at < end) {
        const char byte = piece(at)[depth];
        const size_t child = at;
        while (at < end && piece(at)[depth] == byte) ++at;
        next.push_back({child, at});
        trie.label.push_back(static_cast<unsigned char>(byte));
      }
    }
  }
  trie.first_child.push_back(static_cast<uint32_t>(trie.id.size()));
  return trie;
}

uint32_t WordPiece::Trie::child(uint32_t node, char byte) const {
  const uint32_t first = first_child[node], count = first_child[node + 1] - first;
  if (count == 0) return 0;
  const void* found = std::memchr(&label[first], byte, count);
  return found == nullptr ? 0
                          : first + static_cast<uint32_t>(static_cast<const unsigned char*>(found) -
                                                          &label[first]);
}

std::vector<std::string> WordPiece::words(std::string_view text) const {
  std::vector<std::string> words;
  for_each_word(basic_words(text, rules_),
                [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

void WordPiece::append_pieces(std::string_view word, std::vector<int32_t>& out) const {
  const size_t before = out.size();
  const auto unknown = [&] {
    out.resize(before);
    out.push_back(unk_);
  };
  const auto longest = static_cast<size_t>(rules_.longest_word);
  if (word.size() > longest && code_points(word) > rules_.longest_word) return unknown();
  for (uint32_t node = 0; !word.empty(); node = continuation_) {
    if (out.size() > before && node == 0) return unknown();
    size_t matched = 0;
    int32_t id = -1;
    for (size_t i = 0; i < word.size(); ++i) {
      node = trie_.child(node, word[i]);
      if (node == 0) break;
      if (trie_.id[node] < 0) continue;
      id = trie_.id[node];
      matched = i + 1;
    }
    if (matched == 0) return unknown();
    out.push_back(id);
    word.remove_prefix(matched);
  }
}

std::vector<int32_t> WordPiece::encode(std::string_view text) const {
  std::vector<int32_t> ids = {cls_};
  const std::string words = basic_words(text, rules_);
  ids.reserve(words.size() / 3 + 2);
  for_each_word(words, [&](std::string_view word) { append_pieces(word, ids); });
  ids.push_back(sep_);
  return ids;
}

std::vector<std::string> bert_words(const WordPiece& wordpiece, std::string_view text) {
  return wordpiece.words(without_markup(text));
}

}  // namespace textcrs
