//===- GraphEnvironment.cpp - Values as an entity sees them ---------------===//

#include "GraphEnvironment.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

Evaluation GraphEnvironment::input(const Query &query) {
  ArrayRef<Value> arguments = query.arguments;
  if (arguments.empty() || !arguments.front().isString())
    return Evaluation::nothing();
  llvm::StringRef wanted = arguments.front().asString();
  const ir::Subgraph &subgraph = graph.subgraphs[graph.subgraphOf(self).index];
  if (subgraph.substitutes)
    return inputInside(query, subgraph);
  for (ArrayRef<ir::InputValue> inputs : {parameters, ArrayRef(graph.inputs)})
    for (const ir::InputValue &input : inputs) {
      if (input.name.str() != wanted)
        continue;
      if (input.sensitive || !input.value)
        return Evaluation::unknown();
      return select(*input.value, arguments.drop_front(), query.call.range(),
                    query.arena);
    }
  return Evaluation::nothing();
}

/// Inputs of a service inside a node are as that node sees them.
Evaluation GraphEnvironment::inputInside(const Query &query,
                                         const ir::Subgraph &subgraph) {
  for (const ir::InputValue &input : subgraph.inputs) {
    if (input.name.str() != query.arguments.front().asString() || !input.value)
      continue;
    Evaluation value = evaluateAt(
        *input.value, graph.entity(*subgraph.substitutes), query.arena);
    ArrayRef<Value> keys = query.arguments.drop_front();
    if (value.isUnknown())
      return select(*value.residual(), keys, query.call.range(), query.arena);
    return value.isKnown() ? select(value.value(), keys, query.call.range())
                           : std::move(value);
  }
  return Evaluation::nothing();
}

/// Whether the path can lead to several entities, so that the answer is a list.
static bool isList(const ir::Reference &reference) {
  return llvm::any_of(reference.steps,
                      [](const ir::PathStep &step) { return step.isList(); });
}

Evaluation GraphEnvironment::readAll(const Query &query,
                                     const ir::Reference &reference,
                                     Read read) {
  ir::EntityId start = self;
  if (reference.element)
    start = {uint32_t(reference.element->asInteger())};
  llvm::SmallVector<Evaluation, 4> found;
  ir::forEachEntity(graph, start, reference.path(), ir::literalIndex,
                    [&](ir::EntityId at) {
                      if (!isHidden(at))
                        found.push_back(read(at));
                      return true;
                    });
  if (!isList(reference))
    return found.empty() ? Evaluation::nothing() : std::move(found.front());
  llvm::SmallVector<Value, 4> items;
  llvm::SmallVector<Expr, 4> parts;
  for (Evaluation &part : found) {
    if (part.isFailed())
      return std::move(part);
    if (part.isNothing())
      continue;
    if (part.isUnknown()) {
      parts.push_back(*part.residual());
      continue;
    }
    items.push_back(part.value());
    parts.push_back(Expr::literal(part.value()));
  }
  if (items.size() == parts.size())
    return query.arena.list(items);
  return Evaluation::unknown(
      query.arena.make(Expr::list(query.arena.save(ArrayRef<Expr>(parts)))));
}

Evaluation GraphEnvironment::readCell(const Query &query,
                                      const ir::Reference &reference,
                                      ir::EntityId at) {
  CellId cell = layout.findCell(at, reference.part, reference.name);
  if (!cell)
    return Evaluation::nothing();
  if (const Value *value = cells(cell))
    return select(*value, query.arguments.drop_front(reference.firstKey),
                  query.call.range());
  Expr path[] = {Expr::literal(Value::integer(at.index)),
                 Expr::literal(Value::string(reference.part.str())),
                 Expr::literal(Value::string(reference.name.str()))};
  return Evaluation::unknown(query.arena.make(
      Expr::call(Function::GetState, query.arena.save(ArrayRef<Expr>(path)))));
}

static const ir::ValueColumn *find(ArrayRef<ir::ValueColumn> columns,
                                   Name name) {
  for (const ir::ValueColumn &column : columns)
    if (column.name == name)
      return &column;
  return nullptr;
}

const ir::ValueColumn *
GraphEnvironment::findColumn(const ir::Reference &reference, ir::EntityId at,
                             Column column, uint32_t &row) const {
  using Place = ir::Reference::Place;
  auto pick = [&](const auto &owner) {
    return find(column == Column::Property ? owner.properties
                                           : owner.attributes,
                reference.name);
  };
  auto pickOf = [&](const ir::CapabilityColumns &capability) {
    return column == Column::Remaining
               ? find(capability.remaining, reference.name)
               : pick(capability);
  };
  if (graph.isService(at))
    return nullptr;
  if (graph.isRelationship(at)) {
    ir::RelationshipId id = graph.relationship(at);
    row = graph.row(id);
    if (reference.place != Place::TargetCapability)
      return pick(graph.classOf(id));
    row = graph.row(graph.target[id.index]);
    return pickOf(ir::targetCapability(graph, id));
  }
  ir::NodeId node = graph.node(at);
  row = graph.row(node);
  if (reference.place == Place::Entity)
    return pick(graph.classOf(node));
  for (const ir::CapabilityColumns &capability :
       graph.classOf(node).capabilities)
    if (capability.name == reference.part)
      return pickOf(capability);
  return nullptr;
}

Evaluation GraphEnvironment::evaluateAt(const Expr &expr, ir::EntityId at,
                                        ValueArena &arena) {
  if (expr.isLiteral())
    return expr.value();
  GraphEnvironment there(layout, at, cells, names);
  there.depth = depth;
  there.seesFormer = seesFormer;
  return evaluate(expr, there, arena);
}

