//===- Completions.cpp - What shells offer while one types ----------------===//
///
/// \file
/// Scripts for bash, zsh and fish: options, the words that they allow, files
/// and folders, and commands with options of their own.
///
//===----------------------------------------------------------------------===//

#include "Help.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace toscac;
using namespace toscac::help;

/// Whether the value is a path, and whether that of a folder.
static bool takesFile(const Entry &entry) {
  llvm::StringRef value = entry.value;
  return value.contains("FILE") || value == "PLAN" || value == "PATH" ||
         value == "STACK";
}
static bool takesFolder(const Entry &entry) {
  llvm::StringRef value = entry.value;
  return value == "DIR" || value.ends_with("FOLDER");
}

static std::string firstLine(llvm::StringRef text) {
  return text.split('\n').first.rtrim(":;, ").str();
}

static bool isOption(const Entry &entry) { return !entry.isArgument(); }

static std::string optionNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const Entry &entry : listEntries(app))
    if (isOption(entry))
      llvm::append_range(names, entry.names);
  return llvm::join(names, " ");
}

/// Calls \p visit with each innermost command of \p app and the words that lead
/// there.
template <typename Visit>
static void forEachCommand(const CLI::App &app, const std::string &path,
                           Visit visit) {
  for (const CLI::App *command : listCommands(app)) {
    std::string inner = path + (path.empty() ? "" : " ") + command->get_name();
    visit(*command, inner);
    forEachCommand(*command, inner, visit);
  }
}

static std::string commandNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *command : listCommands(app))
    names.push_back(command->get_name());
  return llvm::join(names, " ");
}

//===----------------------------------------------------------------------===//
// bash
//===----------------------------------------------------------------------===//

/// The cases for what stands before the cursor.
static void printBashValues(const CLI::App &app, llvm::raw_ostream &out) {
  for (const Entry &entry : listEntries(app)) {
    if (!isOption(entry) || entry.value.empty())
      continue;
    out << "    " << llvm::join(entry.names, "|") << ") ";
    if (!entry.words.empty())
      out << "COMPREPLY=($(compgen -W \"" << llvm::join(entry.words, " ")
          << "\" -- \"$cur\"))";
    else if (takesFolder(entry))
      out << "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$cur\"))";
    else if (takesFile(entry))
      out << "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\"))";
    else
      out << "COMPREPLY=()";
    out << "; return ;;\n";
  }
}

void help::printBash(const CLI::App &app, llvm::raw_ostream &out) {
  std::string name = app.get_name();
  std::string function = "_" + name;
  std::replace(function.begin(), function.end(), '-', '_');
  out << "# Completion of " << name << " for bash; made by " << name
      << " --print-help=bash.\n"
      << function << "() {\n"
      << "  local cur=${COMP_WORDS[COMP_CWORD]} "
         "prev=${COMP_WORDS[COMP_CWORD-1]}"
         " command= word\n"
      << "  # --option=value comes as three words.\n"
      << "  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then "
         "prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
      << "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
      << "    case \"$command $word\" in\n";
  forEachCommand(app, "", [&](const CLI::App &, const std::string &path) {
    auto [before, last] = llvm::StringRef(path).rsplit(' ');
    out << "    \"" << (last.empty() ? " " + before : before + " " + last)
        << "\") command=\"" << path << "\" ;;\n";
  });
  out << "    esac\n  done\n"
      << "  case $prev in\n";
  printBashValues(app, out);
  forEachCommand(app, "", [&](const CLI::App &command, const std::string &) {
    printBashValues(command, out);
  });
  out << "  esac\n"
      << "  local options=\"" << optionNames(app) << "\" commands=\""
      << commandNames(app) << "\"\n"
      << "  case $command in\n";
  forEachCommand(
      app, "", [&](const CLI::App &command, const std::string &path) {
        out << "    \"" << path << "\") options=\"" << optionNames(command)
            << "\" commands=\"" << commandNames(command) << "\" ;;\n";
      });
  out << "  esac\n"
      << "  if [[ $cur == -* ]]; then\n"
      << "    COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
      << "  else\n"
      << "    compopt -o filenames\n"
      << "    COMPREPLY=($(compgen -W \"$commands\" -- \"$cur\") $(compgen -f "
         "-- "
         "\"$cur\"))\n"
      << "  fi\n}\n"
      << "complete -F " << function << ' ' << name << '\n';
}

//===----------------------------------------------------------------------===//
// zsh
//===----------------------------------------------------------------------===//

