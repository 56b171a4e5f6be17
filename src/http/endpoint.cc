#include "http/endpoint.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>

#include "http/printable.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

struct FreeUrl {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};

// Only what can hold no password is shown of a url that can not be taken apart.
Error no_url(const std::string& url) {
  const bool may_be_shown = url.find_first_of("@?") == std::string::npos;
  return usage_error(fmt::format("found {}, expected a url (http://host/path or https://host/path)",
                                 may_be_shown ? '"' + printable_start(url) + '"'
                                              : "something else, which may hold a password"));
}

std::string part(CURLU* url, CURLUPart what, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url, what, &text, flags) != CURLUE_OK) return "";
  const std::unique_ptr<char, decltype(&curl_free)> freed(text, curl_free);
  return text;
}

std::string decoded(const std::string& text) {
  int size = 0;
  char* bytes = curl_easy_unescape(nullptr, text.c_str(), static_cast<int>(text.size()), &size);
  if (bytes == nullptr) throw std::bad_alloc();
  const std::unique_ptr<char, decltype(&curl_free)> freed(bytes, curl_free);
  return {bytes, static_cast<size_t>(size)};
}

std::vector<std::string> secrets_of(CURLU* url) {
  constexpr size_t kShortest = 4;
  const std::string query = part(url, CURLUPART_QUERY);
  std::vector<std::string> candidates = {part(url, CURLUPART_USER), query};
  for (size_t begin = 0; begin < query.size();) {
    const size_t end = std::min(query.find('&', begin), query.size());
    const std::string pair = query.substr(begin, end - begin);
    candidates.push_back(pair.substr(pair.find('=') + 1));  // all of it where there is none
    begin = end + 1;
  }
  std::erase_if(candidates, [&](const std::string& one) { return one.size() < kShortest; });
  candidates.push_back(part(url, CURLUPART_PASSWORD));
  std::vector<std::string> secrets;
  for (const std::string& one : candidates) secrets.insert(secrets.end(), {one, decoded(one)});
  return secrets;
}

void remove(CURLU* url, CURLUPart what) {
  if (curl_url_set(url, what, nullptr, 0) != CURLUE_OK) throw std::bad_alloc();
}

}  // namespace

Endpoint parse_endpoint(const std::string& url) {
  const std::unique_ptr<CURLU, FreeUrl> parts(curl_url());
  if (parts == nullptr) throw std::bad_alloc();
  const bool printable =
      std::all_of(url.begin(), url.end(), [](char c) { return c > ' ' && c < 127; });
  if (!printable || curl_url_set(parts.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK)
    throw no_url(url);
  const std::string scheme = part(parts.get(), CURLUPART_SCHEME);
  if ((scheme != "http" && scheme != "https") || part(parts.get(), CURLUPART_HOST).empty())
    throw no_url(url);
  Endpoint endpoint;
  endpoint.user = part(parts.get(), CURLUPART_USER, CURLU_URLDECODE);
  endpoint.password = part(parts.get(), CURLUPART_PASSWORD, CURLU_URLDECODE);
  endpoint.secrets = secrets_of(parts.get());
  for (const CURLUPart secret : {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS})
    remove(parts.get(), secret);
  remove(parts.get(), CURLUPART_FRAGMENT);
  endpoint.url = part(parts.get(), CURLUPART_URL);
  remove(parts.get(), CURLUPART_QUERY);
  endpoint.shown = part(parts.get(), CURLUPART_URL);
  return endpoint;
}

}  // namespace textcrs
