//===- LinkRecord.h - What links hold ---------------------------*- C++ -*-===//
///
/// \file
/// A record is what is known of a provider: a map with the keys of a link's
/// content, and for every instance its addresses in all networks. A consumer
/// gets the content that follows from the record, the network it asked for and
/// its dialect; whether the provider is in this deployment does not matter.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_BOSH_LINKRECORD_H
#define TOSCAC_LIB_SEMA_BOSH_LINKRECORD_H

#include "Resolution.h"

namespace toscac::bosh {

/// Lower case, `_` as `-`, nothing else that DNS does not know.
std::string dnsLabel(llvm::StringRef name);

/// The record of a link that a job of \p group provides with \p properties.
Value makeRecord(const Resolution &resolution, const PlacedGroup &group,
                 const Provider &provider, Value properties);
/// The record of a disk.
Value makeDiskRecord(const Resolution &resolution, const Provider &provider);

/// \p record with the instances for whose positions \p isWanted.
Value selectInstances(const Value &record,
                      llvm::function_ref<bool(size_t)> isWanted,
                      ValueArena &arena);

/// The networks of a record; empty where it has none.
std::vector<llvm::StringRef> networksOf(const Value &record);
/// Whether every instance has something that stands for an address in
/// \p network; machines of an errand have not.
bool hasAddresses(const Value &record, llvm::StringRef network);
/// A text in a record; empty where there is none.
llvm::StringRef textOf(const Value &record, llvm::StringRef key);

struct ContentOptions {
  Dialect dialect = Dialect::Present;
  /// Empty: the provider's default.
  llvm::StringRef network;
  /// Addresses or names; not set: as the provider prefers.
  std::optional<bool> ipAddresses;
};

/// What a consumer sees. \p lacksNames is set where names were asked for and
/// are not there.
Value makeContent(const Value &record, const ContentOptions &options,
                  ValueArena &arena, bool &lacksNames);
/// The same for the consumer on instance \p instance of the provider's group.
Value makeContentAt(const Value &record, size_t instance,
                    const ContentOptions &options, ValueArena &arena,
                    bool &lacksNames);

} // namespace toscac::bosh

#endif
