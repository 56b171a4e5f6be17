// What a run's records and settings say of the classifier that made them, for whoever puts answers
// into words (textcrs/report/answers.h).
#pragma once

#include <string>
#include <vector>

#include "textcrs/base/error.h"
#include "textcrs/certified/certified_classifier.h"
#include "textcrs/report/run_folder.h"

namespace textcrs {

// The classes in the order of the counts: those of summary.json, else, as a run that goes on has
// none, those that the records name, each in the place where its texts have the most votes.
std::vector<std::string> classes_of(const RunFolder& run);

// A usage Error by what run.json says becomes a bad_input Error that names it: whoever asks for the
// report did not choose that.
template <typename Work>
auto by_settings_of(const RunFolder& run, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kUsage) throw;
    throw bad_input((run.folder / "run.json").string() + ": " + error.what());
  }
}

// The description as far as the settings have it. A bad_input Error for settings of a damaged
// run.json that no run has, such as an alpha of 5.
Description description_of(const RunFolder& run);

// Only classes() and description() may be called: the model is not there. The others throw a
// std::logic_error.
class RecordedClassifier : public CertifiedClassifier {
 public:
  RecordedClassifier(std::vector<std::string> classes, Description description)
      : classes_(std::move(classes)), description_(std::move(description)) {}

  const std::vector<std::string>& classes() const override { return classes_; }
  const Description& description() const override { return description_; }
  std::vector<Operation> operations() const override;
  std::vector<std::string> words(std::string_view text) const override;
  Certification certify(const std::vector<std::string>& words, uint32_t example,
                        StopToken stop = {}) const override;
  Coverage covers(const std::vector<std::string>& words, const Certification& certified,
                  const std::vector<std::string>& edited) const override;

 private:
  std::vector<std::string> classes_;
  Description description_;
};

}  // namespace textcrs
