//===- ParseFiles.h - The three kinds of files ------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PARSE_BOSH_PARSEFILES_H
#define TOSCAC_LIB_PARSE_BOSH_PARSEFILES_H

#include "toscac/Parse/Bosh/AST.h"

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::bosh {

Manifest parseManifest(const syntax::Node &root, DiagnosticEngine &diags);
Cloud parseCloud(const syntax::Node &root, DiagnosticEngine &diags);
/// The spec of the job whose folder is \p folder.
JobSpec parseJobSpec(const syntax::Node &root, std::string folder,
                     DiagnosticEngine &diags);

} // namespace toscac::bosh

#endif
