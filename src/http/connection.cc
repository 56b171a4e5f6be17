#include "http/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <string_view>
#include <vector>

#include "http/no_sigpipe.h"
#include "http/retry_after.h"
#include "textcrs/base/error.h"
#include "textcrs/base/version.h"

namespace textcrs {
namespace {

constexpr int kPollMilliseconds = 50;  // how often a transfer looks at its StopToken
constexpr size_t kMostHeaderBytes = 256 << 10;

void start_libcurl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);  // by one thread
  if (code != CURLE_OK)
    throw failed(fmt::format("libcurl can not be started ({})", curl_easy_strerror(code)));
}

// What the next attempt would meet again: a certificate, or what libcurl can not do. Everything
// else may be a busy or restarting endpoint.
bool is_hopeless(CURLcode code) {
  switch (code) {
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_ENGINE_NOTFOUND:
    case CURLE_URL_MALFORMAT:
    case CURLE_NOT_BUILT_IN:
    case CURLE_OUT_OF_MEMORY:
      return true;
    default:
      return false;
  }
}

// What libcurl says of a proxy that is none, but for its user and password: "Unsupported proxy
// syntax in 'http://user:password@host'".
std::string without_userinfo(std::string said) {
  const size_t at = said.rfind('@');
  if (at == said.npos) return said;
  size_t begin = said.rfind("://", at);
  begin = begin == said.npos ? said.find('\'') + 1 : begin + 3;  // from the start where none is
  return begin < at ? said.replace(begin, at - begin, "[secret]") : said;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kWhite = " \t\r\n";
  const size_t first = text.find_first_not_of(kWhite);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kWhite) + 1 - first);
}

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

template <typename T>
void Connection::set(CURLoption option, T value) {
  const CURLcode code = curl_easy_setopt(easy_.get(), option, value);
  if (code == CURLE_OUT_OF_MEMORY) throw std::bad_alloc();
  if (code != CURLE_OK)
    throw failed(fmt::format("this libcurl lacks what is needed ({})", curl_easy_strerror(code)));
}

Connection::Connection(const Endpoint& endpoint, const std::string& bearer,
                       const HttpOptions& options)
    : most_bytes_(options.most_bytes) {
  start_libcurl();
  multi_.reset(curl_multi_init());
  easy_.reset(curl_easy_init());
  if (multi_ == nullptr || easy_ == nullptr) throw std::bad_alloc();
  std::vector<std::string> headers = {"Content-Type: application/json", "Accept: application/json",
                                      "Expect:"};  // the body is sent at once
  if (!bearer.empty()) headers.push_back("Authorization: Bearer " + bearer);
  for (const std::string& header : headers) {
    curl_slist* longer = curl_slist_append(headers_.get(), header.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    static_cast<void>(headers_.release());  // a part of the longer one
    headers_.reset(longer);
  }
  set(CURLOPT_URL, endpoint.url.c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
  set(CURLOPT_PROTOCOLS_STR, "http,https");
#else
  set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
  set(CURLOPT_QUICK_EXIT, 1L);  // a look-up of a name that hangs is not waited for
#endif
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_HTTPHEADER, headers_.get());
  set(CURLOPT_HEADEROPT,
      static_cast<long>(CURLHEADER_SEPARATE));  // none of them to a proxy's CONNECT
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_USERAGENT, fmt::format("textcrs/{}", version()).c_str());
  if (!endpoint.user.empty() || !endpoint.password.empty()) {
    set(CURLOPT_USERNAME, endpoint.user.c_str());
    set(CURLOPT_PASSWORD, endpoint.password.c_str());
  }
  set(CURLOPT_SSL_VERIFYPEER, 1L);
  set(CURLOPT_SSL_VERIFYHOST, 2L);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.connect_timeout.count()));
  set(CURLOPT_TIMEOUT_MS, static_cast<long>(options.timeout.count()));
  set(CURLOPT_ERRORBUFFER, error_);
  set(CURLOPT_HEADERFUNCTION, &Connection::read_header);
  set(CURLOPT_HEADERDATA, this);
  set(CURLOPT_WRITEFUNCTION, &Connection::read_body);
  set(CURLOPT_WRITEDATA, this);
}

