import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createCli } from '../../test/support/cli.ts';
import { toTimestamp } from '../kernel/timestamp.ts';
import type { DashboardTables } from '../store/dashboard-tables.ts';
import { openDatabase } from '../store/open-database.ts';

const cli = createCli();
afterAll(() => cli.dispose());

const DAY = 86_400_000;
const data = path.join(cli.folder, 'data');
const out = cli.file('exports');
const words = ['dashboard', 'prune', '--data', data, '--export-dir', out, '--by', 'ada'];

function open() {
  mkdirSync(data, { recursive: true });
  return openDatabase<DashboardTables>({
    name: 'dashboard',
    file: path.join(data, 'dashboard.db'),
    migrations: path.resolve(import.meta.dirname, '../../migrations/dashboard'),
    now: () => Date.now(),
  });
}

async function fill(): Promise<void> {
  const { db, close } = open();
  const at = (days: number): string => toTimestamp(Date.now() - days * DAY);
  for (let i = 0; i < 1201; i += 1) {
    const id = `old-${String(i).padStart(4, '0')}`;
    const row = {
      id,
      operator: 'o',
      action: 'run.cancel',
      environment: null,
      target: 'ü',
      outcome: 'ok' as const,
    };
    await db
      .insertInto('audit_log')
      .values({ ...row, created_at: at(40) })
      .execute();
  }
  await db
    .insertInto('launches')
    .values(
      [1, 40].map((days) => ({
        id: `l${days}`,
        environment: null,
        mode: 'inline' as const,
        spec_path: null,
        digest: null,
        label: 'x',
        run_id: null,
        created_by: 'o',
        created_at: at(days),
      })),
    )
    .execute();
  close();
}

async function rows(table: 'audit_log' | 'launches'): Promise<{ id: string }[]> {
  const { db, close } = open();
  const found = await db.selectFrom(table).selectAll().execute();
  close();
  return found;
}

test('wrong usage exits 2 (contract/dashboard.md 16)', async () => {
  for (const days of ['0', '-1', 'x', '1.5'])
    expect((await cli.run([...words, `--older-than-days=${days}`])).code).toBe(2);
  expect((await cli.run(words)).code).toBe(2);
  expect((await cli.run([...words, '--older-than-days', '30', '--table', 'runs'])).code).toBe(2);
}, 60_000);

test('exports with checksums, removes exactly that, leaves a receipt and an audit row (OD-008)', async () => {
  await fill();
  const dry = await cli.run([...words, '--older-than-days', '30', '--dry-run', '--json']);
  expect(dry.json.tables).toEqual({ audit_log: { rows: 1201 }, launches: { rows: 1 } });
  expect(existsSync(out)).toBe(false);

  const { code, json } = await cli.run([...words, '--older-than-days', '30', '--vacuum', '--json']);
  expect(code).toBe(0);
  const files = readdirSync(out).sort();
  expect(files.map((name) => name.replace(/\d{8}T\d{6}Z/, 'STAMP'))).toEqual([
    'audit_log-pruned-STAMP.jsonl',
    'audit_log-pruned-STAMP.jsonl.sha256',
    'launches-pruned-STAMP.jsonl',
    'launches-pruned-STAMP.jsonl.sha256',
    'prune-receipt-STAMP.json',
  ]);
  const [exported = '', checksum = '', , , receipt = ''] = files;
  const text = readFileSync(path.join(out, exported), 'utf8');
  const sha256 = createHash('sha256').update(text).digest('hex');
  expect(readFileSync(path.join(out, checksum), 'utf8')).toBe(`${sha256}  ${exported}\n`);
  const [header, first, ...rest] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(header).toEqual({
    _schema: 'dash-prune-export/1',
    cutoff: json.cutoff,
    rows: 1201,
    store_schema_version: expect.any(Number),
    table: 'audit_log',
  });
  expect([first.id, rest.length]).toEqual(['old-0000', 1200]);
  expect(Object.keys(first)).toEqual([...Object.keys(first)].sort());
  expect(json.tables.audit_log).toEqual({ rows: 1201, export: exported, sha256 });
  expect(JSON.parse(readFileSync(path.join(out, receipt), 'utf8'))).toEqual(json);

  const audit = await rows('audit_log');
  expect(audit).toEqual([
    expect.objectContaining({ operator: 'ada', action: 'store.prune', outcome: 'ok' }),
  ]);
  expect(
    JSON.parse(String(Object.entries(audit[0] ?? {}).find(([key]) => key === 'target')?.[1])),
  ).toEqual(json);
  expect((await rows('launches')).map(({ id }) => id)).toEqual(['l1']);

  const again = await cli.run([...words, '--older-than-days', '30']);
  expect(again).toMatchObject({ code: 0, stdout: 'nothing to prune\n' });
  expect(readdirSync(out)).toHaveLength(5);
}, 60_000);

test('an export that fails removes nothing (OD-008)', async () => {
  await fill().catch(() => undefined);
  const before = (await rows('audit_log')).length;
  const file = cli.file('a-file');
  writeFileSync(file, '');
  const failed = await cli.run([
    'dashboard',
    'prune',
    '--data',
    data,
    '--export-dir',
    file,
    '--by',
    'ada',
    '--older-than-days',
    '30',
  ]);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('✗ The prune failed');
  expect((await rows('audit_log')).length).toBe(before);
}, 60_000);
