//===- WriteState.cpp - state.json and digests ----------------------------===//

#include "toscac/Basic/Digest.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/State/State.h"

using namespace toscac;
using namespace toscac::state;
using llvm::StringRef;

static void writeMap(JSONWriter &json, StringRef key, const Value &map) {
  json.attributeBegin(key);
  if (map.isMap())
    writeJSON(json, map);
  else
    json.rawValue("{}");
}

/// Where the entity comes from: its template, or requirement and ends.
static void writeOrigin(JSONWriter &json, const Entity &entity) {
  bool isRelationship = entity.kind == EntityKind::Relationship;
  if (!entity.origin.empty())
    json.attribute(isRelationship ? "requirement" : "template", entity.origin);
  json.attribute("index", entity.index);
  json.attribute("type", entity.type);
  if (!isRelationship)
    return;
  json.attribute("source", entity.source);
  json.attribute("target", entity.target);
  if (!entity.capability.empty())
    json.attribute("capability", entity.capability);
}

void state::writeEntity(JSONWriter &json, const Entity &entity) {
  json.object([&] {
    json.attribute("name", entity.name);
    json.attribute("kind", spelling(entity.kind));
    writeOrigin(json, entity);
    if (!entity.groups.empty()) {
      json.attributeBegin("groups");
      json.array([&] {
        for (StringRef group : entity.groups)
          json.value(group);
      });
    }
    writeMap(json, "properties", entity.properties);
    writeMap(json, "attributes", entity.attributes);
    writeMap(json, "cells", entity.cells);
  });
}

void state::writeShared(JSONWriter &json, llvm::ArrayRef<SharedLink> links) {
  json.array([&] {
    for (const SharedLink &link : links)
      json.object([&] {
        json.attribute("name", link.name);
        json.attribute("type", link.type);
        json.attribute("provider", link.provider);
        json.attributeBegin("content");
        writeJSON(json, link.content);
      });
  });
}

void state::writeDeployment(JSONWriter &json, const Deployment &deployment) {
  json.object([&] {
    json.attribute("service", deployment.service);
    json.attribute("template", deployment.templateDigest);
    writeMap(json, "inputs", deployment.inputs);
    writeMap(json, "next_index", deployment.nextIndex);
    writeMap(json, "counts", deployment.counts);
    if (deployment.operations.isMap())
      writeMap(json, "operations", deployment.operations);
    json.attributeBegin("entities");
    json.array([&] {
      for (const Entity &entity : deployment.entities) {
        json.newLine();
        writeEntity(json, entity);
      }
      if (!deployment.entities.empty())
        json.newLine();
    });
    json.attributeBegin("shared");
    writeShared(json, deployment.shared);
  });
}

void state::writeState(const State &state, llvm::raw_ostream &os) {
  JSONWriter json(os);
  json.object([&] {
    json.newLine();
    json.attribute("state", uint32_t(1));
    json.newLine();
    json.attributeBegin("deployments");
    json.object([&] {
      for (const Deployment &deployment : state.deployments) {
        json.newLine();
        json.attributeBegin(deployment.name);
        writeDeployment(json, deployment);
      }
      json.newLine();
    });
    json.newLine();
  });
  os << '\n';
}

namespace {

/// Hashes what is printed.
class DigestStream : public llvm::raw_ostream {
public:
  DigestStream() { SetBufferSize(1 << 16); }
  ~DigestStream() override { flush(); }

  std::string hex() {
    flush();
    return hash.hex();
  }

private:
  void write_impl(const char *data, size_t size) override {
    hash.update({data, size});
    position += size;
  }
  uint64_t current_pos() const override { return position; }

  SHA256Digest hash;
  uint64_t position = 0;
};

} // namespace

std::string state::digest(const Deployment &deployment) {
  if (!deployment.knownDigest.empty())
    return deployment.knownDigest.str();
  DigestStream os;
  JSONWriter json(os);
  writeDeployment(json, deployment);
  return "sha256:" + os.hex();
}
