//===- Help.cpp - Help on the terminal ------------------------------------===//
///
/// \file
/// One screen for every day, all of it, or one topic.
///
//===----------------------------------------------------------------------===//

#include "Help.h"

#include "CommandLine.h"
#include "toscac/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace toscac;
using namespace toscac::help;

/// Where explanations begin.
static constexpr unsigned column = 30;

static Entry takeApart(const CLI::Option &option) {
  Entry entry;
  for (const std::string &name : option.get_snames())
    entry.names.push_back("-" + name);
  for (const std::string &name : option.get_lnames())
    entry.names.push_back("--" + name);
  if (entry.names.empty())
    entry.names.push_back(option.get_name(/*positional=*/true));
  if (option.get_items_expected_max() > 0) {
    // `KIND:{a,b}`: what validators say follows the name.
    std::string type = option.get_type_name();
    auto [value, words] = llvm::StringRef(type).split(':');
    entry.value = value.str();
    llvm::SmallVector<llvm::StringRef> list;
    if (words.consume_front("{"))
      words.split('}').first.split(list, ',');
    for (llvm::StringRef word : list)
      entry.words.push_back(word.str());
  }
  entry.text = option.get_description();
  entry.group = option.get_group();
  return entry;
}

std::vector<Entry> help::listEntries(const CLI::App &app) {
  std::vector<Entry> entries;
  for (const CLI::Option *option : app.get_options())
    if (!option->get_group().empty())
      entries.push_back(takeApart(*option));
  return entries;
}

std::vector<const CLI::App *> help::listCommands(const CLI::App &app) {
  return app.get_subcommands([](const CLI::App *) { return true; });
}

/// `left   right`, with the lines of \p right below each other.
static void printRow(llvm::StringRef left, llvm::StringRef right,
                     llvm::raw_ostream &out) {
  out << "  " << left;
  unsigned at = left.size() + 2;
  if (at + 1 >= column) {
    out << '\n';
    at = 0;
  }
  llvm::SmallVector<llvm::StringRef> lines;
  right.split(lines, '\n');
  for (llvm::StringRef line : lines) {
    out.indent(column - at) << line << '\n';
    at = 0;
  }
}

static void printEntry(const Entry &entry, llvm::StringRef text,
                       llvm::raw_ostream &out) {
  std::string left = llvm::join(entry.names, ",");
  if (entry.isArgument())
    left = entry.value.empty() ? left : entry.value;
  else if (!entry.value.empty())
    left += " " + entry.value;
  printRow(left, text, out);
}

/// Commands, with a column that is as wide as the longest.
static void printExamples(llvm::ArrayRef<Row> rows, llvm::raw_ostream &out) {
  size_t width = 0;
  for (const Row &row : rows)
    width = std::max(width, llvm::StringRef(row.left).size());
  for (const Row &row : rows) {
    llvm::StringRef left = row.left;
    out << "  " << left;
    out.indent(width - left.size() + 2) << row.right << '\n';
  }
}

static void printUsage(const CLI::App &app, const Page &page,
                       llvm::raw_ostream &out) {
  out << app.get_description() << '\n';
  llvm::StringRef before = "\nusage: ";
  for (const char *usage : page.usage) {
    out << before << app.get_name() << ' ' << usage << '\n';
    before = "       ";
  }
}

static void printCommands(const CLI::App &app, llvm::raw_ostream &out) {
  std::vector<const CLI::App *> commands = listCommands(app);
  if (commands.empty())
    return;
  out << "\ncommands (each has --help):\n";
  for (const CLI::App *command : commands)
    printRow(command->get_name(), command->get_description(), out);
}

static void printExitCodes(const Page &page, llvm::raw_ostream &out) {
  out << "\nexit codes:\n";
  for (const Row &row : page.exitCodes)
    out << "  " << llvm::left_justify(row.left, 5) << row.right << '\n';
}

