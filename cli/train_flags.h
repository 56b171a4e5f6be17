// The flags of `train`, and what those that were left out are set to.
#pragma once

#include <optional>
#include <string>

#include "cli11.h"
#include "inputs.h"
#include "noisy_training_flags.h"
#include "textcrs/certified/default_noise.h"
#include "textcrs/train/prepare.h"
#include "textcrs/train/trainer.h"

namespace textcrs::cli {

struct TrainFlags {
  DataFlags data;
  std::string validation;  // labelled texts that choose the epoch; empty: a share is held out
  std::string aim;         // what is to be proved (--for); empty: edits
  SynonymFlags synonyms;
  std::string canonical;  // TABLE,size=K; empty: no clusters
  PrepareOptions prepare;
  std::optional<NoiseChoice> chosen;  // the noise, if none was named
  TrainOptions options;
  NoisyTrainingFlags noisy;
  bool choose_setting = false;  // of votes: --edits auto
  std::string start_from;       // a model folder; empty: none
  std::string out;
  bool overwrite = false;

  void add(CLI::App& command);
  // A usage Error for flags that do not go together. Then flags that were left out get what suits
  // the architecture, and `prepare` chooses the noise if none was named.
  void settle(CLI::App& command);
  // The same for what follows from the texts: the noise, the batch size and the epochs. Afterwards
  // the command's flags are those of a run that was told everything.
  void settle(CLI::App& command, const PreparedClassifier& prepared);

  // Sets the clusters of `prepare`. A usage Error for anything but TABLE,size=K.
  void read_canonical();

  // The texts of --validation, with the classes of the training texts.
  Dataset load_validation(const std::vector<std::string>& classes) const;
  // How many of the texts are trained on.
  size_t trained_texts(const std::vector<EncodedText>& texts) const;

 private:
  void read_edits(const std::string& value);
  void settle_synonyms(CLI::App& command);
  void check_votes(const Architecture& architecture) const;
  void settle_intervals(CLI::App& command);
  void settle_encoder();
};

}  // namespace textcrs::cli
