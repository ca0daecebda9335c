// Two workers and a node that answers requests on a database of their own, each worker by a way of its
// own that can be cut.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { effectsIn, type FaultReport, startFeeding } from './fault-loop.ts';
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
  /** Waits until the struck worker is at the beginning of a step of a run, and names that. */
  untilStruckHolds(): Promise<string[]>;
  /** Waits until the struck worker writes runs. */
  untilStruckWorks(): Promise<void>;
  /** Waits until the other worker has taken all these runs; answers milliseconds. */
  untilTaken(ids: readonly string[]): Promise<number>;
  /** Sends no more, lets all runs end and compares. */
  finish(): Promise<FaultReport & { readonly strangers: string[]; readonly passedOn: number }>;
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
  const feeding = startFeeding(api.url, EVERY_MS);
  const nameOf = (port: number): string => {
    if (ways[0].ports.has(port)) return 'struck';
    return ways[1].ports.has(port) ? 'other' : 'api';
  };
  return {
    ...{ api, struck, other, writers, way: ways[0] },
    async untilStruckHolds() {
      const seen = new Map<string, number>();
      for (;;) {
        const lines = effectsIn(folder).map((line) => line.replaceAll('.', ''));
        const [held] = await writers.heldBy(ways[0].ports);
        const [key] = [...feeding.known].find(([, id]) => id === held) ?? [];
        if (held !== undefined && key !== undefined) {
          const made = lines.filter((line) => line === key).length;
          // A step begins with its effect; the next write comes with its end.
          if (made > (seen.get(key) ?? made)) return [held];
          seen.set(key, made);
        }
        await sleep(20);
      }
    },
    async untilStruckWorks() {
      while ((await writers.heldBy(ways[0].ports)).length === 0) await sleep(20);
    },
    async untilTaken(ids) {
      const from = performance.now();
      for (const id of ids) {
        while (!ways[1].ports.has((await writers.lastPort(id)) ?? 0)) await sleep(20);
      }
      return performance.now() - from;
    },
    async finish() {
      const report = await feeding.finish(folder);
      const strangers = await writers.strangers(nameOf);
      return { ...report, strangers, passedOn: (await writers.passedOn(nameOf)).length };
    },
    async stop() {
      await feeding.stop();
      await Promise.all([api, struck, other].map((node) => node.kill()));
      await writers.close();
      await Promise.all(ways.map((way) => way.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
