// A worker that is frozen, or cut off from the database: nobody says that it is gone.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CutTeam, isReady, startCutTeam, untilReady } from '../support/cut-team.ts';
import { startPostgresServer } from '../support/postgres-server.ts';

const CUT_MS = Number(process.env['FAULT_PARTITION_SECONDS'] ?? 7) * 1000;
const LEASE_MS = 2_000;

let server: Awaited<ReturnType<typeof startPostgresServer>>;
let team: CutTeam;
beforeAll(async () => {
  server = await startPostgresServer({ durable: true });
  team = await startCutTeam(server, LEASE_MS / 1000);
});
afterAll(async () => {
  await team.stop();
  await server.stop();
});

test('frozen: another takes over within its lease and a second', async () => {
  const held = await team.untilStruckHolds();
  team.struck.child.kill('SIGSTOP');
  const taken = await team.untilTaken(held);
  team.struck.child.kill('SIGCONT');
  expect(taken).toBeLessThan(LEASE_MS + 1000);
  await team.untilStruckWorks();
});

test.each(['go on', 'stay dead'] as const)(
  'cut off, and its connections %s then: another takes over, it is red and green again by itself',
  async (cutOnes) => {
    const held = await team.untilStruckHolds();
    team.way.cut();
    const cutAt = performance.now();
    const red = untilReady(team.struck, false);
    const taken = await team.untilTaken(held);
    expect(await isReady(team.other)).toBe(true);
    expect(await red).toBeLessThan(10_000);
    await sleep(CUT_MS - (performance.now() - cutAt));
    team.way.heal(cutOnes);
    const green = await untilReady(team.struck, true);
    process.stdout.write(`taken over ${taken} ms, red ${await red} ms, green ${green} ms\n`);
    expect(taken).toBeLessThan(LEASE_MS + 1000);
    expect(green).toBeLessThan(10_000);
    await team.untilStruckWorks();
  },
  CUT_MS + 90_000,
);

test('nothing is lost, and nobody wrote a run that another held', async () => {
  const report = await team.finish();
  process.stdout.write(`${JSON.stringify(report)}\n`);
  expect(report).toMatchObject({ lost: [], doubled: [], unexplained: [], broken: [] });
  expect(report.strangers).toEqual([]);
  expect(report.acknowledged).toBeGreaterThan(15);
  expect(report.passedOn).toBeGreaterThan(2);
});
