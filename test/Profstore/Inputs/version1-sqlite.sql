-- A store of version 1, as llvm-profstore made it then. (SQLite keeps the text of
-- these statements, and llvm-profstore compares it: they are as they were.)

PRAGMA application_id = 1231973497; -- "Inly"
CREATE TABLE store (schema_version INTEGER NOT NULL);
CREATE TABLE application (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE host (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE version (id INTEGER PRIMARY KEY, application BIGINT NOT NULL REFERENCES application (id), label TEXT NOT NULL);
CREATE TABLE binary_file (id INTEGER PRIMARY KEY, build_id TEXT NOT NULL, path TEXT NOT NULL, kind INTEGER NOT NULL);
CREATE TABLE event (id INTEGER PRIMARY KEY, name TEXT NOT NULL, type BIGINT NOT NULL, config BIGINT NOT NULL, branch_sample_type BIGINT NOT NULL, precise_ip INTEGER NOT NULL, period BIGINT NOT NULL, is_frequency INTEGER NOT NULL, arch TEXT NOT NULL, cpu_desc TEXT NOT NULL, cpu_id TEXT NOT NULL);
CREATE TABLE capture (id INTEGER PRIMARY KEY, content TEXT NOT NULL, format INTEGER NOT NULL, application BIGINT NOT NULL REFERENCES application (id), version BIGINT NOT NULL REFERENCES version (id), host BIGINT NOT NULL REFERENCES host (id), started BIGINT NOT NULL, duration BIGINT NOT NULL, delivered BIGINT NOT NULL DEFAULT (CAST(strftime('%s', 'now') AS INTEGER)), day BIGINT NOT NULL GENERATED ALWAYS AS ((CASE WHEN started > delivered + 600 OR started < delivered - 34560000 THEN delivered ELSE started END) / 86400) STORED, samples BIGINT NOT NULL, lost BIGINT NOT NULL, CONSTRAINT capture_content UNIQUE (content), CONSTRAINT capture_format CHECK (format = 1));
CREATE INDEX capture_application_day ON capture (application, day);
CREATE TABLE capture_samples ( capture BIGINT NOT NULL REFERENCES capture (id), event BIGINT NOT NULL REFERENCES event (id), binary_file BIGINT NOT NULL REFERENCES binary_file (id), kind INTEGER NOT NULL, samples BIGINT NOT NULL, period BIGINT NOT NULL, counts TEXT NOT NULL, PRIMARY KEY (capture, event, binary_file, kind)) WITHOUT ROWID;
CREATE TABLE series (id INTEGER PRIMARY KEY, application BIGINT NOT NULL REFERENCES application (id), version BIGINT NOT NULL REFERENCES version (id), host BIGINT NOT NULL REFERENCES host (id), day BIGINT NOT NULL, event BIGINT NOT NULL REFERENCES event (id), binary_file BIGINT NOT NULL REFERENCES binary_file (id), kind INTEGER NOT NULL, captures BIGINT NOT NULL, samples BIGINT NOT NULL, period BIGINT NOT NULL);
CREATE INDEX series_application_day ON series (application, day);
CREATE TABLE folded ( series BIGINT NOT NULL REFERENCES series (id), a BIGINT NOT NULL, b BIGINT NOT NULL, samples BIGINT NOT NULL, PRIMARY KEY (series, a, b)) WITHOUT ROWID;
INSERT INTO store VALUES (1);

-- Version 1.0 of shop on two hosts; h1's capture is folded: 6 samples at offset
-- 5. That of h2 is not: 7 samples at offset 6.
INSERT INTO application VALUES (332965078382009653, 'shop');
INSERT INTO host VALUES (7993768192610109738, 'h1');
INSERT INTO host VALUES (7341111664466815063, 'h2');
INSERT INTO version VALUES (2892923864987197829,
  332965078382009653, '1.0');
INSERT INTO binary_file VALUES (676293809314859390, '0123456789abcdef',
  '/srv/app', 0);
INSERT INTO event VALUES (389796705206507999, 'cpu-clock', 1, 0, 0, 0, 10000000,
  0, '', '', '');
INSERT INTO capture (id, content, format, application, version, host, started,
  duration, delivered, samples, lost) VALUES (7412281402982400001,
  'ce527f3cb4ad7eca929d5542b41b4224a574d73a6f10a09a16c9e71b13392e14', 1,
  332965078382009653, 2892923864987197829, 7993768192610109738,
  1767225600, 0, 1767225700, 6, 0);
INSERT INTO capture (id, content, format, application, version, host, started,
  duration, delivered, samples, lost) VALUES (7412281402982400002,
  'fcdb158a3759bc84fd05a754186ff4c0693b6424f181b701e78128d72b57b2bb', 1,
  332965078382009653, 2892923864987197829, 7341111664466815063,
  1767225600, 0, 1767225700, 7, 0);
INSERT INTO capture_samples VALUES (7412281402982400002, 389796705206507999,
  676293809314859390, 0, 7, 70000000, '{"6":7}');
INSERT INTO series VALUES (3109337769672279815, 332965078382009653,
  2892923864987197829, 7993768192610109738, 20454, 389796705206507999,
  676293809314859390, 0, 1, 6, 60000000);
INSERT INTO folded VALUES (3109337769672279815, 5, 0, 6);
