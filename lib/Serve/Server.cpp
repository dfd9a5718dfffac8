//===- Server.cpp - Pages of a store over HTTP ----------------------------===//
///
/// \file
/// One thread for each request. The store, and what was read from it, is behind
/// one lock; a stream of events looks a few times a second whether the store
/// has changed, and sends all that its page shows where it has.
///
//===----------------------------------------------------------------------===//

#include "toscac/Serve/Serve.h"

#include "Gate.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/DiagnosticsState.h"
#include "toscac/Run/ExitCode.h"
#include "toscac/Run/WatchRun.h"
#include "llvm/ADT/StringExtras.h"
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <httplib.h>
#include <map>
#include <mutex>
#include <thread>

using namespace toscac;
using namespace toscac::serve;
using llvm::StringRef;
using run::RunWatch;
using state::Store;

/// Streams at once; each has a thread.
static constexpr int maxStreams = 32;
static constexpr int maxThreads = 48;
static constexpr std::chrono::milliseconds period(200);
/// After so many periods without news something is sent all the same, so that
/// a stream that nobody reads any more ends.
static constexpr int maxSilence = 25;

namespace {

/// What a page shows, as JSON, and when it last changed.
struct Feed {
  /// Null: of the store.
  std::unique_ptr<RunWatch> watch;
  std::string deployment;
  int64_t version = -1;
  std::string facts;
  uint64_t number = 0;
  /// Nothing is read before: what takes long is not done again at once.
  std::chrono::steady_clock::time_point next;
};

class Server {
public:
  Server(const ServeOptions &options, std::unique_ptr<Store> store, Gate gate)
      : options(options), store(std::move(store)), gate(std::move(gate)) {}

  void answer(const httplib::Request &request, httplib::Response &response);
  /// Streams send what is there, and end.
  void stop();

private:
  void sendPage(const httplib::Request &request, httplib::Response &response);
  void sendEvents(const httplib::Request &request, httplib::Response &response);
  llvm::Expected<std::shared_ptr<Feed>> feedOf(const httplib::Request &request);
  llvm::Error refresh(Feed &feed);
  bool streamEvents(Feed &feed, httplib::DataSink &sink);
  run::WatchOptions watchOptions(const httplib::Request &request) const;

  const ServeOptions &options;
  std::mutex mutex;
  std::condition_variable changed;
  std::unique_ptr<Store> store;
  Gate gate;
  std::map<std::string, std::shared_ptr<Feed>> feeds;
  bool isStopping = false;
  int numStreams = 0;
};

} // namespace

static Visit visitOf(const httplib::Request &request,
                     std::vector<std::string> &texts) {
  auto header = [&](const char *name) -> StringRef {
    texts.push_back(request.get_header_value(name));
    return texts.back();
  };
  texts.reserve(8);
  Visit visit;
  visit.method = request.method;
  visit.host = header("Host");
  visit.hasOneHost = request.get_header_value_count("Host") == 1;
  visit.origin = header("Origin");
  visit.fetchSite = header("Sec-Fetch-Site");
  visit.fetchMode = header("Sec-Fetch-Mode");
  texts.push_back(request.get_param_value("token"));
  visit.token = texts.back();
  return visit;
}

static void refuse(httplib::Response &response, int status, StringRef why) {
  response.status = status;
  response.set_content(why.str() + "\n", "text/plain; charset=utf-8");
}

void Server::answer(const httplib::Request &request,
                    httplib::Response &response) {
  response.set_header("Cache-Control", "no-store");
  response.set_header("Referrer-Policy", "no-referrer");
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("X-Frame-Options", "DENY");
  response.set_header("Cross-Origin-Resource-Policy", "same-origin");
  std::vector<std::string> texts;
  Visit visit = visitOf(request, texts);
  if (StringRef why = gate.refusal(visit); !why.empty())
    return refuse(response, visit.method == "GET" ? 403 : 405, why);
  if (request.path == "/" || request.path == "/run")
    return sendPage(request, response);
  if (request.path == "/events" || request.path == "/run/events")
    return sendEvents(request, response);
  refuse(response, 404, "there is no such page");
}

