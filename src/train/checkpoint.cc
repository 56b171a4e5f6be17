#include "train/checkpoint.h"

#include <fmt/format.h>

#include <cmath>

#include "text/json.h"
#include "text/json_value.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

ordered_json to_json(const EpochChoice::Epoch& epoch) {
  ordered_json json = {{"epoch", epoch.number}, {"accuracy", nullptr}};
  if (epoch.accuracy) json["accuracy"] = *epoch.accuracy;
  return json;
}

EpochChoice::Epoch epoch_of(const JsonValue& json) {
  EpochChoice::Epoch epoch;
  epoch.number = json.at("epoch").whole<int>();
  if (const JsonValue accuracy = json.at("accuracy"); !accuracy.json().is_null())
    epoch.accuracy = accuracy.number();
  return epoch;
}

}  // namespace

void Checkpoint::save(const fs::path& folder) const {
  write_folder_atomically(folder, [&](const fs::path& temporary) {
    const ordered_json json = {{"run", run},
                               {"epoch", epoch},
                               {"batch", batch},
                               {"steps", steps},
                               {"loss_sum", loss_sum},
                               {"best", to_json(choice.best)},
                               {"kept", to_json(choice.kept)}};
    write_file_atomically(temporary / "state.json", json.dump(2) + "\n");
    save_weights(temporary / "state.safetensors", tensors);
  });
}

Checkpoint Checkpoint::load(const fs::path& folder, const std::string& run) {
  const fs::path path = folder / "state.json";
  if (!fs::exists(path))
    throw bad_input(fmt::format("{}: there is no interrupted run to resume here", folder.string()));
  Checkpoint checkpoint;
  const auto json = read_json_file<ordered_json>(path);
  const JsonValue state(json, path.string());
  checkpoint.run = state.at("run").text();
  checkpoint.epoch = state.at("epoch").whole<int>();
  checkpoint.batch = state.at("batch").whole<int>();
  checkpoint.steps = state.at("steps").whole<int64_t>();
  checkpoint.loss_sum = state.at("loss_sum").number();
  checkpoint.choice.best = epoch_of(state.at("best"));
  checkpoint.choice.kept = epoch_of(state.at("kept"));
  if (checkpoint.run != run)
    throw usage_error(fmt::format("{}: the interrupted run had other options: {}; now: {}",
                                  path.string(), checkpoint.run, run));
  checkpoint.tensors = load_weights(folder / "state.safetensors");
  return checkpoint;
}

Weights Checkpoint::of_kind(const std::string& kind) const {
  Weights chosen;
  for (const auto& [name, tensor] : tensors)
    if (name.starts_with(kind)) chosen[name.substr(kind.size())] = tensor;
  return chosen;
}

void Checkpoint::add_kind(const std::string& kind, const Weights& weights) {
  for (const auto& [name, tensor] : weights) tensors[kind + name] = tensor;
}

void Checkpoint::check(const fs::path& folder, int epochs, int batches, const Weights& parameters,
                       const std::vector<std::string>& kinds) const {
  const auto refuse = [&](const std::string& why) {
    throw bad_input(fmt::format("{}: {}; the run can not be resumed", folder.string(), why));
  };
  if (epoch < 0 || epoch > epochs || batch < 0 || batch > batches ||
      steps != epoch * static_cast<int64_t>(batches) + batch)
    refuse(fmt::format("found epoch {}, batch {}, step {}, expected one of {} epochs of {} batches",
                       epoch, batch, steps, epochs, batches));
  for (const auto& [name, parameter] : parameters)
    for (const std::string& kind : kinds) {
      const auto found = tensors.find(kind + name);
      if (found == tensors.end() || found->second.shape != parameter.shape)
        refuse(fmt::format("the tensor {}{} is missing or has another shape", kind, name));
    }
}

void check_loss(double loss, const Checkpoint& state) {
  if (!std::isfinite(loss))
    throw failed(fmt::format("the loss is {} in epoch {}, batch {}: use a lower learning rate",
                             loss, state.epoch + 1, state.batch + 1));
}

void throw_interrupted(const fs::path& folder) {
  throw Error(ErrorKind::kInterrupted,
              folder.empty() ? "interrupted; nothing was kept (no checkpoint folder was given)"
                             : fmt::format("interrupted; the state is in {}", folder.string()));
}

}  // namespace textcrs
