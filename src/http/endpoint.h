// A url taken apart into what is sent and what may be shown.
#pragma once

#include <string>
#include <vector>

namespace textcrs {

struct Endpoint {
  std::string url;             // without user and password
  std::string shown;           // also without the query, which may hold a key
  std::string user, password;  // decoded; empty where there are none
  // What no message may hold, as the url spells it and decoded: the password, and the user and the
  // query's values unless they are so short that they are no key and stand in any text.
  std::vector<std::string> secrets;
};

// A usage Error that shows nothing secret for what is no url of http or https with a host.
Endpoint parse_endpoint(const std::string& url);

}  // namespace textcrs