static int64_t runOf(const httplib::Request &request) {
  int64_t id = 0;
  if (StringRef(request.get_param_value("id")).getAsInteger(10, id))
    return -1;
  return id;
}

run::WatchOptions Server::watchOptions(const httplib::Request &request) const {
  return {options.workFolder,
          request.path == "/run" ? "/run/events" : "/events"};
}

void Server::sendPage(const httplib::Request &request,
                      httplib::Response &response) {
  std::string text;
  llvm::raw_string_ostream os(text);
  std::lock_guard lock(mutex);
  std::string deployment = request.get_param_value("deployment");
  llvm::Error error = llvm::Error::success();
  if (request.path == "/") {
    error = writeStorePage(*store, deployment, watchOptions(request), os);
  } else {
    auto watch = RunWatch::open(*store, deployment, runOf(request),
                                watchOptions(request));
    error = watch ? (*watch)->writePage(os) : watch.takeError();
  }
  if (error)
    return refuse(response, 404, llvm::toString(std::move(error)));
  response.set_content(text, "text/html; charset=utf-8");
}

llvm::Expected<std::shared_ptr<Feed>>
Server::feedOf(const httplib::Request &request) {
  std::string deployment = request.get_param_value("deployment");
  bool isRun = request.path == "/run/events";
  int64_t id = isRun ? runOf(request) : 0;
  std::shared_ptr<Feed> &feed = feeds[deployment + "\n" + std::to_string(id)];
  if (feed)
    return feed;
  auto made = std::make_shared<Feed>();
  made->deployment = deployment;
  if (isRun) {
    auto watch = RunWatch::open(*store, deployment, id, watchOptions(request));
    if (!watch)
      return watch.takeError();
    made->watch = std::move(*watch);
  }
  return feed = made;
}

/// Reads what is new, if something is. The caller has the lock.
llvm::Error Server::refresh(Feed &feed) {
  auto start = std::chrono::steady_clock::now();
  if (start < feed.next)
    return llvm::Error::success();
  llvm::Expected<int64_t> version = store->version();
  if (!version)
    return version.takeError();
  // A process that died leaves no trace in the store.
  bool mayHaveDied = feed.watch && !feed.watch->isOver();
  if (*version == feed.version && !mayHaveDied)
    return llvm::Error::success();
  std::string facts;
  if (feed.watch) {
    bool isNews = *version != feed.version;
    if (llvm::Error error = feed.watch->refresh())
      return error;
    if (!isNews && !feed.watch->isOver())
      return llvm::Error::success();
    facts = feed.watch->facts();
  } else {
    auto read = run::storeFacts(*store, feed.deployment);
    if (!read)
      return read.takeError();
    facts = std::move(*read);
  }
  feed.version = *version;
  auto now = std::chrono::steady_clock::now();
  feed.next = now + 3 * (now - start);
  if (facts == feed.facts)
    return llvm::Error::success();
  feed.facts = std::move(facts);
  ++feed.number;
  return llvm::Error::success();
}

/// A message of the stream: each line of \p json as a line of data.
static std::string messageOf(StringRef name, StringRef json) {
  std::string text;
  llvm::raw_string_ostream data(text);
  page::writeData(json, data);
  std::string message = ("event: " + name + "\n").str();
  for (StringRef line : llvm::split(text, '\n'))
    message += ("data: " + line + "\n").str();
  return message + "\n";
}

/// Sends what is new until the reader, or this server, goes away.
bool Server::streamEvents(Feed &feed, httplib::DataSink &sink) {
  auto send = [&](const std::string &text) {
    return sink.write(text.data(), text.size());
  };
  uint64_t sent = 0;
  int silence = 0;
  while (sink.is_writable()) {
    std::unique_lock lock(mutex);
    bool isLast = isStopping;
    if (isLast)
      feed.next = {};
    if (llvm::Error error = refresh(feed)) {
      llvm::consumeError(std::move(error));
      isLast = true;
    }
    std::string message;
    if (feed.number != sent)
      message = messageOf(feed.watch ? "run" : "store", feed.facts);
    sent = feed.number;
    lock.unlock();
    if (message.empty() && ++silence == maxSilence)
      message = ": nothing new\n\n";
    if (!message.empty()) {
      silence = 0;
      if (!send(message))
        return false;
    }
    if (isLast) {
      send("event: end\ndata: {}\n\n");
      sink.done();
      return true;
    }
    lock.lock();
    changed.wait_for(lock, period, [&] { return isStopping; });
  }
  return false;
}

