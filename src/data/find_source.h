// Which file holds the texts that are asked for.
#pragma once

#include <filesystem>
#include <string>

namespace textcrs {

// Whether `folder` is one of acl-imdb's that has the split.
bool is_acl_imdb(const std::filesystem::path& folder, const std::string& split);

// `path` itself if it is no folder. In a folder: the file `wanted` ("SPLIT.csv", where SPLIT stands
// for train or test) or, where that is empty, the first of the files that the formats have; each as
// it is or with .gz at its end. A bad_input Error if there is none.
std::filesystem::path find_source(const std::filesystem::path& path, const std::string& split,
                                  const std::string& wanted);

}  // namespace textcrs