/// Within a specification of _arguments, in single quotes.
static std::string zshText(llvm::StringRef text) {
  std::string result;
  for (char letter : text) {
    if (letter == '\'')
      result += "'\\'";
    else if (letter == '[' || letter == ']' || letter == ':')
      result += '\\';
    result += letter;
  }
  return result;
}

static void printZshArguments(const CLI::App &app, llvm::StringRef indent,
                              llvm::raw_ostream &out) {
  out << indent << "_arguments -s";
  for (const Entry &entry : listEntries(app)) {
    if (!isOption(entry))
      continue;
    std::string value;
    if (!entry.words.empty())
      value = ":" + entry.value + ":(" + llvm::join(entry.words, " ") + ")";
    else if (takesFolder(entry))
      value = ":" + entry.value + ":_files -/";
    else if (takesFile(entry))
      value = ":" + entry.value + ":_files";
    else if (!entry.value.empty())
      value = ":" + zshText(entry.value) + ":";
    for (const std::string &name : entry.names)
      out << " \\\n"
          << indent << "  '*" << name << '[' << zshText(firstLine(entry.text))
          << ']' << value << "'";
  }
  std::string commands = commandNames(app);
  if (commands.empty())
    out << " \\\n" << indent << "  '*:file:_files'\n";
  else
    out << " \\\n"
        << indent << "  '1:command or file:{ compadd " << commands
        << "; _files }' '*::arguments:->rest'\n";
}

static void printZshCommand(const CLI::App &app, unsigned depth,
                            llvm::raw_ostream &out) {
  std::string indent(2 * depth, ' ');
  printZshArguments(app, indent, out);
  std::vector<const CLI::App *> commands = listCommands(app);
  if (commands.empty())
    return;
  out << indent << "if [[ $state == rest ]]; then\n"
      << indent << "  case $words[1] in\n";
  for (const CLI::App *command : commands) {
    out << indent << "  " << command->get_name() << ")\n";
    printZshCommand(*command, depth + 2, out);
    out << indent << "    ;;\n";
  }
  out << indent << "  *) _files ;;\n"
      << indent << "  esac\n"
      << indent << "fi\n";
}

void help::printZsh(const CLI::App &app, llvm::raw_ostream &out) {
  out << "#compdef " << app.get_name() << '\n'
      << "# Made by " << app.get_name() << " --print-help=zsh.\n"
      << "local state line\n";
  printZshCommand(app, 0, out);
}

//===----------------------------------------------------------------------===//
// fish
//===----------------------------------------------------------------------===//

static std::string fishText(llvm::StringRef text) {
  std::string result = "'";
  for (char letter : text) {
    if (letter == '\'' || letter == '\\')
      result += '\\';
    result += letter;
  }
  return result + "'";
}

static void printFishOptions(const CLI::App &app, llvm::StringRef program,
                             llvm::StringRef condition,
                             llvm::raw_ostream &out) {
  for (const Entry &entry : listEntries(app)) {
    if (!isOption(entry))
      continue;
    out << "complete -c " << program << condition;
    for (llvm::StringRef name : entry.names)
      if (name.consume_front("--"))
        out << " -l " << name;
      else
        out << " -s " << name.drop_front();
    if (!entry.words.empty())
      out << " -x -a " << fishText(llvm::join(entry.words, " "));
    else if (takesFolder(entry))
      out << " -x -a '(__fish_complete_directories)'";
    else if (!entry.value.empty())
      out << (takesFile(entry) ? " -r" : " -x");
    out << " -d " << fishText(firstLine(entry.text)) << '\n';
  }
}

void help::printFish(const CLI::App &app, llvm::raw_ostream &out) {
  std::string name = app.get_name();
  out << "# Completion of " << name << " for fish; made by " << name
      << " --print-help=fish.\n";
  printFishOptions(app, name, "", out);
  forEachCommand(
      app, "", [&](const CLI::App &command, const std::string &path) {
        auto [before, last] = llvm::StringRef(path).rsplit(' ');
        std::string above =
            last.empty()
                ? " -n __fish_use_subcommand"
                : (" -n '__fish_seen_subcommand_from " + before + "'").str();
        out << "complete -c " << name << above << " -f -a "
            << command.get_name() << " -d "
            << fishText(firstLine(command.get_description())) << '\n';
        std::string seen = (" -n '__fish_seen_subcommand_from " +
                            (last.empty() ? before : last) + "'")
                               .str();
        printFishOptions(command, name, seen, out);
      });
}
