#include "textcrs/model/model_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "model/intervals_complaint.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs {

using nlohmann::ordered_json;

constexpr int kFormatVersion = 1;

std::optional<std::string> units_complaint(const ModelConfig& config) {
  if (config.units == Units::kWords) return std::nullopt;
  if (config.kind().casts_votes)
    return fmt::format("units is {}, expected words: a {} model has no network that reads {}",
                       to_string(config.units), config.architecture, to_string(config.units));
  if (!config.canonical.empty())
    return fmt::format(
        "canonical is {}, expected none: another word of a cluster may cut {} "
        "otherwise",
        config.canonical, to_string(config.units));
  if (config.noise != "none")
    return fmt::format("noise is {}, expected none: {} vote without noise", config.noise,
                       to_string(config.units));
  return std::nullopt;
}

void ModelConfig::save(const std::filesystem::path& path) const {
  ordered_json json = {{"format", "textcrs-model"},
                       {"format_version", kFormatVersion},
                       {"architecture", architecture},
                       {"dimension", dimension},
                       {"hidden", hidden},
                       {"slots", slots},
                       {"input_dropout", input_dropout},
                       {"dropout", dropout},
                       {"pool_all_slots", pool_all_slots},
                       {"synonyms", synonyms},
                       {"precision", to_string(precision)},
                       {"classes", classes},
                       {"noise", noise}};
  if (units != Units::kWords) json["units"] = to_string(units);
  if (trained_vectors) json["trained_vectors"] = true;
  if (!canonical.empty()) json["canonical"] = canonical;
  if (!stop_words.empty()) json["stop_words"] = stop_words;
  if (intervals) json["intervals"] = true;
  if (noise_mean) json["noise_mean"] = true;
  if (reconstruction > 0) json["reconstruction"] = reconstruction;
  if (kind().reads_pieces)
    json["bert"] = {{"layers", bert.layers},
                    {"heads", bert.heads},
                    {"positions", bert.positions},
                    {"epsilon", bert.epsilon}};
  if (kind().casts_votes)
    json["votes"] = {{"windows", votes.windows},
                     {"window_rows", votes.window_rows},
                     {"presence", votes.presence}};
  write_file_atomically(path, json.dump(2) + "\n");
}

ModelConfig ModelConfig::load(const std::filesystem::path& path) {
  const auto fail = [&](const std::string& why) {
    throw bad_input(fmt::format("{}: {}", path.string(), why));
  };
  // get<int>() would take true and 2.5, and wrap what does not fit.
  const auto whole = [&](const ordered_json& json, const char* name) {
    const auto& value = json.at(name);
    const bool fits =
        value.is_number_integer() && value >= 0 && value <= std::numeric_limits<int>::max();
    if (!fits) fail(fmt::format("{} is {}, expected a whole number", name, value.dump()));
    return value.get<int>();
  };
  ModelConfig config;
  try {
    const auto json = ordered_json::parse(read_file(path));
    if (json.at("format") != "textcrs-model" || json.at("format_version") != kFormatVersion)
      fail(fmt::format("expected format textcrs-model, version {}", kFormatVersion));
    json.at("architecture").get_to(config.architecture);
    const auto known = architecture_names();
    if (std::find(known.begin(), known.end(), config.architecture) == known.end())
      fail(fmt::format("architecture is '{}', expected one of: {}", config.architecture,
                       fmt::join(known, ", ")));
    config.dimension = whole(json, "dimension");
    config.hidden = whole(json, "hidden");
    config.slots = whole(json, "slots");
    json.at("input_dropout").get_to(config.input_dropout);
    json.at("dropout").get_to(config.dropout);
    json.at("pool_all_slots").get_to(config.pool_all_slots);
    json.at("synonyms").get_to(config.synonyms);
    config.trained_vectors = json.value("trained_vectors", false);
    config.canonical = json.value("canonical", std::string());
    config.stop_words = json.value("stop_words", std::string());
    config.intervals = json.value("intervals", false);
    config.noise_mean = json.value("noise_mean", false);
    if (json.contains("reconstruction")) config.reconstruction = whole(json, "reconstruction");
    const auto units = json.value("units", std::string(to_string(Units::kWords)));
    if (units != to_string(Units::kWords) && units != to_string(Units::kSentences))
      fail(fmt::format("units is '{}', expected words or sentences", units));
    config.units = parse_units(units);
    json.at("classes").get_to(config.classes);
    json.at("noise").get_to(config.noise);
    if (config.kind().reads_pieces) {
      const ordered_json& bert = json.at("bert");
      config.bert.layers = whole(bert, "layers");
      config.bert.heads = whole(bert, "heads");
      config.bert.positions = whole(bert, "positions");
      bert.at("epsilon").get_to(config.bert.epsilon);
    }
    if (config.kind().casts_votes && json.contains("votes")) {
      const ordered_json& votes = json["votes"];
      config.votes.windows = whole(votes, "windows");
      config.votes.window_rows = whole(votes, "window_rows");
      votes.at("presence").get_to(config.votes.presence);
    }
    const auto precision = json.at("precision").get<std::string>();
    if (precision != "fp32" && precision != "bf16")
      fail(fmt::format("precision is '{}', expected fp32 or bf16", precision));
    config.precision = parse_precision(precision);
  } catch (const ordered_json::exception& error) {
    fail(error.what());
  }
  const auto check = [&](const char* name, double value, double low, double high) {
    if (!(value >= low && value <= high))
      fail(fmt::format("{} is {}, expected {} to {}", name, value, low, high));
  };
  check("dimension", config.dimension, 1, 10000);
  check("slots", config.slots, 1, 100000);
  check("input_dropout", config.input_dropout, 0, 0.99);
  check("dropout", config.dropout, 0, 0.99);
  if (const auto complaint = config.kind().complaint(config)) fail(*complaint);
  if (const auto complaint = units_complaint(config)) fail(*complaint);
  if (const auto complaint = intervals_complaint(config)) fail(*complaint);
  check("number of classes", static_cast<double>(config.classes.size()), 2, 10000);
  return config;
}

}  // namespace textcrs
