//===- Machine.cpp - Where a step runs ------------------------------------===//

#include "Machine.h"

#include "toscac/Basic/JSONWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/ScopedPrinter.h"
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string absoluteIn(StringRef folder, StringRef file) {
  llvm::SmallString<128> result(file);
  if (!file.empty())
    fs::make_absolute(folder, result);
  return result.str().str();
}

Connections::Connections(const RunOptions &options, StringRef root)
    : user(options.sshUser), config(options.sshConfig), wait(options.sshWait),
      root(root) {
  llvm::SmallString<128> here;
  fs::current_path(here);
  key = absoluteIn(here, options.sshKey);
  config = absoluteIn(here, options.sshConfig);
  // Names of sockets must be short.
  char folder[] = "/tmp/tosca-run-XXXXXX";
  if (mkdtemp(folder))
    sockets = folder;
}

Connections::~Connections() {
  if (sockets.empty())
    return;
  auto ssh = llvm::sys::findProgramByName("ssh");
  std::error_code error;
  for (fs::directory_iterator at(sockets, error), end; !error && at != end;
       at.increment(error))
    if (ssh)
      llvm::sys::ExecuteAndWait(
          *ssh, {*ssh, "-O", "exit", "-S", at->path(), "nobody"}, std::nullopt,
          {StringRef(), StringRef(), StringRef()}, /*SecondsToWait=*/5);
  fs::remove_directories(sockets);
}

static const Value *textIn(const Value &map, StringRef name) {
  const Value *found = map.isMap() ? map.find(name) : nullptr;
  return found && (found->isString() || found->isInteger()) ? found : nullptr;
}

/// The first of \p places, maps, that has \p name says it.
static std::string textIn(llvm::ArrayRef<Value> places, StringRef name) {
  for (const Value &place : places)
    if (const Value *found = textIn(place, name))
      return found->isString() ? found->asString().str()
                               : llvm::to_string(*found);
  return "";
}

/// Nothing that ssh would take for an option or a word of a shell.
static bool isAddress(StringRef text) {
  return !text.starts_with("-") && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || StringRef(".:-_%").contains(c);
  });
}

llvm::Expected<Machine> Connections::find(uint32_t id, LiveState &state) const {
  llvm::Expected<const state::PlannedEntity *> read = state.entity(id);
  if (!read)
    return read.takeError();
  std::string name = (*read)->content.name.str();
  ValueArena arena;
  state.copier.useArena(arena);
  llvm::SmallVector<Value, 2> places;
  for (const std::string &text :
       {llvm::to_string((*read)->content.attributes),
        llvm::to_string((*read)->content.properties)}) {
    llvm::Expected<Value> copy =
        state.copier.value(StringRef(arena.save(text)));
    if (!copy)
      return copy.takeError();
    places.push_back(*copy);
  }
  for (Value &place : places)
    if (place.isMap())
      place = state.evaluated(place, arena);
  Machine machine;
  machine.address = textIn(places, "public_address");
  // As Alien4Cloud calls it.
  if (machine.address.empty())
    machine.address = textIn(places, "public_ip_address");
  if (machine.address == "localhost")
    machine.address.clear();
  if (machine.isHere())
    return machine;
  if (!isAddress(machine.address))
    return llvm::createStringError("the public_address of '" + name +
                                   "' is no address: '" + machine.address +
                                   "'");
  machine.user = textIn(places, "ssh_user");
  if (machine.user.empty())
    machine.user = user;
  machine.key = absoluteIn(root, textIn(places, "ssh_key"));
  if (machine.key.empty())
    machine.key = key;
  machine.port = textIn(places, "ssh_port");
  return machine;
}

std::vector<std::string> Connections::sshCommand(const Machine &machine) const {
  auto ssh = llvm::sys::findProgramByName("ssh");
  std::vector<std::string> words{ssh ? *ssh : "ssh"};
  if (!config.empty())
    llvm::append_range(words, std::vector<std::string>{"-F", config});
  for (StringRef option :
       {"BatchMode=yes", "ConnectTimeout=10", "ServerAliveInterval=5",
        "ServerAliveCountMax=4", "LogLevel=ERROR", "ControlMaster=auto",
        "ControlPersist=60"}) {
    words.push_back("-o");
    words.push_back(option.str());
  }
  // What a configuration says of hosts holds.
  if (config.empty()) {
    words.push_back("-o");
    words.push_back("StrictHostKeyChecking=accept-new");
  }
  words.push_back("-o");
  words.push_back("ControlPath=" + sockets + "/%C");
  for (const auto &[option, value] : {std::pair("-l", machine.user),
                                      {"-i", machine.key},
                                      {"-p", machine.port}})
    if (!value.empty()) {
      words.push_back(option);
      words.push_back(value);
    }
  words.push_back("-T");
  words.push_back(machine.address);
  return words;
}

/// `{"all": {"hosts": {NAME: {…}}}}`, which Ansible reads as YAML.
static std::string
inventoryOf(StringRef name,
            llvm::ArrayRef<std::pair<StringRef, std::string>> variables) {
  std::string text;
  llvm::raw_string_ostream os(text);
  JSONWriter json(os);
  json.object([&] {
    json.attributeBegin("all");
    json.object([&] {
      json.attributeBegin("hosts");
      json.object([&] {
        json.attributeBegin(name);
        json.object([&] {
          for (const auto &[variable, value] : variables)
            if (!value.empty())
              json.attribute(variable, value);
        });
      });
    });
  });
  return text;
}

std::string run::localInventory() {
  return inventoryOf("localhost", {{"ansible_connection", "local"},
                                   {"ansible_python_interpreter",
                                    "{{ ansible_playbook_python }}"}});
}

std::string Connections::inventory(const Machine &machine) const {
  if (machine.isHere())
    return localInventory();
  std::string arguments = config.empty() ? "-o StrictHostKeyChecking=accept-new"
                                         : "-F '" + config + "'";
  return inventoryOf(machine.address,
                     {{"ansible_host", machine.address},
                      {"ansible_user", machine.user},
                      {"ansible_port", machine.port},
                      {"ansible_ssh_private_key_file", machine.key},
                      {"ansible_ssh_common_args", arguments}});
}

std::vector<std::string> Connections::ansibleVariables() const {
  return {"ANSIBLE_SSH_CONTROL_PATH=" + sockets + "/%%C"};
}
