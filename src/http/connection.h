// One attempt of a request, by libcurl.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "http/endpoint.h"
#include "textcrs/base/stop.h"
#include "textcrs/http/client.h"

namespace textcrs {

// What became of an attempt.
struct Attempt {
  int status = 0;         // 0: there was no answer, or it broke off
  std::string body;       // of an answer that came to its end
  std::string fault;      // why there is none, in words that may hold the endpoint's
  bool hopeless = false;  // another attempt would end as this one did
  std::optional<std::chrono::milliseconds> retry_after;
};

// Stays open from one attempt to the next where the endpoint lets it. Used by one thread at a time.
class Connection {
 public:
  Connection(const Endpoint& endpoint, const std::string& bearer, const HttpOptions& options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Redirections are answers. An Error of kind kInterrupted if `stop` asks for it; the connection
  // must not be used any more then.
  Attempt post_json(const std::string& body, StopToken stop);

 private:
  struct FreeEasy {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
  };
  struct FreeMulti {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
  };
  struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };

  template <typename T>
  void set(CURLoption option, T value);
  CURLcode transfer(StopToken stop);
  static size_t read_header(char* bytes, size_t one, size_t count, void* self);
  static size_t read_body(char* bytes, size_t one, size_t count, void* self);
  void header_line(std::string_view line);
  void body_bytes(std::string_view bytes);
  template <typename Read>
  size_t guarded(size_t size, const Read& read);

  size_t most_bytes_;
  // The easy handle goes first: it gives its connection back to the other one.
  std::unique_ptr<CURLM, FreeMulti> multi_;
  std::unique_ptr<curl_slist, FreeList> headers_;
  std::unique_ptr<CURL, FreeEasy> easy_;
  char error_[CURL_ERROR_SIZE] = {};

  // Of the attempt that runs.
  Attempt attempt_;
  size_t header_bytes_ = 0;
  bool headers_ended_ = false, no_memory_ = false;
};

}  // namespace textcrs
