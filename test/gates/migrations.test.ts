import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isCompatible } from '../../server/store/migration-files.ts';

// A migration that is marked `-- compatible: yes` runs under programs that do not know it: it may add,
// and nothing else (CONTRIBUTING.md, Versions).

const root = path.resolve(import.meta.dirname, '../../migrations');

const TABLE = /^CREATE TABLE (\w+) \(/i;
/** One that makes rows unique stands in the way of programs that do not know it, on a table of theirs. */
const INDEX = /^CREATE (UNIQUE )?INDEX \w+ ON (\w+)\b/i;
const COLUMN = /^ALTER TABLE (\w+) ADD COLUMN \w+ (.*)$/i;
const VIEW = /^CREATE VIEW \w+ AS\b/i;
const ROWS = /^INSERT INTO (\w+)\b/i;
/** What a row of a program that does not know the column could not satisfy. */
const DEMANDS = /\b(?:UNIQUE|PRIMARY KEY|REFERENCES|CHECK|GENERATED)\b/i;

function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

function isOptional(column: string): boolean {
  if (DEMANDS.test(column)) return false;
  return !/\bNOT NULL\b/i.test(column) || /\bDEFAULT\b/i.test(column);
}

/** Statements that do more than to add what programs of before do not see. */
function moreThanAdditive(sql: string): string[] {
  const made = new Set<string>();
  return statementsOf(sql).filter((statement) => {
    const table = TABLE.exec(statement)?.[1];
    if (table !== undefined) {
      made.add(table);
      return false;
    }
    const index = INDEX.exec(statement);
    if (index !== null) return index[1] !== undefined && !made.has(index[2] ?? '');
    const column = COLUMN.exec(statement);
    if (column !== null) return !(made.has(column[1] ?? '') || isOptional(column[2] ?? ''));
    const filled = ROWS.exec(statement)?.[1];
    if (filled !== undefined) return !made.has(filled);
    return !VIEW.test(statement);
  });
}

const files = globSync('**/*.sql', { cwd: root }).sort();
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

test('what is marked as compatible only adds', () => {
  const found = files
    .filter((file) => isCompatible(read(file)))
    .flatMap((file) => moreThanAdditive(read(file)).map((statement) => `${file}: ${statement}`));
  expect(found).toEqual([]);
});

test('a migration says the same of itself for both stores', () => {
  const marks = files.map((file): [string, boolean] => {
    const store = path.dirname(file).replace(/^postgres./, '');
    return [`${store} ${path.basename(file).slice(0, 4)}`, isCompatible(read(file))];
  });
  const unequal = marks.filter(([name, mark]) => marks.some(([n, m]) => n === name && m !== mark));
  expect(unequal).toEqual([]);
});

describe('the gate', () => {
  test.each([
    'CREATE TABLE more (id BIGINT PRIMARY KEY, run_id TEXT NOT NULL REFERENCES runs (id)); CREATE UNIQUE INDEX m ON more (run_id)',
    'CREATE TABLE more (id TEXT) STRICT; INSERT INTO more VALUES (1)',
    '-- DROP TABLE runs;\nCREATE INDEX runs_more ON runs (more) WHERE more IS NOT NULL',
    'ALTER TABLE runs ADD COLUMN more TEXT; ALTER TABLE runs ADD COLUMN most BIGINT NOT NULL DEFAULT 0',
    'CREATE VIEW seen AS SELECT id FROM runs',
  ])('lets pass: %s', (sql) => expect(moreThanAdditive(sql)).toEqual([]));

  test.each([
    'ALTER TABLE runs ADD COLUMN more TEXT NOT NULL',
    'ALTER TABLE runs ADD COLUMN more TEXT REFERENCES locks (name)',
    'ALTER TABLE runs DROP COLUMN tags',
    'ALTER TABLE runs RENAME TO executions',
    'CREATE UNIQUE INDEX one_session ON runs (session_id)',
    'DROP INDEX run_list_newest',
    "UPDATE runs SET status = 'failed'",
    'DELETE FROM locks',
    "INSERT INTO locks VALUES ('x')",
    'CREATE TRIGGER t AFTER INSERT ON runs BEGIN SELECT 1; END',
    'CREATE TABLE runs2 AS SELECT * FROM runs; DROP TABLE runs',
  ])('refuses: %s', (sql) => expect(moreThanAdditive(sql)).not.toEqual([]));

  test('only the first line marks', () => {
    expect(isCompatible('-- compatible: yes\nCREATE TABLE x (id TEXT);')).toBe(true);
    expect(isCompatible('-- compatible: no\nCREATE TABLE x (id TEXT);')).toBe(false);
    expect(isCompatible('-- More.\n-- compatible: yes\nCREATE TABLE x (id TEXT);')).toBe(false);
  });
});
