// Fills a platform's database with many runs, out of some that a node has made.
import type { Client } from 'pg';
import { indexedGrams } from '../../server/platform/run-list/run-search-postgres.ts';
import { MARK, PATTERNS, TRACED, WORDS } from './run-patterns.ts';

/** Each pattern's run is found by its session. */
const SESSION = 'pattern-';
const MINUTE_MS = 60_000;
const SEARCHED_AT_ONCE = 5000;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Which run each stands for: a pattern, texts of its own, a minute, one of five thousand sessions. */
function planStatement(runs: number, patterns: readonly string[]): string {
  const words = `'{${WORDS.join(',')}}'::text[]`;
  let below = 0;
  const cases = PATTERNS.map(([share], at) => {
    below += share;
    return `WHEN dice < ${below / 100} THEN ${quoted(patterns[at] ?? '')}`;
  });
  const time = (ms: string) =>
    `to_char(timezone('UTC', to_timestamp((${ms}) / 1000.0)), 'YYYY-MM-DD"T"HH24:MI:SS.MS"000+00:00"')`;
  const start = Date.now() - runs * MINUTE_MS;
  return `CREATE UNLOGGED TABLE filling AS
    SELECT n, id, continuation, session, text, CASE ${cases.join(' ')} ELSE ${quoted(patterns[0] ?? '')} END AS pattern,
      ${time('at')} AS created, ${time('at + took')} AS updated
    FROM (
      SELECT n, gen_random_uuid()::text AS id, gen_random_uuid()::text AS continuation, random() AS dice,
        'session-' || n % 5000 AS session, ${start} + n::bigint * ${MINUTE_MS} AS at, floor(random() * 90000)::bigint AS took,
        (SELECT string_agg((${words})[1 + floor(random() * ${WORDS.length})], ' ')
         FROM generate_series(1, 8 + floor(random() * 30)::integer + n - n)) || ' no ' || n AS text
      FROM generate_series(1, ${runs}) AS n) AS made`;
}

interface Column {
  readonly name: string;
  readonly isText: boolean;
}

async function columnsOf(client: Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<{ column_name: string; data_type: string }>(
    `SELECT column_name, data_type FROM information_schema.columns
     WHERE table_name = '${table}' AND is_identity = 'NO' OR table_name = '${table}' AND column_name = 'seq'
     ORDER BY ordinal_position`,
  );
  return rows.map(({ column_name: name, data_type: type }) => ({ name, isText: type === 'text' }));
}

/** What stands in the texts of a pattern for what is a run's own. */
const OWN = [
  [quoted(MARK), 'filling.text'],
  ['origin.id', 'filling.id'],
  ["coalesce(origin.continuation_id, 'no continuation')", 'filling.continuation'],
  ['origin.created_at', 'filling.created'],
  ['origin.updated_at', 'filling.updated'],
  ['origin.session_id', 'filling.session'],
] as const;

/** Columns that a run has for itself, whatever the pattern's hold. */
const TIMES: Readonly<Record<string, string>> = {
  created_at: 'filling.created',
  updated_at: 'filling.updated',
  started_at: 'filling.created',
  completed_at: 'CASE WHEN source.completed_at IS NOT NULL THEN filling.updated END',
};

interface Copied {
  readonly table: string;
  /** How a row of the pattern is met. */
  readonly join: string;
  readonly where?: string;
  readonly columns?: Readonly<Record<string, string>>;
}

const BY_RUN = 'source.run_id = origin.id';
const BY_SEQ = 'source.seq = (SELECT seq FROM patterns_listed WHERE run_id = origin.id)';
const NUMBERED = { seq: 'filling.n + 1000' };
const TRACED_ONLY = `filling.n % ${TRACED} = 0`;

const TABLES: readonly Copied[] = [
  { table: 'runs', join: 'source.id = origin.id', columns: TIMES },
  { table: 'run_list', join: BY_RUN, columns: { ...NUMBERED, ...TIMES } },
  { table: 'run_created', join: BY_SEQ, columns: NUMBERED },
  { table: 'run_outcomes', join: BY_SEQ, columns: NUMBERED },
  { table: 'run_states', join: BY_RUN },
  { table: 'continuations', join: BY_RUN },
  {
    ...{ table: 'checkpoints', join: BY_RUN, where: TRACED_ONLY },
    columns: { id: 'gen_random_uuid()::text' },
  },
  { table: 'trace_events', join: BY_RUN, where: TRACED_ONLY },
];

