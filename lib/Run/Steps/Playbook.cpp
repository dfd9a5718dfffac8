//===- Playbook.cpp - What Ansible is given -------------------------------===//

#include "Playbook.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;

/// Writes what a playbook sets by `set_stats` where a script writes its
/// outputs, or exports them: texts, which is what templates make of numbers.
/// What it has written there itself comes first.
static constexpr StringRef callback = R"py(import json, os
from ansible.plugins.callback import CallbackBase


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "tosca_outputs"
    CALLBACK_NEEDS_ENABLED = True

    def v2_playbook_on_stats(self, stats):
        values = stats.custom.get("_run", {})
        texts = {name: value for name, value in values.items() if isinstance(value, str)}
        outputs = {name: value for name, value in values.items() if name not in texts}
        path = os.environ["TOSCA_OUTPUTS"]
        if texts:
            with open(path + ".exports", "w") as file:
                for name, value in texts.items():
                    file.write("%s=%s\0" % (name, value))
        if outputs and os.path.exists(path):
            with open(path) as file:
                outputs.update(json.load(file))
        if outputs:
            with open(path, "w") as file:
                json.dump(outputs, file, default=str)
)py";

bool run::isPlaybook(const Runnable &runnable) {
  return llvm::any_of(runnable.command, [](StringRef word) {
    return word.contains("{inventory}");
  });
}

void run::completePlaybook(PreparedCommand &prepared, const StepFiles &files,
                           const RunFolder &run, StringRef inputs) {
  std::string inventory = run.connections
                              ? run.connections->inventory(prepared.machine)
                              : localInventory();
  prepared.files.emplace_back("inventory.json", inventory);
  prepared.files.emplace_back("inputs.json", inputs.str());
  prepared.files.emplace_back("tosca_outputs.py", callback.str());
  std::vector<std::string> &variables = prepared.command.environment;
  variables.push_back("ANSIBLE_CALLBACK_PLUGINS=" + files.staging());
  variables.push_back("ANSIBLE_CALLBACKS_ENABLED=tosca_outputs");
  variables.push_back("ANSIBLE_RETRY_FILES_ENABLED=0");
  variables.push_back("ANSIBLE_NOCOLOR=1");
  if (run.connections)
    llvm::append_range(variables, run.connections->ansibleVariables());
}
