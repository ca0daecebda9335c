import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { toTimestamp } from '../../server/kernel/timestamp.ts';
import { createRunList } from '../../server/platform/run-list/run-list.ts';
import { createRunSearch } from '../../server/platform/run-list/run-search-sqlite.ts';
import { createRunsRepository } from '../../server/platform/run-record/runs-repository.ts';
import { type Database, openDatabase } from '../../server/store/open-database.ts';
import type { PlatformTables, RunsTable } from '../../server/store/platform-tables.ts';
import { startTestPlatform } from './platform.ts';
import { MARK, PATTERNS, TRACED, WORDS } from './run-patterns.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/platform', import.meta.url));
/** Numbers that are the same in every run of the generator. */
function numbers(): () => number {
  let state = 42;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

type Row = Record<string, unknown>;

interface Pattern {
  readonly run: RunsTable;
  readonly rows: readonly { table: string; row: Row }[];
}

const TRACE_TABLES: ReadonlySet<string> = new Set(['checkpoints', 'trace_events']);
const CHILDREN = ['checkpoints', 'trace_events', 'run_queue', 'run_states', 'continuations'];

async function runPatterns(file: string): Promise<string[]> {
  const platform = await startTestPlatform({ file, env: { SERV_SWEEP_INTERVAL_SECONDS: '0' } });
  const created: string[] = [];
  for (const [share, spec] of PATTERNS) {
    const session = `pattern-${share}`;
    await platform.post('/v1/runs', { input: MARK, spec, session_id: session });
    const found = await platform.get(`/v1/runs?session_id=${session}`);
    created.push(found.body.runs[0].id);
  }
  await platform.stop();
  return created;
}

function readPattern({ sqlite }: Database<PlatformTables>, id: string): Pattern {
  const run = sqlite.prepare<[string], RunsTable>('SELECT * FROM runs WHERE id = ?').get(id);
  if (run === undefined) throw new Error('a pattern was not stored');
  const rows = CHILDREN.flatMap((table) =>
    sqlite
      .prepare<[string], Row>(`SELECT * FROM ${table} WHERE run_id = ?`)
      .all(id)
      .map((row) => ({ table, row })),
  );
  return { run, rows };
}

function replaced<R extends object>(row: R, names: readonly (readonly [string, string])[]): R {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === 'string'
        ? names.reduce((text, [from, to]) => text.replaceAll(from, to), value)
        : value,
    ]),
  ) as R;
}

/** Fills a new store with runs of several kinds, each with its own input and time. */
export async function fillRuns(file: string, count: number): Promise<void> {
  const ids = await runPatterns(file);
  const store = openDatabase<PlatformTables>({
    name: 'platform',
    file,
    migrations: MIGRATIONS,
    now: Date.now,
  });
  const { sqlite } = store;
  sqlite.pragma('synchronous = OFF');
  sqlite.pragma('cache_size = -200000');
  const patterns = ids.map((id) => readPattern(store, id));
  const alone = { soon: (work: () => void) => work() };
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const runs = createRunsRepository(store, createRunList(store, quiet, alone).listener);
  const search = createRunSearch(store);
  const statements = new Map<string, ReturnType<typeof sqlite.prepare<[Row]>>>();
  const insert = (table: string, row: Row): void => {
    const columns = Object.keys(row);
    const statement =
      statements.get(table) ??
      sqlite.prepare<[Row]>(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((name) => `@${name}`).join(', ')})`,
      );
    statements.set(table, statement);
    statement.run(row);
  };
  const random = numbers();
  const pick = (): Pattern => {
    let left = random() * 100;
    const at = PATTERNS.findIndex(([share]) => {
      left -= share;
      return left < 0;
    });
    const found = patterns[at] ?? patterns[0];
    if (found === undefined) throw new Error('there are no patterns');
    return found;
  };
  const start = Date.now() - count * 60_000;
  const one = (index: number): void => {
    const pattern = pick();
    const words = Array.from({ length: 8 + Math.floor(random() * 30) }, () => {
      return WORDS[Math.floor(random() * WORDS.length)] ?? '';
    });
    const id = randomUUID();
    const at = start + index * 60_000;
    const names: [string, string][] = [
      [pattern.run.id, id],
      [MARK, `${words.join(' ')} no ${index}`],
    ];
    if (pattern.run.continuation_id !== null) {
      names.push([pattern.run.continuation_id, randomUUID()]);
    }
    const created_at = toTimestamp(at);
    const updated_at = toTimestamp(at + Math.floor(random() * 90_000));
    const times = { created_at, updated_at, session_id: `session-${index % 5000}` };
    const ended = pattern.run.completed_at === null ? {} : { completed_at: updated_at };
    runs.insert({ ...replaced(pattern.run, names), ...times, started_at: created_at, ...ended });
    for (const { table, row } of pattern.rows) {
      if (index % TRACED !== 0 && TRACE_TABLES.has(table)) continue;
      const fresh = 'id' in row && table === 'checkpoints' ? { id: randomUUID() } : {};
      insert(table, { ...replaced(row, names), ...fresh });
    }
  };
  const batch = sqlite.transaction((from: number, to: number) => {
    for (let index = from; index < to; index += 1) one(index);
  });
  for (let from = 0; from < count; from += 1000) batch(from, Math.min(count, from + 1000));
  while (search.step());
  store.close();
}
