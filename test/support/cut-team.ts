// Two workers and a node that answers requests on a database of their own, each worker by a way of its
// own that can be cut.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { compare, type FaultReport, feed, newReport, settle } from './fault-loop.ts';
import type { PostgresOwner, PostgresServer } from './postgres-server.ts';
import { type RunWriters, watchWriters } from './run-writers.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
import { startNode, type TeamNode } from './team.ts';

export interface CutTeam {
  readonly api: TeamNode;
  /** The one that something happens to. */
  readonly struck: TeamNode;
  readonly way: TcpProxy;
  readonly other: TeamNode;
  readonly writers: RunWriters;
  /** Waits until the struck worker is within the first step of a run, and names that. */
  untilStruckHolds(): Promise<string[]>;
  /** Waits until the struck worker writes runs. */
  untilStruckWorks(): Promise<void>;
  /** Waits until the other worker has written all these runs; answers milliseconds. */
  untilTaken(ids: readonly string[]): Promise<number>;
  /** Sends no more, lets all runs end and compares. */
  finish(): Promise<FaultReport & { readonly turns: readonly (readonly string[])[] }>;
  stop(): Promise<void>;
}

/** Whether a node says that it is ready. */
export async function isReady({ url }: TeamNode): Promise<boolean> {
  return (await fetch(`${url}/readyz`)).status === 200;
}

/** Waits for readiness to be so; answers milliseconds. */
export async function untilReady(node: TeamNode, ready: boolean): Promise<number> {
  const from = performance.now();
  while ((await isReady(node)) !== ready) {
    if (performance.now() - from > 60_000) throw new Error(`it did not become ${ready}`);
    await sleep(50);
  }
  return performance.now() - from;
}

const STEP_MS = 300;
/** Seldom enough for either worker alone. */
const EVERY_MS = 500;

/** Starts the team, to which runs are sent all the while. */
export async function startCutTeam(
  server: PostgresServer & PostgresOwner,
  leaseSeconds: number,
): Promise<CutTeam> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cut-team-'));
  const url = await server.createDatabase();
  const ways = [await startTcpProxy(server.port), await startTcpProxy(server.port)] as const;
  const env = {
    SERV_WORKER_LEASE_SECONDS: String(leaseSeconds),
    SERV_WORKER_IDLE_POLL_SECONDS: '0.2',
  };
  const start = (role: 'api' | 'worker', databaseUrl: string, more = {}) =>
    startNode({ databaseUrl, folder, role, env: { ...env, ...more }, stepMs: STEP_MS });
  const api = await start('api', url);
  const writers = await watchWriters(url);
  const [struck, other] = await Promise.all([
    // It does one run at a time, so that it is known what it is in the middle of.
    start('worker', ways[0].urlOf(url), { SERV_WORKER_CONCURRENCY: '1' }),
    start('worker', ways[1].urlOf(url), { SERV_WORKER_CONCURRENCY: '4' }),
  ]);
  let over = false;
  const known = new Map<string, string>();
  const sending = (async () => {
    const keys: string[] = [];
    while (!over) {
      await feed(api.url, keys, known, { isOver: () => over, everyMs: EVERY_MS });
      await sleep(20);
    }
  })();
  const nameOf = (port: number): string => {
    if (ways[0].ports.has(port)) return 'struck';
    return ways[1].ports.has(port) ? 'other' : 'api';
  };
  return {
    ...{ api, struck, other, writers, way: ways[0] },
    async untilStruckHolds() {
      for (;;) {
        const before = await writers.heldBy(ways[0].ports);
        await sleep(STEP_MS / 4);
        const ids = await writers.heldBy(ways[0].ports);
        // Its last write is over; the next one comes with the end of the step.
        if (ids.length > 0 && before.length === 0) return ids;
      }
    },
    async untilStruckWorks() {
      while ((await writers.heldBy(ways[0].ports)).length === 0) await sleep(20);
    },
    async untilTaken(ids) {
      const from = performance.now();
      for (;;) {
        const held = await writers.turns(nameOf);
        if (ids.every((id) => held.get(id)?.includes('other'))) return performance.now() - from;
        await sleep(50);
      }
    },
    async finish() {
      over = true;
      await sending;
      const report = newReport();
      report.acknowledged = known.size;
      await settle(api.url, [...known.values()]);
      const effects = path.join(folder, 'effects');
      const made = existsSync(effects) ? readFileSync(effects, 'utf8').split('\n') : [];
      await compare(api.url, known, report, made);
      return { ...report, turns: [...(await writers.turns(nameOf)).values()] };
    },
    async stop() {
      over = true;
      await Promise.all([api, struck, other].map((node) => node.kill()));
      await sending;
      await writers.close();
      await Promise.all(ways.map((way) => way.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
