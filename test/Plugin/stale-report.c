// -inlay-stale-report: one line of JSON for each module, appended, also for those
// that have not changed.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -mllvm -inlay-stale-report=report.json -c same.c -o same.o
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -mllvm -inlay-stale-report=report.json -c changed.c -o changed.o
// RUN: FileCheck same.c --input-file=report.json --match-full-lines --strict-whitespace
// RUN: not %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -mllvm -inlay-stale-report=no/report.json -c same.c -o error.o 2>&1 | FileCheck same.c --check-prefix=ERROR
// RUN: not ls error.o

//--- same.c
int sink(int);
int same(int N) {
  return sink(N);
}
//      CHECK:{"dropped":0,"functions":[],"matched":10,"module":"same.c","recovered":0}
// CHECK-NEXT:{"dropped":3,"functions":[{"dropped":1,"lines":3,"moved":2,"name":"changed","similarity":0.857{{[0-9]*}}}],"matched":0,"module":"changed.c","recovered":40}
// CHECK-NOT:{{.}}
// ERROR: error: {{.*}}Inlay: 'no/report.json': {{.*}}
//--- changed.c
int sink(int), another(int);
int changed(int N) {
  // A line.
  another(N);
  return sink(N);
}
//--- app.prof
same:10:10
 1: 10 sink:10
changed:43:20
 1: 20 another:20
 2: 20 sink:20
 77: 3
