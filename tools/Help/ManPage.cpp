//===- ManPage.cpp - Help as a man page -----------------------------------===//
///
/// \file
/// The macros of man(7). No date is printed: the same program gives the same
/// page.
///
//===----------------------------------------------------------------------===//

#include "Help.h"

#include "toscac/Basic/Version.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::help;

/// Dashes are those that can be typed, and no line begins a macro.
static std::string escape(llvm::StringRef text) {
  std::string result;
  for (char letter : text) {
    bool begins = result.empty() || result.back() == '\n';
    if (letter == '\\')
      result += "\\e";
    else if (letter == '-')
      result += "\\-";
    else if (begins && (letter == '.' || letter == '\''))
      result += std::string("\\&") + letter;
    else
      result += letter;
  }
  return result;
}

static void printRows(llvm::StringRef heading, llvm::ArrayRef<Row> rows,
                      llvm::raw_ostream &out) {
  if (rows.empty())
    return;
  out << ".SH " << heading << '\n';
  for (const Row &row : rows)
    out << ".TP\n.B " << escape(row.left) << '\n' << escape(row.right) << '\n';
}

static void printEntry(const Entry &entry, llvm::raw_ostream &out) {
  out << ".TP\n";
  if (entry.isArgument()) {
    out << ".I " << escape(entry.value) << '\n';
  } else {
    llvm::StringRef before = ".BR ";
    for (const std::string &name : entry.names) {
      out << before << escape(name);
      before = " \", \" ";
    }
    if (!entry.value.empty())
      out << " \" \\fI" << escape(entry.value) << "\\fP\"";
    out << '\n';
  }
  // Lines of a text that stands as a list stay lines.
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(entry.text).split(lines, '\n');
  bool isList = lines.size() > 2 && lines[1].contains(": ");
  for (llvm::StringRef line : lines)
    out << (isList && line.data() != lines[0].data() ? ".br\n" : "")
        << escape(line) << '\n';
}

static void printOptions(const CLI::App &app, llvm::raw_ostream &out) {
  std::vector<Entry> entries = listEntries(app);
  std::vector<std::string> groups;
  for (const Entry &entry : entries)
    if (entry.isArgument())
      printEntry(entry, out);
    else if (!llvm::is_contained(groups, entry.group))
      groups.push_back(entry.group);
  for (const std::string &group : groups) {
    if (groups.size() > 1)
      out << ".SS " << escape(group) << '\n';
    for (const Entry &entry : entries)
      if (entry.group == group && !entry.isArgument())
        printEntry(entry, out);
  }
}

static void printCommand(const CLI::App &command, std::string path,
                         llvm::raw_ostream &out) {
  path += (path.empty() ? "" : " ") + command.get_name();
  std::vector<const CLI::App *> inner = listCommands(command);
  for (const CLI::App *each : inner)
    printCommand(*each, path, out);
  if (!inner.empty())
    return;
  out << ".SS " << escape(path) << '\n'
      << escape(command.get_description()) << '\n';
  for (const Entry &entry : listEntries(command))
    if (!llvm::is_contained(entry.names, "--help"))
      printEntry(entry, out);
}

void help::printManPage(const CLI::App &app, const Page &page,
                        llvm::raw_ostream &out) {
  std::string name = app.get_name();
  std::string purpose = app.get_description();
  out << ".TH " << llvm::StringRef(name).upper() << " 1 \"\" \"toscac "
      << version() << "\" \"User Commands\"\n"
      << ".SH NAME\n"
      << escape(name) << " \\- " << escape(llvm::StringRef(purpose).rtrim('.'))
      << '\n'
      << ".SH SYNOPSIS\n";
  for (const char *usage : page.usage)
    out << ".B " << escape(name) << "\n" << escape(usage) << "\n.br\n";
  printRows("EXAMPLES", page.examples, out);
  for (const Topic &topic : page.topics)
    for (const Row &row : topic.examples)
      out << ".TP\n.B " << escape(row.left) << '\n'
          << escape(row.right) << '\n';
  out << ".SH OPTIONS\n";
  printOptions(app, out);
  std::vector<const CLI::App *> commands = listCommands(app);
  if (!commands.empty())
    out << ".SH COMMANDS\n";
  for (const CLI::App *command : commands)
    printCommand(*command, "", out);
  printRows("EXIT STATUS", page.exitCodes, out);
  printRows("ENVIRONMENT", page.environment, out);
  out << ".SH SEE ALSO\n";
  llvm::StringRef before;
  for (const char *other : page.seeAlso) {
    out << before << ".BR " << escape(other) << " (1)";
    before = ",\n";
  }
  out << "\n.PP\nThe manual is below /usr/share/doc/toscac.\n";
}
