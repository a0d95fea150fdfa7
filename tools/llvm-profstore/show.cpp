//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profstore show: which binaries an application's samples are in, by
// version and event, with the build IDs that an export needs.
//
//===----------------------------------------------------------------------===//

#include "Printing.h"
#include "StoreSnapshot.h"
#include "Subcommands.h"
#include "inlay/Store/Capture.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inlay {

cl::SubCommand ShowCommand("show", "Show events, binaries and their build IDs");

static cl::opt<std::string> Application("app", cl::cat(ProfstoreCategory),
                                        cl::sub(ShowCommand),
                                        cl::value_desc("name"),
                                        cl::desc("The application"));

static Error print(const SQLRow &Row, std::string &Event) {
  std::array<int64_t, 4> Values;
  for (auto [Index, Column] : {std::pair(0, 4), {1, 5}, {2, 6}, {3, 7}}) {
    Expected<int64_t> Value = Row.integer(Column);
    if (!Value)
      return Value.takeError();
    Values[Index] = *Value;
  }
  auto [Period, IsFrequency, Samples, Captures] = Values;
  std::string ThisEvent = Row.name(2);
  if (Period > 0)
    ThisEvent += (IsFrequency ? ", frequency " : ", period ") +
                 std::to_string(Period) + (IsFrequency ? " Hz" : "");
  if (!Row.text(3).empty())
    ThisEvent += ", on " + Row.name(3);
  if (ThisEvent != Event)
    outs() << "event " << ThisEvent << '\n';
  Event = ThisEvent;
  std::string BuildID = Row.text(1).empty() ? "none" : Row.name(1);
  std::string Label = Row.name(8);
  outs() << "  " << Row.name(0) << ": " << counted(Samples, "sample") << " of "
         << counted(Captures, "capture")
         << (Label.empty() ? "" : ", version " + Label) << "\n    build ID "
         << BuildID << '\n';
  return Error::success();
}

Error show() {
  Expected<std::string> URL = storeURL();
  if (!URL)
    return URL.takeError();
  if (Application.empty())
    return createStringError(inconvertibleErrorCode(),
                             "no application; say --app NAME (llvm-profstore "
                             "list shows which there are)");
  Expected<StoreSnapshot> Snapshot = StoreSnapshot::open(*URL);
  if (!Snapshot)
    return Snapshot.takeError();
  Database &DB = *Snapshot->DB;
  std::string Event;
  bool IsEmpty = true;
  Error E = DB.query(
      "SELECT b.path, b.build_id, e.name, e.cpu_desc, e.period,"
      " e.is_frequency, CAST(SUM(t.samples) AS BIGINT) AS samples,"
      " CAST(SUM(t.captures) AS BIGINT), v.label FROM ("
      "SELECT event, binary_file, version, samples, captures FROM series"
      " WHERE application = $1 AND kind IN (0, 5) "
      "UNION ALL "
      "SELECT s.event, s.binary_file, c.version, s.samples, 1 AS captures"
      " FROM capture AS c JOIN capture_samples AS s ON s.capture = c.id"
      " WHERE c.application = $1 AND s.kind IN (0, 5) AND s.samples <= " +
          std::to_string(MaxCaptureCount) +
          ") AS t"
          " JOIN binary_file AS b ON b.id = t.binary_file"
          " JOIN event AS e ON e.id = t.event JOIN version AS v ON v.id = "
          "t.version"
          " WHERE t.samples BETWEEN 0 AND " +
          std::to_string(MaxSummedCount) +
          " GROUP BY e.id, e.name, e.cpu_desc, e.period, e.is_frequency, "
          "b.path,"
          " b.build_id, v.label"
          " ORDER BY e.name, e.cpu_desc, e.id, samples DESC, b.path, "
          "b.build_id,"
          " v.label",
      {applicationID(Application)}, [&](const SQLRow &Row) {
        IsEmpty = false;
        return print(Row, Event);
      });
  if (!E && IsEmpty)
    return createStringError(inconvertibleErrorCode(),
                             DB.name() + ": holds no application '" +
                                 Application + "'");
  return E;
}

} // namespace inlay
