//===- Functions.cpp - The functions of each version ----------------------===//

#include "Composer.h"

using namespace toscac;
using namespace toscac::heat;

static constexpr llvm::StringRef first = "2013-05-23";

static constexpr FunctionInfo functions[] = {
    {"get_param", first, "", nullptr, getParameter},
    {"get_resource", first, "", nullptr, getResource},
    {"get_attr", first, "", nullptr, getAttribute},
    {"get_file", first, "", nullptr, getFile},
    {"resource_facade", first, "", nullptr, resourceFacade},
    {"list_join", first, "", joinList, nullptr, joinParts},
    {"str_replace", first, "", replaceText, nullptr, replaceParts},
    {"Fn::Select", first, "2015-04-30", selectPart, nullptr},
    {"repeat", "2015-04-30", "", repeat, nullptr},
    {"digest", "2015-04-30", "", digest, nullptr},
    {"str_split", "2015-10-15", "", splitText, nullptr},
    {"map_merge", "2016-04-08", "", mergeMaps, nullptr, mergeParts},
    {"equals", "2016-10-14", "", equalValues, nullptr},
    {"if", "2016-10-14", "", nullptr, decide},
    {"not", "2016-10-14", "", nullptr, conditionValue},
    {"and", "2016-10-14", "", nullptr, conditionValue},
    {"or", "2016-10-14", "", nullptr, conditionValue},
    {"map_replace", "2016-10-14", "", replaceInMap, nullptr},
    {"yaql", "2016-10-14", "", queryValue, nullptr, queryParts},
    {"filter", "2017-02-24", "", filterList, nullptr},
    {"str_replace_strict", "2017-02-24", "", replaceStrictly, nullptr,
     replaceParts},
    {"make_url", "2017-09-01", "", makeURL, nullptr},
    {"list_concat", "2017-09-01", "", concatLists, nullptr, concatParts},
    {"list_concat_unique", "2017-09-01", "", concatUnique, nullptr},
    {"contains", "2017-09-01", "", containsValue, nullptr},
    {"str_replace_vstrict", "2017-09-01", "", replaceVeryStrictly, nullptr,
     replaceParts},
    // Those of CloudFormation, which only the first version has.
    {"Ref", first, first, nullptr, getReference},
    {"Fn::Base64", first, first, keepText, nullptr},
    {"Fn::GetAZs", first, first, notHere, nullptr},
    {"Fn::Join", first, first, joinList, nullptr, joinParts},
    {"Fn::MemberListToMap", first, first, memberListToMap, nullptr},
    {"Fn::Replace", first, first, replaceForm, nullptr},
    {"Fn::ResourceFacade", first, first, nullptr, resourceFacade},
    {"Fn::Split", first, first, splitForm, nullptr},
};

/// Those of templates in the form of CloudFormation.
static constexpr FunctionInfo cfnFunctions[] = {
    {"Ref", first, "", nullptr, getReference},
    {"Fn::Base64", first, "", keepText, nullptr},
    {"Fn::FindInMap", first, "", nullptr, findInMap},
    {"Fn::GetAtt", first, "", nullptr, getAttribute},
    {"Fn::GetAZs", first, "", notHere, nullptr},
    {"Fn::Join", first, "", joinList, nullptr, joinParts},
    {"Fn::MemberListToMap", first, "", memberListToMap, nullptr},
    {"Fn::Replace", first, "", replaceForm, nullptr},
    {"Fn::ResourceFacade", first, "", nullptr, resourceFacade},
    {"Fn::Select", first, "", selectPart, nullptr},
    {"Fn::Split", first, "", splitForm, nullptr},
    {"Fn::Equals", first, "", equalValues, nullptr},
    {"Fn::If", first, "", nullptr, decide},
    {"Fn::Not", first, "", nullptr, conditionValue},
    {"Fn::And", first, "", nullptr, conditionValue},
    {"Fn::Or", first, "", nullptr, conditionValue},
};

static llvm::ArrayRef<FunctionInfo> functionsOf(bool isCfn) {
  return isCfn ? llvm::ArrayRef(cfnFunctions) : llvm::ArrayRef(functions);
}

std::vector<llvm::StringRef> heat::functionNames(bool isCfn) {
  std::vector<llvm::StringRef> names;
  for (const FunctionInfo &function : functionsOf(isCfn))
    names.push_back(function.name);
  return names;
}

const FunctionInfo *heat::findFunction(llvm::StringRef name, bool isCfn) {
  for (const FunctionInfo &function : functionsOf(isCfn))
    if (function.name == name)
      return &function;
  return nullptr;
}
