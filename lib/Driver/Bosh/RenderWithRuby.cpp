//===- RenderWithRuby.cpp - Files of jobs by Ruby itself ------------------===//

#include "RenderWithRuby.h"

#include "RubyProgram.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Value/ReadJSON.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include <set>

using namespace toscac;
using bosh::RenderedFile;
using bosh::RenderTask;
using llvm::StringRef;

namespace {

/// What Ruby says of one template.
struct Answer {
  std::string content, error, fatal;
  int64_t line = 0;
  bool isUnknown = false;
};

/// A file that nobody else can read, and that is gone at the end.
struct PassingFile {
  llvm::SmallString<128> path;
  std::string problem;

  explicit PassingFile(StringRef text) {
    int descriptor;
    if (std::error_code error = llvm::sys::fs::createTemporaryFile(
            "toscac", "tmp", descriptor, path)) {
      problem = error.message();
      return;
    }
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << text;
  }
  PassingFile(const PassingFile &) = delete;
  ~PassingFile() { llvm::sys::fs::remove(path); }
};

} // namespace

static std::optional<Answer> readAnswer(JSONReader &reader, StringRef line) {
  Answer answer;
  bool isGood = true;
  llvm::Error error = reader.fields(line, [&](StringRef key, JSONField &value) {
    if (key == "line") {
      answer.line = value.integer().value_or(0);
    } else if (key == "unknown") {
      answer.isUnknown = value.boolean().value_or(false);
    } else if (auto text = value.string()) {
      std::vector<char> bytes;
      if (key == "content") {
        llvm::Error wrong = llvm::decodeBase64(*text, bytes);
        isGood = !wrong;
        llvm::consumeError(std::move(wrong));
        answer.content.assign(bytes.begin(), bytes.end());
      } else {
        (key == "fatal" ? answer.fatal : answer.error) = text->str();
      }
    }
    return true;
  });
  isGood &= !error;
  llvm::consumeError(std::move(error));
  return isGood ? std::optional(std::move(answer)) : std::nullopt;
}

/// The place of \p line, from 1 on, in \p source.
static SourceRange lineIn(const SourceManager &sources, FileId source,
                          int64_t line) {
  StringRef text = sources.text(source);
  size_t at = 0;
  for (int64_t i = 1; i < line && text.find('\n', at) != StringRef::npos; ++i)
    at = text.find('\n', at) + 1;
  size_t length = std::min(text.find('\n', at), text.size()) - at;
  SourceLoc begin = sources.begin(source).advanced(at);
  return {begin, begin.advanced(length)};
}

/// Runs Ruby over \p requests, one a line; what it wrote, or nothing after a
/// report.
static std::optional<std::string> runRuby(Compilation &compilation,
                                          StringRef requests) {
  DiagnosticEngine &diags = compilation.diags;
  auto ruby = llvm::sys::findProgramByName("ruby");
  if (!ruby) {
    diags.report({}, diag::RubyNotUsable, "ruby", "there is no such program");
    return std::nullopt;
  }
  PassingFile program(rubyProgram), input(requests), output(""), errors("");
  for (const PassingFile *file : {&program, &input, &output, &errors})
    if (!file->problem.empty()) {
      diags.report({}, diag::RubyNotUsable, *ruby, file->problem);
      return std::nullopt;
    }
  StringRef arguments[] = {*ruby, "--disable=gems,did_you_mean,error_highlight",
                           program.path};
  StringRef environment[] = {"LANG=C.UTF-8", "HOME=/"};
  std::optional<StringRef> redirects[] = {
      StringRef(input.path), StringRef(output.path), StringRef(errors.path)};
  std::string problem;
  // Templates that go on for ever are stopped.
  constexpr unsigned seconds = 300, megabytes = 4096;
  int code = llvm::sys::ExecuteAndWait(*ruby, arguments, environment, redirects,
                                       seconds, megabytes, &problem);
  auto written = llvm::MemoryBuffer::getFile(output.path);
  auto said = llvm::MemoryBuffer::getFile(errors.path);
  std::string text = written ? (*written)->getBuffer().str() : "";
  if (code == 0)
    return text;
  if (problem.empty() && said)
    problem = StringRef((*said)->getBuffer()).split('\n').first.str();
  if (StringRef(text).starts_with("{\"fatal\""))
    return text;
  diags.report({}, diag::RubyNotUsable, *ruby,
               problem.empty() ? "it ended too early" : problem);
  return std::nullopt;
}

std::vector<RenderedFile>
toscac::renderWithRuby(Compilation &compilation,
                       std::vector<RenderTask> tasks) {
  std::vector<RenderedFile> files;
  DiagnosticEngine &diags = compilation.diags;
  std::string requests;
  for (const RenderTask &task : tasks)
    requests += task.request + "\n";
  auto written = runRuby(compilation, requests);
  if (!written)
    return files;
  ValueArena arena;
  JSONReader reader(arena, compilation.names);
  StringRef rest = *written;
  // The next instance would only say the same.
  std::set<std::pair<std::string, uint32_t>> reported;
  for (RenderTask &task : tasks) {
    auto [line, others] = rest.split('\n');
    rest = others;
    std::optional<Answer> answer = readAnswer(reader, line);
    if (!answer || !answer->fatal.empty()) {
      diags.report({}, diag::RubyNotUsable, "ruby",
                   answer ? answer->fatal : "it ended too early");
      return files;
    }
    if (answer->error.empty()) {
      files.push_back({std::move(task.path), std::move(answer->content)});
      continue;
    }
    SourceRange place = lineIn(compilation.sources, task.source, answer->line);
    if (!reported.insert({answer->error, place.begin.raw}).second)
      continue;
    if (answer->isUnknown)
      diags.report(place, diag::TemplateValueMissing, answer->error, task.job,
                   task.group);
    else
      diags.report(place, diag::TemplateRaises, task.job, task.group,
                   answer->error);
  }
  return files;
}
