// An HTTP server on loopback that behaves as badly as it is told: raw sockets, one behaviour for
// each connection.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace textcrs {

// A socket that listens on a free port of loopback.
struct Listening {
  explicit Listening(int backlog) {
    setenv("no_proxy", "127.0.0.1", 1);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, generic(), size) != 0 || listen(fd, backlog) != 0 ||
        getsockname(fd, generic(), &size) != 0)
      throw std::runtime_error("no server on loopback");
  }
  ~Listening() { close(fd); }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

  sockaddr* generic() { return reinterpret_cast<sockaddr*>(&address); }
  int port() const { return ntohs(address.sin_port); }
  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port()) + path;
  }

  int fd = -1;
  sockaddr_in address{};
};

// The server's end of a connection. Nothing waits on when the server is gone; what can not be sent
// is lost.
class Peer {
 public:
  using Record = std::function<void(const std::string& request)>;
  Peer(int fd, const std::atomic<bool>& over, Record record)
      : fd_(fd), over_(over), record_(std::move(record)) {}

  // A request with its body; what came so far if the client closes the connection.
  std::string read_request() {
    while (size_of_request(received_) > received_.size() && read_some()) {
    }
    const size_t size = std::min(size_of_request(received_), received_.size());
    std::string request = received_.substr(0, size);
    received_.erase(0, size);
    record_(request);
    return request;
  }

  bool send(std::string_view bytes) {
    while (!bytes.empty() && !over_) {
      pollfd ready{fd_, POLLOUT, 0};
      if (poll(&ready, 1, kSlice) == 0) continue;
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && errno == EAGAIN) continue;
      if (sent < 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return !over_;
  }

  // Until the client closes the connection.
  void wait() {
    while (read_some()) {
    }
  }

  // The connection breaks at once, with what was sent and not read yet.
  void reset() {
    const linger at_once{1, 0};
    setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    ::shutdown(fd_, SHUT_RD);
    was_reset_ = true;
  }
  bool was_reset() const { return was_reset_; }

 private:
  static constexpr int kSlice = 20;  // milliseconds

  bool read_some() {
    pollfd ready{fd_, POLLIN, 0};
    while (!over_) {
      if (poll(&ready, 1, kSlice) == 0) continue;
      char bytes[4096];
      const ssize_t size = recv(fd_, bytes, sizeof bytes, 0);
      if (size > 0) received_.append(bytes, static_cast<size_t>(size));
      return size > 0;
    }
    return false;
  }

  // More than there is as long as the headers have no end.
  static size_t size_of_request(std::string_view text) {
    constexpr std::string_view kEnd = "\r\n\r\n", kLength = "Content-Length: ";
    const size_t end = text.find(kEnd), length = text.find(kLength);
    if (end == text.npos) return text.size() + 1;
    size_t body = 0;
    if (length < end)
      std::from_chars(text.data() + length + kLength.size(), text.data() + end, body);
    return end + kEnd.size() + body;
  }

  int fd_;
  const std::atomic<bool>& over_;
  Record record_;
  std::string received_;
  bool was_reset_ = false;
};

class BrokenServer {
 public:
  // The connection is closed when it returns.
  using Behaviour = std::function<void(Peer&)>;

  // The first connection gets the first behaviour and so on, further ones the last.
  explicit BrokenServer(std::vector<Behaviour> script) : script_(std::move(script)) {
    accepting_ = std::thread([this] { accept_all(); });
  }

  ~BrokenServer() {
    over_ = true;
    accepting_.join();
    for (std::thread& thread : threads_) thread.join();
  }

  BrokenServer(const BrokenServer&) = delete;
  BrokenServer& operator=(const BrokenServer&) = delete;

  std::string url(const std::string& path = "/") const { return listening_.url(path); }
  // In the order in which they were read.
  std::vector<std::string> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  size_t connections() const { return connections_; }

 private:
  void accept_all() {
    for (size_t i = 0; !over_;) {
      pollfd ready{listening_.fd, POLLIN, 0};
      if (poll(&ready, 1, 20) <= 0) continue;
      const int fd = accept4(listening_.fd, nullptr, nullptr, SOCK_CLOEXEC);
      if (fd < 0) continue;
      const Behaviour& behave = script_[std::min(i++, script_.size() - 1)];
      ++connections_;
      threads_.emplace_back([this, fd, &behave] {
        Peer peer(fd, over_, [this](const std::string& request) {
          const std::lock_guard lock(mutex_);
          requests_.push_back(request);
        });
        behave(peer);
        if (!peer.was_reset()) {
          // Closed with bytes unread it would be a reset, and the client might lose what was sent.
          shutdown(fd, SHUT_WR);
          peer.wait();
        }
        close(fd);
      });
    }
  }

  std::vector<Behaviour> script_;
  Listening listening_{64};
  std::atomic<bool> over_ = false;
  std::atomic<size_t> connections_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::thread accepting_;
  std::vector<std::thread> threads_;  // touched by `accepting_` alone until it ends
};

// "HTTP/1.1 200 OK", the headers, and how long the body is.
inline std::string http_answer(const std::string& status, const std::string& body,
                               const std::string& headers = "") {
  return "HTTP/1.1 " + status + "\r\n" + headers +
         "Content-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body;
}

inline BrokenServer::Behaviour sends(std::string bytes) {
  return [bytes = std::move(bytes)](Peer& peer) {
    peer.read_request();
    peer.send(bytes);
  };
}

inline BrokenServer::Behaviour answers(const std::string& body,
                                       const std::string& status = "200 OK",
                                       const std::string& headers = "") {
  return sends(http_answer(status, body, headers));
}

inline BrokenServer::Behaviour never_answers() {
  return [](Peer& peer) {
    peer.read_request();
    peer.wait();
  };
}

inline BrokenServer::Behaviour closes_at_once() {
  return [](Peer&) {};
}

inline BrokenServer::Behaviour resets_after(std::string bytes) {
  return [bytes = std::move(bytes)](Peer& peer) {
    peer.read_request();
    peer.send(bytes);
    peer.reset();
  };
}

// One byte after the other, each after a pause.
inline BrokenServer::Behaviour drips(std::string bytes, std::chrono::milliseconds pause) {
  return [bytes = std::move(bytes), pause](Peer& peer) {
    peer.read_request();
    for (const char byte : bytes) {
      std::this_thread::sleep_for(pause);
      if (!peer.send({&byte, 1})) return;
    }
  };
}

// The start, and then `more` again and again until the client has enough.
inline BrokenServer::Behaviour never_ends(std::string start, std::string more) {
  return [start = std::move(start), more = std::move(more)](Peer& peer) {
    peer.read_request();
    if (!peer.send(start)) return;
    while (peer.send(more)) {
    }
  };
}

// Listens, but takes no connection: one that is being made hangs.
class DeafServer {
 public:
  DeafServer() {
    // They fill the queue of those that wait to be taken.
    for (int& fd : waiting_) {
      fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
      static_cast<void>(connect(fd, listening_.generic(), sizeof listening_.address));
    }
  }
  ~DeafServer() {
    for (const int fd : waiting_) close(fd);
  }
  DeafServer(const DeafServer&) = delete;
  DeafServer& operator=(const DeafServer&) = delete;

  std::string url() const { return listening_.url("/"); }

 private:
  Listening listening_{0};
  int waiting_[4] = {};
};

}  // namespace textcrs
