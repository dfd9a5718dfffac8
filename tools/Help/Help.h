//===- Help.h - What programs say of themselves -----------------*- C++ -*-===//
///
/// \file
/// The options of a program, and what a table says beyond them, are the one
/// source of its help, its man page and the completions of shells.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_TOOLS_HELP_HELP_H
#define TOSCAC_TOOLS_HELP_HELP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>
#include <optional>

namespace toscac::help {

/// A command line and what it does; an exit code and what it means.
struct Row {
  const char *left;
  const char *right;
};

/// What `--help=NAME` shows: the options of a group, and examples.
struct Topic {
  const char *name;
  /// Empty: it has no options of its own.
  const char *group;
  llvm::ArrayRef<Row> examples;
  /// The page of the manual.
  const char *page;
};

/// What is said of a program beyond its options.
struct Page {
  llvm::ArrayRef<const char *> usage;
  llvm::ArrayRef<Row> examples;
  /// Options of everyday use; with a text, that of the option is too long for
  /// it.
  llvm::ArrayRef<Row> everyday;
  llvm::ArrayRef<Row> exitCodes;
  llvm::ArrayRef<Topic> topics;
  llvm::ArrayRef<Row> environment;
  llvm::ArrayRef<const char *> seeAlso;
};

/// An option or argument, taken apart.
struct Entry {
  /// `-o`, `--input`; a name without dashes is an argument.
  std::vector<std::string> names;
  /// `FILE`; empty: it is a flag.
  std::string value;
  /// The words that the value can be, where only these are allowed.
  std::vector<std::string> words;
  std::string text;
  std::string group;

  bool isArgument() const { return names.front().front() != '-'; }
};

/// In the order in which they were declared, without hidden ones.
std::vector<Entry> listEntries(const CLI::App &app);
std::vector<const CLI::App *> listCommands(const CLI::App &app);

/// Adds the options by which \p app is asked for all of this, and for its
/// version.
void addHelpOptions(CLI::App &app, const Page &page, std::string version);

/// Answers a command line that asks for help; gives the exit code then.
std::optional<int> answerHelp(const CLI::App &app, const Page &page, int argc,
                              char **argv, llvm::raw_ostream &out,
                              llvm::raw_ostream &err);

void printEveryday(const CLI::App &app, const Page &page,
                   llvm::raw_ostream &out);
void printAll(const CLI::App &app, const Page &page, llvm::raw_ostream &out);
void printTopic(const CLI::App &app, const Topic &topic,
                llvm::raw_ostream &out);
void printManPage(const CLI::App &app, const Page &page,
                  llvm::raw_ostream &out);
void printBash(const CLI::App &app, llvm::raw_ostream &out);
void printZsh(const CLI::App &app, llvm::raw_ostream &out);
void printFish(const CLI::App &app, llvm::raw_ostream &out);

} // namespace toscac::help

#endif
