#include "data/gunzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "textcrs/base/error.h"

namespace textcrs {
namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;

class Inflater {
 public:
  Inflater(const std::filesystem::path& path, std::string_view packed, const UnpackLimit& limit)
      : path_(path), packed_(packed), limit_(limit), buffer_(size_t{1} << 18) {
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  std::string run() {
    std::string unpacked;
    for (;;) {
      const int status = step(unpacked);
      if (status == Z_STREAM_END) {
        if (at_end()) return unpacked;
        inflateReset(&stream_);  // another member
      } else if (status == Z_BUF_ERROR || (status == Z_OK && at_end() && stream_.avail_out > 0)) {
        throw complaint("the end of the file within gzip data", "more: it was cut short");
      } else if (status != Z_OK) {
        throw complaint(
            fmt::format("damaged gzip data ({}) at byte {}",
                        stream_.msg != nullptr ? stream_.msg : "no reason given", position()),
            "an intact file");
      }
    }
  }

 private:
  size_t position() const { return fed_ - stream_.avail_in; }
  bool at_end() const { return position() == packed_.size(); }

  int step(std::string& unpacked) {
    constexpr size_t kMostAtOnce = size_t{1} << 30;  // zlib counts in 32 bits
    if (stream_.avail_in == 0) {
      const size_t count = std::min(packed_.size() - fed_, kMostAtOnce);
      // zlib does not write to its input.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data() + fed_));
      stream_.avail_in = static_cast<uInt>(count);
      fed_ += count;
    }
    stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
    stream_.avail_out = static_cast<uInt>(buffer_.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    unpacked.append(buffer_.data(), buffer_.size() - stream_.avail_out);
    check_size(unpacked.size());
    return status;
  }

  void check_size(size_t size) const {
    if (size > limit_.most)
      throw complaint("gzip data that unpacks to more",
                      fmt::format("at most {} bytes", limit_.most));
    if (size > limit_.free && size / limit_.ratio > packed_.size())
      throw complaint(fmt::format("{} bytes of gzip data that unpack to more than {}",
                                  packed_.size(), limit_.free),
                      fmt::format("at most {} times as many, as texts have", limit_.ratio));
  }

  Error complaint(const std::string& found, const std::string& expected) const {
    return bad_input(fmt::format("{}: found {}, expected {}", path_.string(), found, expected));
  }

  const std::filesystem::path& path_;
  std::string_view packed_;
  const UnpackLimit& limit_;
  std::vector<char> buffer_;
  z_stream stream_{};
  size_t fed_ = 0;  // bytes that zlib was given
};

}  // namespace

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string gunzip(const std::filesystem::path& path, std::string_view packed,
                   const UnpackLimit& limit) {
  return Inflater(path, packed, limit).run();
}

}  // namespace textcrs