void Server::sendEvents(const httplib::Request &request,
                        httplib::Response &response) {
  std::lock_guard lock(mutex);
  if (numStreams == maxStreams)
    return refuse(response, 503, "too many look at this already");
  auto feed = feedOf(request);
  if (!feed)
    return refuse(response, 404, llvm::toString(feed.takeError()));
  ++numStreams;
  response.set_chunked_content_provider(
      "text/event-stream",
      [this, feed = *feed](size_t, httplib::DataSink &sink) {
        return streamEvents(*feed, sink);
      },
      [this](bool) {
        std::lock_guard lock(mutex);
        --numStreams;
        changed.notify_all();
      });
}

void Server::stop() {
  std::unique_lock lock(mutex);
  isStopping = true;
  changed.notify_all();
  changed.wait(lock, [&] { return numStreams == 0; });
}

/// \p text within an address.
static std::string encoded(StringRef text) {
  std::string result;
  for (unsigned char c : text)
    if (llvm::isAlnum(c) || StringRef("-._~").contains(c))
      result += c;
    else
      result += "%" + llvm::toHex(llvm::ArrayRef(c));
  return result;
}

static std::string urlOf(const ServeOptions &options, const Address &address,
                         StringRef token) {
  std::string url = "http://" + address.text() + (options.run ? "/run?" : "/?");
  if (!options.deployment.empty())
    url += "deployment=" + encoded(options.deployment) + "&";
  if (options.run)
    url += "id=" + std::to_string(options.run) + "&";
  return url + "token=" + token.str();
}

static int fail(const std::string &why, DiagnosticEngine &diags) {
  diags.report({}, diag::CannotServe, why);
  return run::ExitFile;
}

/// Binds \p http; sets the port that it got.
static bool bindTo(httplib::Server &http, Address &address) {
  if (address.port)
    return http.bind_to_port(address.host, address.port);
  int port = http.bind_to_any_port(address.host);
  address.port = port > 0 ? port : 0;
  return port > 0;
}

int serve::serveStore(const ServeOptions &options, llvm::raw_fd_ostream &out,
                      DiagnosticEngine &diags) {
  llvm::Expected<Address> address = parseAddress(options.address);
  if (!address)
    return fail(llvm::toString(address.takeError()), diags);
  auto store = Store::open(options.store, Store::Access::Read);
  if (!store) {
    diags.report({}, diag::BrokenStore, state::shownStore(options.store),
                 llvm::toString(store.takeError()));
    return run::ExitFile;
  }
  httplib::Server http;
  // Without SO_REUSEPORT, by which another process could take part of the
  // requests.
  http.set_socket_options([](socket_t socket) {
    int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  http.new_task_queue = [] { return new httplib::ThreadPool(maxThreads); };
  if (!bindTo(http, *address))
    return fail("nobody can listen at " + address->text(), diags);
  llvm::Expected<Gate> gate = Gate::make(*address);
  if (!gate)
    return fail(llvm::toString(gate.takeError()), diags);
  std::string url = urlOf(options, *address, gate->token());
  Server server(options, std::move(*store), std::move(*gate));
  http.set_pre_routing_handler(
      [&](const httplib::Request &request, httplib::Response &response) {
        server.answer(request, response);
        return httplib::Server::HandlerResponse::Handled;
      });
  out << url << '\n';
  out.flush();
  std::thread waiter;
  if (options.endsWithInput)
    waiter = std::thread([&] {
      char byte;
      while (read(STDIN_FILENO, &byte, 1) > 0)
        ;
      server.stop();
      while (!http.is_running())
        std::this_thread::yield();
      http.stop();
    });
  bool isGood = http.listen_after_bind();
  if (waiter.joinable())
    waiter.join();
  return isGood || options.endsWithInput ? run::ExitDone
                                         : fail("listening has ended", diags);
}