Connection::~Connection() {
  const NoSigpipe guard;  // TLS says good-bye
  easy_.reset();
  multi_.reset();
}

void Connection::header_line(std::string_view line) {
  header_bytes_ += line.size();
  if (header_bytes_ > kMostHeaderBytes)
    attempt_.fault = fmt::format("found headers of more than {} bytes", kMostHeaderBytes);
  if (line.starts_with("HTTP/")) {  // also after a "100 Continue"
    headers_ended_ = false;
    attempt_.retry_after.reset();
  } else if (trimmed(line).empty()) {
    headers_ended_ = true;
  } else if (const size_t colon = line.find(':');
             colon != line.npos && same_name(line.substr(0, colon), "retry-after")) {
    attempt_.retry_after =
        retry_after(trimmed(line.substr(colon + 1)), std::chrono::system_clock::now());
  }
}

void Connection::body_bytes(std::string_view bytes) {
  if (bytes.size() > most_bytes_ - attempt_.body.size())
    attempt_.fault = fmt::format("found an answer of more than {} bytes", most_bytes_);
  else
    attempt_.body += bytes;
}

// Nothing may be thrown through libcurl: what is not read ends the transfer.
template <typename Read>
size_t Connection::guarded(size_t size, const Read& read) {
  try {
    read();
    return attempt_.fault.empty() ? size : 0;
  } catch (const std::bad_alloc&) {
    no_memory_ = true;
    return 0;
  }
}

size_t Connection::read_header(char* bytes, size_t one, size_t count, void* self) {
  auto& connection = *static_cast<Connection*>(self);
  return connection.guarded(one * count, [&] { connection.header_line({bytes, one * count}); });
}

size_t Connection::read_body(char* bytes, size_t one, size_t count, void* self) {
  auto& connection = *static_cast<Connection*>(self);
  return connection.guarded(one * count, [&] { connection.body_bytes({bytes, one * count}); });
}

CURLcode Connection::transfer(StopToken stop) {
  const NoSigpipe guard;
  if (curl_multi_add_handle(multi_.get(), easy_.get()) != CURLM_OK) throw std::bad_alloc();
  int running = 1;
  CURLMcode code = CURLM_OK;
  while (code == CURLM_OK && running > 0 && !stop.stop_requested()) {
    code = curl_multi_perform(multi_.get(), &running);
    if (code == CURLM_OK && running > 0)
      code = curl_multi_poll(multi_.get(), nullptr, 0, kPollMilliseconds, nullptr);
  }
  CURLcode result = code == CURLM_OUT_OF_MEMORY ? CURLE_OUT_OF_MEMORY : CURLE_ABORTED_BY_CALLBACK;
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left))
    if (message->msg == CURLMSG_DONE) result = message->data.result;
  curl_multi_remove_handle(multi_.get(), easy_.get());
  return result;
}

Attempt Connection::post_json(const std::string& body, StopToken stop) {
  attempt_ = {};
  header_bytes_ = 0;
  headers_ended_ = no_memory_ = false;
  error_[0] = '\0';
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  set(CURLOPT_POSTFIELDS, body.c_str());
  const CURLcode code = transfer(stop);
  stop.check();
  if (no_memory_) throw std::bad_alloc();

  long status = 0;
  curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
  const bool too_large = !attempt_.fault.empty();
  if (headers_ended_ && (code == CURLE_OK || (too_large && status / 100 != 2))) {
    attempt_.status = static_cast<int>(status);
    if (too_large) attempt_.body.clear();
  } else {
    attempt_.body.clear();
    attempt_.hopeless = too_large || is_hopeless(code);
    if (code == CURLE_OK)
      attempt_.fault = "the connection was closed within the headers";
    else if (code == CURLE_OUT_OF_MEMORY)  // libcurl's word for both
      attempt_.fault = "found a header that is too long, or no memory is left";
    else if (!too_large)
      attempt_.fault = without_userinfo(error_[0] != '\0' ? error_ : curl_easy_strerror(code));
  }
  return std::move(attempt_);
}

}  // namespace textcrs