async function copyStatement(client: Client, copied: Copied): Promise<string> {
  const columns = await columnsOf(client, copied.table);
  const values = columns.map(({ name, isText }) => {
    const own = copied.columns?.[name];
    if (own !== undefined) return own;
    if (!isText) return `source.${name}`;
    return OWN.reduce((text, [from, to]) => `replace(${text}, ${from}, ${to})`, `source.${name}`);
  });
  return `INSERT INTO ${copied.table} (${columns.map(({ name }) => name).join(', ')})
    SELECT ${values.join(', ')} FROM filling JOIN patterns AS origin ON origin.id = filling.pattern
    JOIN ${copied.table} AS source ON ${copied.join}
    WHERE ${copied.where ?? 'TRUE'} ORDER BY filling.n`;
}

async function fillSearch(client: Client, runs: number): Promise<void> {
  await client.query(`CREATE UNLOGGED TABLE filling_search AS
    SELECT filling.n + 1000 AS seq, replace(source.input, ${quoted(MARK)}, filling.text) AS input,
      replace(source.outcome, ${quoted(MARK)}, filling.text) AS outcome
    FROM filling JOIN patterns AS origin ON origin.id = filling.pattern
    JOIN run_search AS source ON ${BY_SEQ} ORDER BY filling.n`);
  await client.query('CREATE INDEX ON filling_search (seq)');
  for (let from = 0; from < runs; from += SEARCHED_AT_ONCE) {
    const { rows } = await client.query<{ seq: string; input: string; outcome: string }>(
      `SELECT * FROM filling_search WHERE seq > ${from + 1000} AND seq <= ${from + 1000 + SEARCHED_AT_ONCE}`,
    );
    await client.query(
      `INSERT INTO run_search (seq, indexed, input, outcome, grams)
       SELECT seq, 1, input, outcome, grams::integer[]
       FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) AS made (seq, input, outcome, grams)`,
      [
        rows.map(({ seq }) => seq),
        rows.map(({ input }) => input),
        rows.map(({ outcome }) => outcome),
        rows.map(({ input, outcome }) => indexedGrams(input, outcome)),
      ],
    );
  }
}

const COUNTED = `INSERT INTO run_counts_folded (day, status, workflow_kind, workflow_name, has_error, runs)
  SELECT substr(created_at, 1, 10), status, workflow_kind, coalesce('=' || workflow_name, ''), has_error, count(*)
  FROM run_list GROUP BY 1, 2, 3, 4, 5`;

/** The indexes of the tables that are filled, but those of constraints; they are made afterwards. */
async function takeIndexes(client: Client): Promise<string[]> {
  const names = [...TABLES.map(({ table }) => table), 'run_search'].map(quoted).join(', ');
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename IN (${names})
       AND indexname NOT IN (SELECT conname FROM pg_constraint)`,
  );
  for (const { indexname } of rows) await client.query(`DROP INDEX ${indexname}`);
  return rows.map(({ indexdef }) => indexdef);
}

/** The runs that stand for the patterns are sent by this; each has its session. */
export function patternRequests(): object[] {
  return PATTERNS.map(([, spec], at) => ({ input: MARK, spec, session_id: `${SESSION}${at}` }));
}

/**
 * Fills a database in which the runs of `patternRequests` are over or wait for a person. `client` is the
 * server's owner's; no service may be working on the database.
 */
export async function fillPostgresRuns(client: Client, runs: number): Promise<void> {
  await client.query("SET session_replication_role = replica; SET maintenance_work_mem = '1GB'");
  await client.query("SET work_mem = '256MB'; SET synchronous_commit = off; SELECT setseed(0.42)");
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM runs WHERE session_id LIKE '${SESSION}%' ORDER BY session_id`,
  );
  await client.query(`CREATE TEMP TABLE patterns AS
    SELECT id, session_id, continuation_id, created_at, updated_at FROM runs
    WHERE session_id LIKE '${SESSION}%'`);
  await client.query('CREATE TEMP TABLE patterns_listed AS SELECT seq, run_id FROM run_list');
  await client.query(
    planStatement(
      runs,
      rows.map(({ id }) => id),
    ),
  );
  const indexes = await takeIndexes(client);
  for (const copied of TABLES) await client.query(await copyStatement(client, copied));
  await fillSearch(client, runs);
  await client.query('DROP TABLE filling, filling_search');
  for (const index of indexes) await client.query(index);
  await client.query('DELETE FROM run_count_changes; DELETE FROM run_counts_folded');
  await client.query(COUNTED);
  await client.query(
    "SELECT setval(pg_get_serial_sequence('run_list', 'seq'), max(seq)) FROM run_list",
  );
  await client.query('VACUUM (ANALYZE)');
}
