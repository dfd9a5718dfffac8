//===- StateAsPlan.cpp - What is there, without steps ---------------------===//

#include "StateAsPlan.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using planfile::none;
using state::EntityKind;

StateAsPlan::StateAsPlan(const state::Deployment &deployment) {
  planHeader.service = deployment.service.str();
  planHeader.deployment = deployment.name.str();
  // A relationship comes after the nodes that it connects.
  for (bool isRelationship : {false, true})
    for (const state::Entity &entity : deployment.entities)
      if ((entity.kind == EntityKind::Relationship) == isRelationship)
        add(entity);
  countFigures();
}

uint32_t StateAsPlan::numberOf(StringRef name) const {
  auto found = numbers.find(name);
  return found == numbers.end() ? none : found->second;
}

void StateAsPlan::add(const state::Entity &entity) {
  planfile::EntityHead head;
  head.kind = entity.kind;
  head.origin = number(entity.origin);
  // What has no index in its name is the only one.
  head.index = entity.name.ends_with("]") ? entity.index : none;
  if (entity.kind == EntityKind::Relationship) {
    head.source = numberOf(entity.source);
    if (head.source == none || numberOf(entity.target) == none)
      return;
  } else if (size_t slash = entity.name.rfind('/'); slash != StringRef::npos) {
    head.scope = number(entity.name.take_front(slash + 1));
  }
  numbers[entity.name] = entities.size();
  entities.push_back(&entity);
  entityHeads.push_back(head);
}

llvm::Expected<planfile::Step> StateAsPlan::step(uint32_t, JSONReader &,
                                                 ValueArena &) {
  return llvm::createStringError("a state has no steps");
}

llvm::Expected<std::string> StateAsPlan::stepName(uint32_t) {
  return llvm::createStringError("a state has no steps");
}

llvm::Expected<state::PlannedEntity>
StateAsPlan::entity(uint32_t id, JSONReader &, ValueArena &) {
  state::PlannedEntity result;
  result.content = *entities[id];
  if (result.content.kind == EntityKind::Relationship) {
    result.source = entityHeads[id].source;
    result.target = numberOf(result.content.target);
  }
  return result;
}
