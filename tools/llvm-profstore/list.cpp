//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profstore list: what the store holds, and how fresh it is.
//
//===----------------------------------------------------------------------===//

#include "Printing.h"
#include "StoreSnapshot.h"
#include "Subcommands.h"
#include "inlay/Store/Aggregation.h"
#include "inlay/Store/TimeText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace llvm;

namespace inlay {

cl::SubCommand ListCommand("list",
                           "List applications, versions, hosts, and samples");

static cl::opt<std::string>
    Application("app", cl::cat(ProfstoreCategory), cl::sub(ListCommand),
                cl::value_desc("name"),
                cl::desc("Only this application, with its versions and hosts"));

namespace {

struct Line {
  uint64_t Samples = 0;
  Day Oldest = INT64_MAX, Newest = INT64_MIN;
  std::set<int64_t> Others; ///< hosts of a version, versions of a host

  void add(const CaptureGroup &Group, int64_t Other) {
    Samples += Group.Samples;
    Oldest = std::min(Oldest, Group.On);
    Newest = std::max(Newest, Group.On);
    Others.insert(Other);
  }
};

} // namespace

static void print(StringRef Indent, StringRef Name, const Line &L,
                  StringRef Others) {
  std::string Days = formatDay(L.Oldest);
  if (L.Newest != L.Oldest)
    Days += " to " + formatDay(L.Newest);
  outs() << Indent << printableName(Name) << ": "
         << counted(L.Samples, "sample") << ", "
         << counted(L.Others.size(), Others) << ", " << Days << '\n';
}

static Error listApplication(Database &DB, StringRef Name, bool WithDetails) {
  Expected<std::vector<CaptureGroup>> Groups =
      selectCaptures(DB, {Name.str(), {}, {}, {}, {}}, {});
  if (!Groups)
    return Groups.takeError();
  Line All;
  std::set<int64_t> Versions;
  std::map<std::string, Line> ByVersion, ByHost;
  for (const CaptureGroup &Group : *Groups) {
    All.add(Group, Group.HostID);
    ByVersion[Group.Version].add(Group, Group.HostID);
    ByHost[Group.Host].add(Group, Group.VersionID);
  }
  print("", Name, All, "host");
  for (const auto &[Version, L] : ByVersion)
    print("  ", Version.empty() ? "no version" : "version " + Version, L,
          "host");
  if (WithDetails)
    for (const auto &[Host, L] : ByHost)
      print("  ", "host " + Host, L, "version");
  return Error::success();
}

Error list() {
  Expected<std::string> URL = storeURL();
  if (!URL)
    return URL.takeError();
  Expected<StoreSnapshot> Snapshot = StoreSnapshot::open(*URL);
  if (!Snapshot)
    return Snapshot.takeError();
  Database &DB = *Snapshot->DB;
  if (!Application.empty())
    return listApplication(DB, Application, true);
  std::vector<std::string> Names;
  if (Error E = DB.query("SELECT name FROM application ORDER BY name", {},
                         [&](const SQLRow &Row) {
                           Names.push_back(Row.text(0).str());
                           return Error::success();
                         }))
    return E;
  if (Names.empty())
    outs() << "no captures\n";
  for (const std::string &Name : Names)
    if (Error E = listApplication(DB, Name, false))
      return E;
  return Error::success();
}

} // namespace inlay
