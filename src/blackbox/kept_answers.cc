#include "blackbox/kept_answers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/regular_file.h"
#include "text/json.h"
#include "text/json_value.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::string_view kStart = "{\"key\":\"";
constexpr size_t kKeyDigits = 32;

Error not_written(const fs::path& path, int error) {
  return failed(fmt::format("{}: cannot be written ({})", path.string(), std::strerror(error)));
}

bool is_key(std::string_view key) {
  return key.size() == kKeyDigits && key.find_first_not_of("0123456789abcdef") == key.npos;
}

// The key and what was said.
std::pair<std::string, std::string> parse_line(std::string_view line) {
  const auto json = parse_json<ordered_json>(line, "");
  const JsonValue value(json, "");
  if (value.members().size() != 2) value.refuse("an answer with 'key' and 'said'");
  std::string key = value.at("key").text();
  if (!is_key(key)) value.at("key").refuse(fmt::format("{} hexadecimal digits", kKeyDigits));
  return {std::move(key), value.at("said").text()};
}

fs::path lock_of(fs::path path) { return path += ".lock"; }

}  // namespace

KeptAnswers::KeptAnswers(const fs::path& path) : path_(path), lock_(lock_of(path)) {
  size_ = fs::exists(path_) ? read() : 0;
  // No link is followed: the folder may be somebody else's.
  fd_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd_ < 0) throw not_written(path_, errno);
  if (ftruncate(fd_, static_cast<off_t>(size_)) == 0) return;
  const int error = errno;
  close(fd_);
  throw not_written(path_, error);
}

KeptAnswers::~KeptAnswers() {
  if (fd_ < 0) return;
  fdatasync(fd_);  // what does not get there is asked again
  close(fd_);
}

size_t KeptAnswers::read() {
  const std::string content = read_regular_file(path_);
  size_t begin = 0, number = 1;
  const auto refuse = [&](const std::string& why) {
    throw bad_input(fmt::format("{}:{}: {}", path_.string(), number, why));
  };
  for (size_t end; (end = content.find('\n', begin)) != std::string::npos; begin = end + 1) {
    try {
      answers_.insert(parse_line(std::string_view(content).substr(begin, end - begin)));
    } catch (const Error& error) {
      refuse(error.what());
    }
    ++number;
  }
  // Nothing is cut off a file that is somebody else's.
  const std::string_view rest = std::string_view(content).substr(begin);
  if (!rest.starts_with(kStart.substr(0, rest.size())))
    refuse("found a line without its end, expected an answer with 'key' and 'said'");
  return begin;
}

const std::string* KeptAnswers::find(const std::string& key) const {
  const auto found = answers_.find(key);
  return found == answers_.end() ? nullptr : &found->second;
}

const std::string& KeptAnswers::add(const std::string& key, const std::string& said) {
  if (const std::string* older = find(key)) return *older;
  const std::string line = ordered_json{{"key", key}, {"said", said}}.dump() + "\n";
  if (fd_ < 0) throw not_written(path_, EIO);
  ssize_t written = 0;
  do {
    written = write(fd_, line.data(), line.size());
  } while (written < 0 && errno == EINTR);
  if (written != static_cast<ssize_t>(line.size())) {
    const int error = written < 0 ? errno : ENOSPC;
    // A half line stays the last one.
    if (ftruncate(fd_, static_cast<off_t>(size_)) != 0) close(std::exchange(fd_, -1));
    throw not_written(path_, error);
  }
  size_ += line.size();
  const std::string& kept = answers_.emplace(key, said).first->second;
  // What a power cut takes away is asked again.
  if (const auto now = std::chrono::steady_clock::now(); now - synced_ > std::chrono::seconds(1)) {
    while (fdatasync(fd_) != 0)
      if (errno != EINTR) throw not_written(path_, errno);
    synced_ = now;
  }
  return kept;
}

}  // namespace textcrs