void help::printEveryday(const CLI::App &app, const Page &page,
                         llvm::raw_ostream &out) {
  printUsage(app, page, out);
  out << "\nexamples:\n";
  printExamples(page.examples, out);
  printCommands(app, out);
  if (!page.everyday.empty())
    out << "\noptions of every day:\n";
  std::vector<Entry> entries = listEntries(app);
  for (const Row &row : page.everyday) {
    auto found = llvm::find_if(entries, [&](const Entry &entry) {
      return llvm::is_contained(entry.names, row.left);
    });
    assert(found != entries.end() && "the table names an option");
    printEntry(*found, row.right ? row.right : found->text.c_str(), out);
  }
  printExitCodes(page, out);
  out << "\nmore: --help-all for all options";
  if (!page.topics.empty()) {
    llvm::StringRef before = "; --help=";
    for (const Topic &topic : page.topics) {
      out << before << topic.name;
      before = "|";
    }
  }
  out << "; man " << app.get_name() << '\n';
}

static void printGroup(const std::vector<Entry> &entries, llvm::StringRef group,
                       llvm::raw_ostream &out) {
  out << '\n' << group << ":\n";
  for (const Entry &entry : entries)
    if (entry.group == group && !entry.isArgument())
      printEntry(entry, entry.text, out);
}

void help::printAll(const CLI::App &app, const Page &page,
                    llvm::raw_ostream &out) {
  printUsage(app, page, out);
  out << '\n';
  std::vector<Entry> entries = listEntries(app);
  std::vector<std::string> groups;
  for (const Entry &entry : entries)
    if (entry.isArgument())
      printEntry(entry, entry.text, out);
    else if (!llvm::is_contained(groups, entry.group))
      groups.push_back(entry.group);
  printCommands(app, out);
  for (const std::string &group : groups)
    printGroup(entries, group, out);
  printExitCodes(page, out);
}

void help::printTopic(const CLI::App &app, const Topic &topic,
                      llvm::raw_ostream &out) {
  if (!topic.examples.empty())
    out << "examples:\n";
  printExamples(topic.examples, out);
  if (*topic.group)
    printGroup(listEntries(app), topic.group, out);
  out << "\nmanual: " << topic.page << '\n';
}

void help::addHelpOptions(CLI::App &app, const Page &page,
                          std::string version) {
  std::string text = "Print what is needed every day";
  for (const Topic &topic : page.topics)
    text += (&topic == page.topics.begin() ? "; --help=" : "|") +
            std::string(topic.name);
  app.set_help_flag("-h,--help", text);
  app.add_flag("--help-all")->description("Print all options");
  app.set_version_flag("--version", version, "Print the version");
  // How packages get man pages and completions.
  app.add_flag("--print-help")->group("");
}

static bool printAs(llvm::StringRef format, const CLI::App &app,
                    const Page &page, llvm::raw_ostream &out) {
  if (format == "man")
    printManPage(app, page, out);
  else if (format == "bash")
    printBash(app, out);
  else if (format == "zsh")
    printZsh(app, out);
  else if (format == "fish")
    printFish(app, out);
  else
    return false;
  return true;
}

std::optional<int> help::answerHelp(const CLI::App &app, const Page &page,
                                    int argc, char **argv,
                                    llvm::raw_ostream &out,
                                    llvm::raw_ostream &err) {
  std::vector<const CLI::App *> commands = listCommands(app);
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef arg = argv[i];
    // Commands have a help of their own.
    if (arg == "--" || llvm::any_of(commands, [&](const CLI::App *command) {
          return command->get_name() == arg;
        }))
      return std::nullopt;
    if (arg == "-h" || arg == "--help") {
      printEveryday(app, page, out);
      return 0;
    }
    if (arg == "--help-all") {
      printAll(app, page, out);
      return 0;
    }
    if (arg.consume_front("--print-help=")) {
      if (printAs(arg, app, page, out))
        return 0;
      return reportUsage(app, "--print-help is man, bash, zsh or fish", err);
    }
    if (!arg.consume_front("--help="))
      continue;
    std::string names;
    for (const Topic &topic : page.topics) {
      if (arg == topic.name) {
        printTopic(app, topic, out);
        return 0;
      }
      names += (names.empty() ? "" : ", ") + std::string(topic.name);
    }
    return reportUsage(app,
                       ("there is no help about '" + arg +
                        (names.empty() ? "'" : "'; there is about " + names))
                           .str(),
                       err);
  }
  return std::nullopt;
}
