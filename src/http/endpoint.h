// A url taken apart into what is sent and what may be shown.
#pragma once

#include <string>

namespace textcrs {

struct Endpoint {
  std::string url;             // without user and password
  std::string shown;           // also without the query, which may hold a key
  std::string user, password;  // decoded; empty where there are none
  std::string raw_password;    // as the url spells it
};

// A usage Error that shows nothing secret for what is no url of http or https with a host.
Endpoint parse_endpoint(const std::string& url);

}  // namespace textcrs
