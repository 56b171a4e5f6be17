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

// Under the noise of `options`, or the one it was trained with, the votes of `copies` noisy copies;
// without noise its own answers. Of the options noise, engine and seed are read. On the CPU one
// text is attacked per thread. Throws as Classifier::load and choose_engine do.
std::unique_ptr<AttackTarget> load_attack_target(const std::filesystem::path& folder,
                                                 const SmoothedOptions& options, uint32_t copies);

// What the certificate of a text just allows: the ends of its frontier, or the radius of edits. The
// classifier must outlive it.
EditBudgets certified_budgets(const CertifiedClassifier& classifier);

// The text that the witness of votes makes; the text itself where there is none.
TextProposal witness_texts(const CertifiedClassifier& classifier);

}  // namespace textcrs
