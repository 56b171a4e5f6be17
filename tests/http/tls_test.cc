// That certificates are verified, with the server of OpenSSL's program where there is one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "http/broken_server.h"
#include "http/client_calls.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// Ends the program it runs when it goes.
class TlsServer {
 public:
  explicit TlsServer(const fs::path& folder) {
    const std::string certificate = (folder / "cert.pem").string(),
                      key = (folder / "key.pem").string();
    const std::string make =
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 "
        "-nodes -days 2 -subj /CN=127.0.0.1 -addext "
        "subjectAltName=IP:127.0.0.1 -keyout " +
        key + " -out " + certificate + " 2>/dev/null";
    if (std::system(make.c_str()) != 0) return;
    int out[2];
    if (pipe(out) != 0) return;
    child_ = fork();
    if (child_ == 0) {
      for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) dup2(out[1], stream);
      execlp("openssl", "openssl", "s_server", "-www", "-accept", "127.0.0.1:0", "-cert",
             certificate.c_str(), "-key", key.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    close(out[1]);
    char byte = 0;
    while (url_.empty() && read(out[0], &byte, 1) == 1) {  // "ACCEPT 127.0.0.1:43210"
      if (byte == '\n' && line_.starts_with("ACCEPT 127"))
        url_ = "https://" + line_.substr(7) + "/";
      if (byte == '\n')
        line_.clear();
      else
        line_ += byte;
    }
    out_ = out[0];
  }
  ~TlsServer() {
    if (child_ <= 0) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    close(out_);
  }
  TlsServer(const TlsServer&) = delete;
  TlsServer& operator=(const TlsServer&) = delete;

  const std::string& url() const { return url_; }  // empty: it could not be started

  // All that the server got, when it has ended.
  std::string received() {
    kill(child_, SIGTERM);
    std::string all;
    char byte = 0;
    while (read(out_, &byte, 1) == 1) all += byte;
    return all;
  }

 private:
  pid_t child_ = -1;
  int out_ = -1;
  std::string line_, url_;
};

TEST(Tls, NothingIsSentToWhoHasNoGoodCertificate) {
  std::string name = (fs::temp_directory_path() / "textcrs-tls-XXXXXX").string();
  const fs::path folder = mkdtemp(name.data());
  {
    setenv("no_proxy", "127.0.0.1", 1);
    TlsServer server(folder);
    if (server.url().empty()) GTEST_SKIP() << "no openssl s_server";
    HttpOptions options = quick();
    options.timeout = std::chrono::seconds(20);  // this server does not answer a POST
    const std::string said = failure(HttpClient(server.url(), "sk-very-secret", options));
    EXPECT_THAT(said, HasSubstr("certificate"));
    EXPECT_THAT(said, HasSubstr("(1 attempt)"));
    EXPECT_THAT(server.received(), Not(HasSubstr("POST")));
  }
  fs::remove_all(folder);
}

TEST(Tls, AServerWithoutItIsAFault) {
  const BrokenServer server({[](Peer& peer) {
    peer.send("HTTP/1.1 400 No TLS\r\n\r\n");
    peer.read_request();
  }});
  const std::string url = "https" + server.url().substr(4);
  failure(HttpClient(url, "sk-very-secret", quick()));
  EXPECT_EQ(server.connections(), 3u);
  for (const std::string& request : server.requests())
    EXPECT_THAT(request, Not(HasSubstr("sk-very-secret")));
}

}  // namespace
}  // namespace textcrs
