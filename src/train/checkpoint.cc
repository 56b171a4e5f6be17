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

constexpr const char* kState = "state.json";
constexpr const char* kTensors = "state.safetensors";

ordered_json or_null(const std::optional<double>& number) {
  return number ? ordered_json(*number) : ordered_json(nullptr);
}

std::optional<double> number_or_null(const JsonValue& json) {
  return json.json().is_null() ? std::nullopt : std::optional(json.number());
}

ordered_json to_json(const EpochChoice::Epoch& epoch) {
  return {{"epoch", epoch.number}, {"accuracy", or_null(epoch.accuracy)}};
}

ordered_json to_json(const std::vector<Checkpoint::Epoch>& done) {
  ordered_json json = ordered_json::array();
  for (const Checkpoint::Epoch& epoch : done)
    json.push_back({{"epoch", epoch.number},
                    {"loss", epoch.loss},
                    {"accuracy", or_null(epoch.accuracy)},
                    {"validation_loss", or_null(epoch.validation_loss)}});
  return json;
}

Checkpoint::Epoch done_epoch_of(const JsonValue& json) {
  return {json.at("epoch").whole<int>(), json.at("loss").number(),
          number_or_null(json.at("accuracy")), number_or_null(json.at("validation_loss"))};
}

// What others keep in a folder that is to be replaced.
void copy_other_files(const fs::path& from, const fs::path& to) {
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(from, missing)) {
    const fs::path name = entry.path().filename();
    if (entry.is_regular_file() && name != kState && name != kTensors)
      fs::copy_file(entry.path(), to / name);
  }
}

EpochChoice::Epoch epoch_of(const JsonValue& json) {
  EpochChoice::Epoch epoch;
  epoch.number = json.at("epoch").whole<int>();
  epoch.accuracy = number_or_null(json.at("accuracy"));
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
                               {"seconds", seconds},
                               {"best", to_json(choice.best)},
                               {"kept", to_json(choice.kept)},
                               {"epochs", to_json(done)}};
    write_file_atomically(temporary / kState, json.dump(2) + "\n");
    save_weights(temporary / kTensors, tensors);
    copy_other_files(folder, temporary);
  });
}

Checkpoint Checkpoint::load(const fs::path& folder, const std::string& run) {
  const fs::path path = folder / kState;
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
  if (const auto seconds = state.find("seconds")) checkpoint.seconds = seconds->number();
  if (const auto epochs = state.find("epochs"))
    for (const JsonValue& epoch : epochs->list()) checkpoint.done.push_back(done_epoch_of(epoch));
  checkpoint.choice.best = epoch_of(state.at("best"));
  checkpoint.choice.kept = epoch_of(state.at("kept"));
  if (checkpoint.run != run)
    throw usage_error(fmt::format("{}: the interrupted run had other options: {}; now: {}",
                                  path.string(), checkpoint.run, run));
  checkpoint.tensors = load_weights(folder / kTensors);
  return checkpoint;
}

void Checkpoint::finish_epoch(std::optional<double> accuracy,
                              std::optional<double> validation_loss) {
  ++epoch;
  done.push_back({epoch, batch > 0 ? loss_sum / batch : 0, accuracy, validation_loss});
  batch = 0;
  loss_sum = 0;
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
