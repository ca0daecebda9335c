// Two versions of the platform side by side on one database, each a process of its own, while runs are
// sent to them.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compare, feed, newReport, settle } from '../support/fault-loop.ts';
import { startTestPlatform } from '../support/platform.ts';
import { startNode, type TeamNode, type TeamOptions } from '../support/team.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));

let folder = '';
const nodes: TeamNode[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'versions-'));
});
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.kill()));
  rmSync(folder, { recursive: true, force: true });
});

/** Additive, on tables whose rows every run reads and writes. */
const ADDITIVE = `-- compatible: yes
ALTER TABLE runs ADD COLUMN of_the_next TEXT;
ALTER TABLE run_queue ADD COLUMN of_the_next BIGINT NOT NULL DEFAULT 7;
CREATE TABLE things_of_the_next (id BIGINT PRIMARY KEY);
CREATE INDEX runs_of_the_next ON runs (of_the_next) WHERE of_the_next IS NOT NULL;
`;
const BREAKING =
  '-- Programs of before read this table.\nALTER TABLE queue_turns RENAME TO turns;\n';

/** Migrations of a version that has these steps more; named as they are for the store that is a file. */
function version(name: string, steps: readonly string[]): string {
  const root = path.join(folder, name);
  cpSync(MIGRATIONS, root, { recursive: true });
  for (const [at, sql] of steps.entries()) {
    writeFileSync(path.join(root, 'postgres', 'platform', `90${at}0_of_the_next.sql`), sql);
  }
  return path.join(root, 'platform');
}

async function start(migrations: string, role: TeamOptions['role']): Promise<TeamNode> {
  const env = { SERV_WORKER_LEASE_SECONDS: '5' };
  const node = await startNode({ database: folder, folder, role, migrations, env });
  nodes.push(node);
  return node;
}

test('old and new nodes work side by side over an additive step, runs flow, nothing is lost', async () => {
  const [old, next] = [version('old', []), version('next', [ADDITIVE])];
  const oldApi = await start(old, 'api');
  const oldWorker = await start(old, 'worker');
  let [over, url] = [false, oldApi.url];
  const keys: string[] = [];
  const known = new Map<string, string>();
  const feeding = (async () => {
    while (!over) {
      await feed(url, keys, known, { prefix: 'v', isOver: () => over });
      await sleep(20);
    }
  })();
  const untilMore = async (more: number): Promise<void> => {
    const wanted = known.size + more;
    await expect.poll(() => known.size).toBeGreaterThanOrEqual(wanted);
  };
  await untilMore(30);
  // The new version changes the tables under the old one's nodes, which go on.
  const nextWorker = await start(next, 'worker');
  await untilMore(30);
  // Alone, so that all that is executed meanwhile is of the old one.
  await nextWorker.kill();
  await untilMore(30);
  await settle(oldApi.url, [...known.values()].slice(0, known.size - 10));
  // One of the old version may start anew.
  await oldWorker.kill();
  const again = await start(old, 'worker');
  await start(next, 'worker');
  await untilMore(30);
  await again.kill();
  const nextApi = await start(next, 'api');
  url = nextApi.url;
  await oldApi.kill();
  await untilMore(30);
  over = true;
  await feeding;
  await settle(nextApi.url, [...known.values()]);
  const report = { ...newReport(), acknowledged: known.size };
  const effects = path.join(folder, 'effects');
  const made = existsSync(effects) ? readFileSync(effects, 'utf8').split('\n') : [];
  await compare(nextApi.url, known, report, made);
  expect(report).toMatchObject({ lost: [], doubled: [], unexplained: [], broken: [] });
}, 240_000);

test('over a step that is not marked as compatible a node of the old version refuses to start', async () => {
  const old = version('old', []);
  const next = version('next', [ADDITIVE]);
  const later = version('later', [ADDITIVE, BREAKING]);
  const open = (migrations: string) => startTestPlatform({ database: folder, migrations });
  await (await open(next)).stop();
  await (await open(old)).stop();
  await (await open(later)).stop();
  for (const migrations of [old, next]) {
    const refusal: unknown = await open(migrations).catch((error) => error);
    expect(refusal).toMatchObject({ code: 'store_newer' });
    expect(String(refusal)).toContain('has schema version 9010, this program knows');
  }
  await (await open(later)).stop();
}, 120_000);
