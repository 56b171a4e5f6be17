// A model folder as the target of an attack, and what an attack may know of its certificate.
#pragma once

#include <filesystem>
#include <memory>

#include "textcrs/attack/recipes.h"
#include "textcrs/attack/target.h"
#include "textcrs/base/api.h"
#include "textcrs/certified/certified_classifier.h"
#include "textcrs/certified/smoothed_classifier.h"

namespace TEXTCRS_API textcrs {

// Under the noise of `options`, or the one it was trained with, the votes of `copies` noisy copies,
// or those of all outcomes of a finite noise; without noise its own answers. Of the options noise,
// engine and seed are read. On the CPU one text is attacked per thread. Throws as Classifier::load
// and choose_engine do, and a usage Error for a model whose units are sentences.
std::unique_ptr<AttackTarget> load_attack_target(const std::filesystem::path& folder,
                                                 const SmoothedOptions& options, uint32_t copies);

// More words than these beside a text's own number are not gained, however many a certificate
// allows.
constexpr size_t kMostGainedBeside = 1000;

// What the certificate of a text just allows: the ends of its frontier, or the radius of edits. The
// classifier must outlive it. A usage Error for one that certifies no edits of words.
EditBudgets certified_budgets(const CertifiedClassifier& classifier);

// The text that the witness of votes makes; the text itself where there is none. The classifier
// must outlive it. A usage Error for one that has no witnesses: they are for single words that
// vote.
TextProposal witness_texts(const CertifiedClassifier& classifier);

}  // namespace textcrs
