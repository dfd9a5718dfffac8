//===- Machine.h - Where a step runs ----------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_MACHINE_H
#define TOSCAC_LIB_RUN_MACHINE_H

#include "Values/LiveState.h"
#include "toscac/Run/Run.h"

namespace toscac::run {

/// A machine that steps run on, as it is reached now.
struct Machine {
  /// Empty: steps run here.
  std::string address;
  std::string user;
  std::string key;
  std::string port;

  bool isHere() const { return address.empty(); }
};

/// How machines are reached while a run goes on: one connection each, which all
/// steps share. It ends when this object does.
class Connections {
public:
  Connections(const RunOptions &options, llvm::StringRef root);
  Connections(const Connections &) = delete;
  Connections &operator=(const Connections &) = delete;
  ~Connections();

  /// The machine that entity \p id of the plan is: its attribute
  /// `public_address` says where, as far as it is known by now.
  llvm::Expected<Machine> find(uint32_t id, LiveState &state) const;

  /// `ssh` with all its arguments up to the command.
  std::vector<std::string> sshCommand(const Machine &machine) const;
  /// An inventory with this machine, or with localhost, for Ansible.
  std::string inventory(const Machine &machine) const;
  /// Variables of the environment by which Ansible shares our connections.
  std::vector<std::string> ansibleVariables() const;

  unsigned secondsToWait() const { return wait; }

private:
  std::string user;
  std::string key;
  std::string config;
  unsigned wait;
  /// What keys are relative to.
  std::string root;
  /// Has a socket for each connection.
  std::string sockets;
};

/// An inventory with this computer alone.
std::string localInventory();

} // namespace toscac::run

#endif
