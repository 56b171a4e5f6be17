// The numbers of a page for its script, in columns rather than records: 10,000 texts stay below ten
// megabytes.
//
// {"runs": [{"name", "unit": "word", "classes": [".."], "labelled": true, "curves": {"sound":
// [{"operation": "edit", "unit": "words", "of": 100, "radii": [0, 1, null], "texts": [86, 81, 3]},
// ..], "paper": [..]}, "calibration": [{"from", "to", "texts", "right", "pa"}, ..], "cut": 700,
// "texts": {"id": [..], "key": [..], "label": [..], "answer": [..], "state": [..], "words": [..],
// "pa": [..], "votes": [[..], ..], "radii": [{"operation", "unit", "values": [..]}, ..], "said":
// [..], "text": [..]}}, ..]}
// A radius: null any, -1 nothing. A label or an answer: the number of its class, -1 none. A state:
// 0 answered, 1 no answer, 2 by the fallback. "key", "label", "pa", "votes" and "text" are left out
// where no text has them. Texts are cut to "cut" bytes, which is left out where all fit.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "page/sections.h"

namespace textcrs {

// What a page may take, in bytes: texts are cut so that it does. Beyond ten thousand texts, each
// may take so many more.
constexpr size_t kMostBytes = 9'800'000;
constexpr size_t kManyTexts = 10'000, kBytesPerTextBeyond = 600;
constexpr size_t kLongestText = 2000, kShortestText = 60;

// `taken`: the bytes of the page's other parts.
nlohmann::ordered_json page_data(const std::vector<PageRun>& runs, size_t taken = 0);

}  // namespace textcrs
