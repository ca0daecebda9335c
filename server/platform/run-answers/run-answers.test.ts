import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { add, freshLists, list, NEWEST, store } from '../../../test/support/run-list-world.ts';
import { createTraceRepository, type TraceRepository } from '../stored-states/trace-repository.ts';
import { createRunAnswers, type RunAnswers } from './run-answers.ts';

freshLists();

const LONG = 'ä"\n😀'.repeat(100_000);
const MARK = 'read beside the loop';
const warnings: string[] = [];
const log = { warn: (_: unknown, message: string) => void warnings.push(message) };
let folder: string;
let trace: TraceRepository;
let beside: RunAnswers;
let here: RunAnswers;

const copy = (): string => path.join(folder, 'copy.db');
const text = (answer: string | Uint8Array): string => Buffer.from(answer).toString();

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'answers-'));
  warnings.length = 0;
  trace = createTraceRepository(store);
  const parts = { runList: list, trace, log };
  beside = createRunAnswers({ ...parts, databaseFile: copy() });
  here = createRunAnswers({ ...parts, databaseFile: ':memory:' });
});

afterEach(async () => {
  await beside.close();
  rmSync(folder, { recursive: true });
});

/** The thread reads a copy of the store and nothing else. */
function copied(change = ''): void {
  store.sqlite.prepare('VACUUM INTO ?').run(copy());
  const sqlite = new BetterSqlite3(copy());
  sqlite.pragma('journal_mode = WAL');
  sqlite.exec(change);
  sqlite.close();
}

/** What is shown of runs says so when it was read in the copy. */
const MARKED = `UPDATE run_created SET fields = json_set(fields, '$.session_id', '${MARK}')`;

function addEvents(id: string, payloads: readonly string[]): void {
  for (const [at, payload] of payloads.entries()) {
    const facts = { event_id: `e${at}`, type: 'note', timestamp: '2026-01-01T00:00:00.000Z' };
    trace.insert({ run_id: id, sequence: at + 1, ...facts, payload });
  }
}

describe.each([
  ['a long answer of a run that executes', { status: 'running', output_text: LONG }, '{}'],
  ['a long answer of a run that is over', { status: 'completed', output_text: LONG }, '{}'],
  ['long messages', { status: 'running', messages: JSON.stringify([{ content: LONG }]) }, '{}'],
  ['a long create', { created_metadata: JSON.stringify({ note: LONG }) }, '{}'],
  ['a long trace', { status: 'completed' }, JSON.stringify({ note: LONG })],
])('%s', (_, change, payload) => {
  test.each(['status', 'ended'] as const)('%s: the same text beside the event loop', async (of) => {
    const { id } = add(change);
    addEvents(id, [payload]);
    copied();
    expect(text(await beside[of](id)) === text(await here[of](id))).toBe(true);
  });

  test('it is made beside the event loop', async () => {
    const { id } = add(change);
    addEvents(id, [payload]);
    copied(MARKED);
    expect(JSON.parse(text(await beside.status(id)))).toMatchObject({ session_id: MARK });
  });
});

test('runs that hold little are answered here, alone and as a list', async () => {
  const { id } = add({ status: 'running', output_text: 'short' });
  addEvents(id, ['{}']);
  copied(MARKED);
  expect(JSON.parse(text(await beside.status(id)))).toMatchObject({ session_id: null });
  const { runs } = JSON.parse(text(await beside.list([1], NEWEST, 1)));
  expect(runs).toMatchObject([{ session_id: null, output_text: 'short' }]);
});

test('a list of runs that execute and hold much is the same beside the event loop', async () => {
  for (let i = 0; i < 3; i += 1) add({ status: 'running', output_text: LONG });
  add({ status: 'completed', output_text: LONG });
  copied();
  const seqs = [4, 2, 3, 1];
  const made = text(await beside.list(seqs, NEWEST, 9));
  expect(made === text(await here.list(seqs, NEWEST, 9))).toBe(true);
  expect(JSON.parse(made)).toMatchObject({ count: 4, total: 9 });
});

test('such a list is made beside the event loop, and a run that cannot be read is logged', async () => {
  for (let i = 0; i < 3; i += 1) add({ status: 'running', output_text: LONG });
  copied(`${MARKED}; UPDATE runs SET visited_steps = '{' WHERE id = 'run-1'`);
  const { runs } = JSON.parse(text(await beside.list([1, 2, 3], NEWEST, 3)));
  expect(runs).toMatchObject([{ id: 'run-0', session_id: MARK }, { id: 'run-2' }]);
  expect(warnings).toEqual(['a run cannot be read']);
});

test('a run that is removed meanwhile is not found, as one that never was', async () => {
  const { id } = add({ status: 'running', output_text: LONG });
  copied('DELETE FROM run_list');
  await expect(beside.status(id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(beside.status('unknown')).rejects.toMatchObject({ code: 'not_found' });
});
