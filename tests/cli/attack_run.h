// Small models for attacks, the command, and what a run of it wrote.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "certify_run.h"

namespace textcrs::cli_test {

inline constexpr size_t kTexts = 20;

// The folder of a model that was trained once; std::runtime_error if that failed.
inline std::string trained(const std::string& name, const Arguments& command) {
  if (!std::filesystem::exists(workspace().path(name))) {
    const Result result = run(command + Arguments{"--out", workspace().path(name)});
    if (result.exit_code != 0) throw std::runtime_error(result.err);
  }
  return workspace().path(name);
}

inline std::string votes() {
  return trained("attacked-votes",
                 {"train", "--data", workspace().texts(), "--architecture", "votes", "--hidden",
                  "0", "--edits", "1", "--batch-size", "16", "--epochs", "20"});
}

// The training of the workspace's model with another noise, without its folder.
inline Arguments training_under(const std::string& noise) {
  Arguments command = workspace().training("", 6);
  command.erase(command.end() - 2, command.end());
  *(std::find(command.begin(), command.end(), "--noise") + 1) = noise;
  return command;
}

inline std::string plain() { return trained("attacked-plain", training_under("none")); }

// A command without what the recipe needs.
inline Arguments attack(const std::string& model, const std::string& recipe, const std::string& out,
                        const Arguments& extra = {}) {
  return Arguments{"attack",
                   "--model",
                   model,
                   "--recipe",
                   recipe,
                   "--data",
                   workspace().texts(),
                   "--limit",
                   std::to_string(kTexts),
                   "--out",
                   workspace().path(out)} +
         extra;
}

inline Arguments with_reference() { return {"--reference", workspace().texts()}; }

inline nlohmann::json summary_of(const std::string& out) {
  return json_of(read(workspace().path(out) + "/summary.json"));
}

// Of a run that went well: its records, which the summary must agree with.
inline std::vector<nlohmann::json> checked_records(const std::string& out) {
  const std::vector<nlohmann::json> all = records(out);
  const nlohmann::json summary = summary_of(out);
  std::map<std::string, size_t> statuses;
  size_t right = 0, queries = 0;
  std::map<std::string, std::map<std::string, size_t>> models;
  for (const nlohmann::json& record : all) {
    ++statuses[record["status"]];
    if (record["status"] == "skipped") continue;
    right += record["after"] == record["label"];
    queries += record["queries"].get<size_t>();
    for (const nlohmann::json& model : record["models"]) {
      auto& counts = models[model["name"]];
      ++counts["texts"];
      counts["covered"] +=
          model["covered"] && model["certified"] && model["clean"] == record["label"];
      counts["flipped"] += !model["edited_abstained"] && model["edited"] != model["clean"];
      counts["contradicted"] +=
          model["covered"] && !model["edited_abstained"] && model["edited"] != model["clean"];
    }
  }
  EXPECT_EQ(all.size(), kTexts);
  EXPECT_EQ(summary["texts"], kTexts);
  EXPECT_EQ(summary["attempted"], kTexts - statuses["skipped"]);
  EXPECT_EQ(summary["succeeded"], statuses["succeeded"]);
  EXPECT_EQ(summary["spent"], statuses["spent"]);
  EXPECT_EQ(summary["queries"], queries);
  EXPECT_EQ(summary["accuracy_after"], static_cast<double>(right) / kTexts);
  EXPECT_EQ(summary.contains("models"), !models.empty());
  for (const nlohmann::json& model : summary.value("models", nlohmann::json::array())) {
    auto& counts = models[model["name"]];
    EXPECT_EQ(model["all"]["texts"], counts["texts"]);
    EXPECT_EQ(model["all"]["covered"], counts["covered"]);
    EXPECT_EQ(model["all"]["flipped"], counts["flipped"]);
    EXPECT_EQ(model["contradicted"], counts["contradicted"]);
    EXPECT_EQ(model["contradicted"], 0);
  }
  return all;
}

}  // namespace textcrs::cli_test
