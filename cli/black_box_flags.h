// The flags of the verbs that certify a black box: a program or an endpoint that labels texts.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli11.h"
#include "inputs.h"
#include "textcrs/blackbox/endpoint_box.h"
#include "textcrs/blackbox/program_box.h"
#include "textcrs/certified/black_box_classifier.h"
#include "textcrs/certified/smoothed_classifier.h"

namespace textcrs::cli {

struct BlackBoxFlags {
  std::vector<std::string> classes;
  SynonymFlags synonyms;  // what substitute draws from
  // Told how much was asked, now and then; may be empty.
  std::function<void(const AskedCounts&)> report;

  // The flags set this object: it must outlive the parsing. Those of the synonyms are the verb's.
  void add(CLI::App& app);

  // Whether a black box is asked for. A usage Error for two of them, for flags of a model beside
  // one, and for those of a black box without one.
  bool given() const;

  // `classes_of_data` are taken where none were named.
  std::unique_ptr<BlackBoxClassifier> load(const SmoothedOptions& options,
                                           const std::vector<std::string>& classes_of_data) const;

  // How results call it.
  std::string name() const;
  // A configuration with the url as it may be shown.
  std::string without_secrets(std::string config) const;

 private:
  void check_flags_of_models() const;
  std::unique_ptr<BlackBox> make_box(const std::vector<std::string>& names) const;
  EndpointOptions endpoint(const std::vector<std::string>& names) const;

  const CLI::App* app_ = nullptr;
  ProgramOptions program_;
  EndpointOptions endpoint_;
  std::string prompt_file_, cache_, mask_ = "<mask>", version_;
  size_t batch_ = 64;
  int workers_ = 1, attempts_ = 3;
  double timeout_ = 60;
  uint64_t repeat_one_of_ = 100;
};

// "101,000 copies, 5,231 of them asked".
std::string in_words(const AskedCounts& counts);
// The same in full; and a warning if the black box answered the same text in two ways. Empty for
// a classifier that is no black box.
std::vector<std::string> remarks_on(const CertifiedClassifier& classifier);

}  // namespace textcrs::cli