bool toscac::plan::mayBeWritten(const Layout &layout, ir::EntityId entity,
                                Name attribute) {
  auto writes = [&](const ir::OutputMapping &output) {
    return llvm::is_contained(output.target, attribute) ||
           output.output.str() == "*";
  };
  for (SlotId slot : layout.slotsOf(entity).ids())
    for (const ir::Operation &operation : layout.machine(slot).operations) {
      if (llvm::any_of(operation.outputs, writes))
        return true;
      for (const ir::Handler &handler : operation.handlers)
        if (llvm::any_of(handler.outputs, writes))
          return true;
    }
  return false;
}

/// `{ $get_attribute: [ 3, address ] }`
Evaluation GraphEnvironment::unknownAttribute(const Query &query,
                                              const ir::Reference &reference,
                                              ir::EntityId at) {
  llvm::SmallVector<Expr, 4> path;
  auto word = [&](llvm::StringRef text) {
    path.push_back(Expr::literal(Value::string(text)));
  };
  if (reference.place == ir::Reference::Place::TargetCapability) {
    ir::RelationshipId id = graph.relationship(at);
    path.push_back(Expr::literal(Value::integer(graph.target[id.index].index)));
    word("CAPABILITY");
    word(ir::targetCapability(graph, id).name.str());
  } else {
    path.push_back(Expr::literal(Value::integer(at.index)));
    if (reference.place == ir::Reference::Place::Capability) {
      word("CAPABILITY");
      word(reference.part.str());
    }
  }
  word(reference.name.str());
  for (const Value &key : query.arguments.drop_front(reference.firstKey))
    path.push_back(Expr::literal(key));
  return Evaluation::unknown(query.arena.make(Expr::call(
      Function::GetAttribute, query.arena.save(ArrayRef<Expr>(path)))));
}

const Value *GraphEnvironment::formerProperty(const ir::Reference &reference,
                                              ir::EntityId at) const {
  if (!seesFormer || reference.place != ir::Reference::Place::Entity)
    return nullptr;
  auto former = graph.former.find(at.index);
  return former != graph.former.end() && former->second.isMap()
             ? former->second.find(reference.name.str())
             : nullptr;
}

Evaluation GraphEnvironment::readColumn(const Query &query,
                                        const ir::Reference &reference,
                                        ir::EntityId at, Column column) {
  uint32_t row = 0;
  const ir::ValueColumn *found = findColumn(reference, at, column, row);
  // An attribute is a property, too, where its name is not that of one.
  if (!found && column == Column::Attribute)
    found = findColumn(reference, at, Column::Property, row);
  else if (column == Column::Attribute &&
           (!found->values.at(row) || mayBeWritten(layout, at, reference.name)))
    return unknownAttribute(query, reference, at);
  if (!found) {
    if (reference.name.str() == "node_index" && graph.isNode(at))
      return Value::integer(graph.indexOfNode[at.index]);
    return Evaluation::nothing();
  }
  ArrayRef<Value> keys = query.arguments.drop_front(reference.firstKey);
  if (const Value *before = formerProperty(reference, at))
    return select(*before, keys, query.call.range());
  const Expr *value = found->values.at(row);
  if (!value)
    return Evaluation::nothing();
  Evaluation result = evaluateAt(*value, at, query.arena);
  if (result.isUnknown())
    return select(*result.residual(), keys, query.call.range(), query.arena);
  return result.isKnown() ? select(result.value(), keys, query.call.range())
                          : std::move(result);
}

/// Reads the path; it starts at `self` or at an element.
bool GraphEnvironment::readPath(ArrayRef<Value> words,
                                ir::Reference &reference) {
  ir::EntityId start = self;
  if (!words.empty() && words.front().isInteger())
    start = {uint32_t(words.front().asInteger())};
  return ir::readReference(words, graph.kindOf(start), names, reference);
}

Evaluation GraphEnvironment::read(const Query &query, Column column) {
  ir::Reference reference;
  if (!readPath(query.arguments, reference))
    return Evaluation::nothing();
  return readAll(query, reference, [&](ir::EntityId at) {
    if (reference.place == ir::Reference::Place::Interface)
      return readCell(query, reference, at);
    return readColumn(query, reference, at, column);
  });
}

Evaluation GraphEnvironment::property(const Query &query) {
  return read(query, Column::Property);
}
Evaluation GraphEnvironment::attribute(const Query &query) {
  return read(query, Column::Attribute);
}
Evaluation GraphEnvironment::availableAllocation(const Query &query) {
  return read(query, Column::Remaining);
}

Evaluation GraphEnvironment::nodeIndex(const Query &) {
  ir::EntityId at = self;
  if (graph.isRelationship(at))
    at = graph.entity(graph.source[graph.relationship(at).index]);
  if (!graph.isNode(at))
    return Evaluation::nothing();
  return Value::integer(graph.indexOfNode[at.index]);
}

Evaluation GraphEnvironment::relationshipIndex(const Query &) {
  if (!graph.isRelationship(self))
    return Evaluation::nothing();
  return Value::integer(
      graph.indexOfRelationship[graph.relationship(self).index]);
}

/// Entities are numbers, which a path can start with.
Evaluation GraphEnvironment::elements(const Query &query) {
  ir::Reference reference;
  if (!readPath(query.arguments, reference))
    return Evaluation::nothing();
  llvm::SmallVector<Value, 8> found;
  ir::EntityId start = self;
  if (reference.element)
    start = {uint32_t(reference.element->asInteger())};
  ir::forEachEntity(graph, start, reference.path(), ir::literalIndex,
                    [&](ir::EntityId at) {
                      if (!isHidden(at))
                        found.push_back(Value::integer(at.index));
                      return true;
                    });
  return query.arena.list(found);
}
