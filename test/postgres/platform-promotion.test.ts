// The primary is lost, and the standby that followed it takes its place, behind the address of a team.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { untilReady } from '../support/cut-team.ts';
import { startFeeding } from '../support/fault-loop.ts';
import { startPostgresPair } from '../support/postgres-pair.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { startNode } from '../support/team.ts';

const ENV = { SERV_WORKER_LEASE_SECONDS: '2', SERV_WORKER_IDLE_POLL_SECONDS: '0.2' };

test('a standby is promoted: what was acknowledged is there and ends, nodes go on by themselves', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'promoted-'));
  const pair = await startPostgresPair();
  const address = await startTcpProxy(pair.primary.port);
  const databaseUrl = address.urlOf(await pair.primary.createDatabase());
  const api = await startNode({ databaseUrl, folder, role: 'api', env: ENV });
  const workers = await Promise.all(
    [1, 2].map(() => startNode({ databaseUrl, folder, role: 'worker', env: ENV, stepMs: 20 })),
  );
  const nodes = [api, ...workers];
  const feeding = startFeeding(api.url, 20);
  try {
    await sleep(2_000);
    const before = feeding.known.size;
    await pair.primary.crash();
    const red = await Promise.all(nodes.map((node) => untilReady(node, false)));
    await pair.promote();
    address.moveTo(pair.standby.port);
    const green = await Promise.all(nodes.map((node) => untilReady(node, true)));
    await sleep(2_000);
    const report = await feeding.finish(folder);
    process.stdout.write(`${JSON.stringify({ red, green, before, ...report })}\n`);
    expect(Math.max(...red, ...green)).toBeLessThan(10_000);
    expect(before).toBeGreaterThan(10);
    expect(report.acknowledged).toBeGreaterThan(before + 10);
    expect(report).toMatchObject({ lost: [], doubled: [], unexplained: [], broken: [] });
  } finally {
    await feeding.stop();
    await Promise.all(nodes.map((node) => node.kill()));
    await address.close();
    await pair.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);
