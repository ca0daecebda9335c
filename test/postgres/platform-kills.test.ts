// Three workers and two nodes that answer requests, each a process of its own, which are killed at
// random moments while runs are sent to them.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compare, feed, newReport, settle } from '../support/fault-loop.ts';
import { startNode, type TeamNode } from '../support/team.ts';

/** `FAULT_KILLS=200 npx vitest run --project postgres test/postgres/platform-kills.test.ts` for all of them. */
const KILLS = Number(process.env['FAULT_KILLS'] ?? 10);
const ROLES = ['worker', 'worker', 'worker', 'api', 'api'] as const;
const FIRST_API = 3;

let folder = '';
const nodes: TeamNode[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'team-'));
});
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.kill()));
  rmSync(folder, { recursive: true, force: true });
});

const TRIES = 5;

/** Started again where the machine is too busy for a start, as whatever runs nodes does. */
async function start(at: number, tries = TRIES): Promise<TeamNode> {
  try {
    return await startNode({ database: folder, folder, role: ROLES[at] ?? 'all' });
  } catch (error) {
    if (tries === 1) throw error;
    return start(at, tries - 1);
  }
}

test(
  `${KILLS} kills over five nodes: nothing acknowledged is lost, no key makes two, repeats are told`,
  async () => {
    nodes.push(...(await Promise.all(ROLES.map((_role, at) => start(at)))));
    const report = newReport();
    let over = false;
    // Each goes on at the node that takes the place of the one that was killed.
    const feeders = ['a', 'b'].map(async (prefix, which) => {
      const keys: string[] = [];
      const known = new Map<string, string>();
      while (!over) {
        const url = nodes[FIRST_API + which]?.url ?? '';
        await feed(url, keys, known, { prefix, isOver: () => over });
        await sleep(20);
      }
      return known;
    });
    for (; report.kills < KILLS; report.kills += 1) {
      await sleep(200 + Math.random() * 500);
      const at = Math.floor(Math.random() * ROLES.length);
      await nodes[at]?.kill();
      nodes[at] = await start(at);
    }
    await sleep(300);
    over = true;
    const fed = await Promise.all(feeders);
    const acknowledged = new Map(fed.flatMap((known) => [...known]));
    report.acknowledged = acknowledged.size;
    const url = nodes[FIRST_API]?.url ?? '';
    await settle(url, [...acknowledged.values()]);
    const effects = path.join(folder, 'effects');
    const made = existsSync(effects) ? readFileSync(effects, 'utf8').split('\n') : [];
    await compare(url, acknowledged, report, made);
    process.stdout.write(`${JSON.stringify(report)}\n`);
    expect(report.acknowledged).toBeGreaterThan(KILLS);
    expect(report).toMatchObject({ lost: [], doubled: [], unexplained: [], broken: [] });
  },
  KILLS * 10_000 + 120_000,
);
