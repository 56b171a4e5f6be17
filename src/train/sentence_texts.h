// Texts of a model whose units are sentences (docs/certificates.md, B12).
#pragma once

#include <vector>

#include "textcrs/data/dataset.h"
#include "textcrs/model/copy_batch.h"
#include "textcrs/train/smoothed_accuracy.h"
#include "textcrs/train/trainer.h"

namespace textcrs {

// Every sentence has the words the classifier reads in it alone.
EncodedText encode_sentences(const Example& example, const Classifier& classifier);

// Puts a copy of each sentence behind those of the batch. The text must outlive it.
void add_sentences(const EncodedText& text, CopyBatch& batch);

// The class with the most of the sentences' votes, ties to the lowest: class 0 for a text without
// sentences. Texts share batches of the engine. An Error of kind kInterrupted once `stop` asks.
std::vector<int> sentence_answers(const Engine& engine, const std::vector<EncodedText>& texts,
                                  const AnswerReporter& report = {}, StopToken stop = {});

}  // namespace textcrs
