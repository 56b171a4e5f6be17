// The flags of `attack`, and what is loaded by them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli11.h"
#include "inputs.h"
#include "textcrs/attack/recipe_assets.h"
#include "textcrs/certified/load.h"

namespace textcrs::cli {

// A model folder under a name; its certificates are asked about what the attack made.
struct NamedModel {
  std::string name, folder;
};

struct AttackFlags {
  std::string model, recipe, out;
  std::vector<std::string> against;  // NAME=FOLDER, or a folder
  DataFlags data;
  std::string reference;  // labelled texts the adversary has seen; empty: the training split
  RecipeSources sources;
  AttackLimits limits;
  CertifiedOptions options;  // of all models; the noise is that of the one attacked
  uint32_t copies = 300;
  bool overwrite = false;

  void add(CLI::App& command);

  // The models of --against; a usage Error for a name that comes twice.
  std::vector<NamedModel> defences() const;
  // A model as a defence: the engine as for the attack, one thread per text that is attacked.
  std::unique_ptr<CertifiedClassifier> load_defence(const std::string& folder,
                                                    const std::string& noise) const;
  // The words of labelled texts that the adversary has seen, as the target reads them.
  std::vector<LabelledWords> load_reference(const AttackTarget& target) const;
};

}  // namespace textcrs::cli
