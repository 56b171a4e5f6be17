#include "textcrs/suite/estimate.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "suite/command_line.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

constexpr double kWords = 215, kTexts = 25'000;  // of IMDB
constexpr double kSlots = 256;                   // by default
constexpr double kUnits = 150, kInputs = 100;    // of the networks that were measured
constexpr double kStart = 2;                     // seconds of a step that does little

std::string value_of(const SuiteStep& step, const std::string& flag,
                     const std::string& fallback = "") {
  for (size_t i = 2; i + 1 < step.command.size(); ++i)
    if (step.command[i] == flag_word(flag)) return step.command[i + 1];
  return fallback;
}

double number_of(const SuiteStep& step, const std::string& flag, double fallback) {
  const std::string value = value_of(step, flag);
  return value.empty() ? fallback : std::strtod(value.c_str(), nullptr);
}

// How many texts the step's data has, and how long they are: as in IMDB, or, of a file, as its
// first lines.
struct Texts {
  double count = kTexts, words = kWords;
};

Texts texts_of(const SuiteStep& step) {
  constexpr double kBytes = 5.7;  // of a word and what parts it from the next
  const std::string path = value_of(step, "data");
  std::error_code problem;
  const auto size = static_cast<double>(fs::file_size(path, problem));
  if (problem || !fs::is_regular_file(path, problem)) return {};
  std::string beginning(size_t{64} << 10, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<size_t>(file.gcount()));
  const auto lines = std::count(beginning.begin(), beginning.end(), '\n');
  if (lines < 2) return {};
  const double bytes = static_cast<double>(beginning.size()) / static_cast<double>(lines);
  return {size / bytes, bytes / kBytes};
}

// The texts that a step is about: all, or as many as its limit.
double texts_in(const SuiteStep& step) {
  const double all = texts_of(step).count, limit = number_of(step, "limit", 0);
  return limit > 0 ? std::min(limit, all) : all;
}

// The training of the model that the step is about, or the step itself.
const SuiteStep& training_of(const SuiteStep& step, const std::vector<PlannedStep>& plan) {
  if (step.needs.empty()) return step;
  for (const PlannedStep& other : plan)
    if (other.step.name == step.needs.front()) return other.step;
  return step;
}

std::string architecture_of(const SuiteStep& step, const std::vector<PlannedStep>& plan) {
  return step.kind == "pretrain" ? "bert"
                                 : value_of(training_of(step, plan), "architecture", "bilstm");
}

// Words that a network of kUnits units reads per second; on the CPU, two cores of 2024 with
// AVX-512.
struct Rates {
  double train, pass;
};

Rates rates_of(const std::string& architecture, bool cuda) {
  if (architecture == "bert") return cuda ? Rates{270e3, 17.5e6} : Rates{1.5e3, 19e3};
  if (architecture == "cnn") return cuda ? Rates{1e6, 1.1e9} : Rates{150e3, 17e6};
  if (architecture == "votes" || architecture == "linear") return {6e6, 500e6};
  return cuda ? Rates{540e3, 735e6} : Rates{100e3, 950e3};
}

// The work per word of this many units, by that of kUnits.
double share_of_units(const std::string& architecture, double units) {
  if (architecture == "bilstm") return (kInputs + units) * units / ((kInputs + kUnits) * kUnits);
  return architecture == "cnn" ? units / kUnits : 1;
}

// Words of a noisy copy, as a share of the text's.
double kept_share(const std::string& noise, bool trains) {
  const std::string name = noise.substr(0, noise.find(':'));
  const size_t p = noise.find("p=");
  if ((name == "delete" || name == "universal") && p != std::string::npos)
    return std::clamp(1 - std::strtod(noise.c_str() + p + 2, nullptr), 0.02, 1.0);
  if ((name == "insert" || name == "gaussian") && !trains) return 4;  // every slot is drawn
  return 1;
}

// How many passes, or steps of training, it is; what seconds grow with.
double passes_of(const SuiteStep& step) {
  const bool noisy = step.tag("noise") != "none" && !step.tag("noise").empty();
  if (step.kind == "train" || step.kind == "pretrain") {
    return texts_in(step) * number_of(step, "epochs", 10) *
           std::max(1.0, number_of(step, "copies", 1));
  }
  const double texts = texts_in(step);
  if (step.kind == "evaluate") return texts * (noisy ? number_of(step, "copies", 100) : 1);
  if (step.kind == "certify") return texts * (noisy ? number_of(step, "samples", 100'000) : 1);
  if (step.kind == "attack") {
    double passes = texts * 500;  // questions to the model
    const double samples = number_of(step, "samples", 20'000);
    for (const std::string& word : step.command)
      if (word == flag_word("against")) passes += texts * 2 * samples * 0.2;
    return passes;
  }
  return texts;
}

bool is_like(const SuiteStep& one, const SuiteStep& other, bool same_data) {
  const auto noise = [](const SuiteStep& step) {
    return step.tag("noise").substr(0, step.tag("noise").find(':'));
  };
  return one.kind == other.kind && one.tag("model") == other.tag("model") &&
         noise(one) == noise(other) && one.tag("attack") == other.tag("attack") &&
         value_of(one, "device") == value_of(other, "device") &&
         (!same_data || one.tag("data") == other.tag("data"));
}

uint64_t bytes_of(const SuiteStep& step, const std::string& architecture) {
  const auto texts = static_cast<uint64_t>(texts_in(step));
  if (step.kind == "train" || step.kind == "pretrain") {
    if (architecture == "bert") return 90'000'000;
    return architecture == "votes" || architecture == "linear" ? 2'000'000 : 25'000'000;
  }
  if (step.kind == "evaluate") return 4'000;
  return texts * (step.kind == "attack" ? 5'000 : 1'500);
}

}  // namespace

StepCost estimate(const PlannedStep& planned, const std::vector<PlannedStep>& plan,
                  const std::string& machine) {
  const SuiteStep& step = planned.step;
  StepCost cost;
  if (step.state == StepState::kDone || !planned.twin.empty()) return cost;
  const std::string architecture = architecture_of(step, plan);
  cost.bytes = bytes_of(step, architecture);
  for (const bool same_data : {true, false})
    for (const PlannedStep& other : plan) {
      const SuiteStep& done = other.step;
      if (done.state != StepState::kDone || done.seconds <= 0 || done.machine != machine ||
          !is_like(done, step, same_data))
        continue;
      cost.recorded = true;
      cost.seconds = kStart + std::max(0.0, done.seconds - kStart) * passes_of(step) /
                                  std::max(1.0, passes_of(done));
      return cost;
    }
  const Rates rates = rates_of(architecture, value_of(step, "device") == "cuda");
  const bool trains = step.kind == "train" || step.kind == "pretrain";
  const SuiteStep& training = training_of(step, plan);
  const double words = std::min(texts_of(step).words, number_of(training, "slots", kSlots)) *
                       kept_share(step.tag("noise"), trains);
  const double work =
      passes_of(step) * words * share_of_units(architecture, number_of(training, "hidden", kUnits));
  cost.seconds = kStart + work / (trains ? rates.train : rates.pass);
  return cost;
}

}  // namespace textcrs
