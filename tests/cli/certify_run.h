// Certification runs and what they wrote.
#pragma once

#include <string>
#include <vector>

#include "workspace.h"

namespace textcrs::cli_test {

// `certify` of the first texts of the workspace into its folder `out`, by sampling even where the
// texts are short.
inline Arguments certify_run(const std::string& out, int limit, int samples) {
  return {"certify",
          "--model",
          workspace().model(),
          "--data",
          workspace().texts(),
          "--limit",
          std::to_string(limit),
          "--samples",
          std::to_string(samples),
          "--selection-samples",
          "50",
          "--exact",
          "never",
          "--out",
          workspace().path(out)};
}

inline std::string results_path(const std::string& out) {
  return workspace().path(out) + "/results.jsonl";
}

// The lines of results.jsonl without the times they took; a line that is not JSON is a discarded
// value, which equals nothing.
inline std::vector<nlohmann::json> records(const std::string& out) {
  std::vector<nlohmann::json> list;
  for (const std::string& line : lines_of(read(results_path(out)))) {
    list.push_back(json_of(line));
    for (const char* time : {"seconds", "wall_seconds"})
      if (list.back().is_object()) list.back().erase(time);
  }
  return list;
}

}  // namespace textcrs::cli_test
