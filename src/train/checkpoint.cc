#include "checkpoint.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/tensor_bytes.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace fs = std::filesystem;
using nlohmann::ordered_json;

void Checkpoint::save(const fs::path& folder) const {
  write_folder_atomically(folder, [&](const fs::path& temporary) {
    const ordered_json json = {{"run", run},
                               {"epoch", epoch},
                               {"batch", batch},
                               {"steps", steps},
                               {"loss_sum", loss_sum},
                               {"best_accuracy", best_accuracy},
                               {"best_epoch", best_epoch}};
    write_file_atomically(temporary / "state.json", json.dump(2) + "\n");
    save_tensors(temporary / "state.safetensors", tensors);
  });
}

Checkpoint Checkpoint::load(const fs::path& folder, const std::string& run) {
  const fs::path path = folder / "state.json";
  if (!fs::exists(path))
    throw bad_input(fmt::format("{}: there is no interrupted run to resume here", folder.string()));
  Checkpoint checkpoint;
  try {
    const auto json = ordered_json::parse(read_file(path));
    json.at("run").get_to(checkpoint.run);
    json.at("epoch").get_to(checkpoint.epoch);
    json.at("batch").get_to(checkpoint.batch);
    json.at("steps").get_to(checkpoint.steps);
    json.at("loss_sum").get_to(checkpoint.loss_sum);
    json.at("best_accuracy").get_to(checkpoint.best_accuracy);
    json.at("best_epoch").get_to(checkpoint.best_epoch);
  } catch (const ordered_json::exception& error) {
    throw bad_input(fmt::format("{}: {}", path.string(), error.what()));
  }
  if (checkpoint.run != run)
    throw usage_error(fmt::format("{}: the interrupted run had other options: {}; now: {}",
                                  path.string(), checkpoint.run, run));
  const SafetensorsFile file(folder / "state.safetensors");
  for (const auto& [name, view] : file.tensors())
    checkpoint.tensors[name] = from_view(file.get(name, "F32", view.shape));
  return checkpoint;
}

}  // namespace textcrs
