import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRun } from '../../server/engine/create-run.ts';
import { readPlatformConfig } from '../../server/platform/config.ts';
import type { PlatformDeps } from '../../server/platform/deps.ts';
import { NO_MARKS } from '../../server/platform/queue/computing-marks.ts';
import { queuePlace } from '../../server/platform/queue/queue-place.ts';
import { startWorkers } from '../../server/platform/queue/worker.ts';
import { watchMemory } from '../../server/platform/run-record/run-changes.ts';
import { newRow } from '../../server/platform/runs/start-run.ts';
import { createDeps } from '../../server/platform/service/create-deps.ts';
import { openPlatformStore } from '../../server/platform/service/platform-store.ts';
import { clockOffset } from '../../server/platform/service/store-clock.ts';
import { createRunWriter } from '../../server/platform/stored-states/run-writer.ts';
import {
  createCallerPressure,
  pressureMemory,
} from '../../server/platform/threads/caller-pressure.ts';
import { keepExecutionThread } from '../../server/platform/threads/thread-keeper.ts';
import { handlerRegistry, type RegisteredHandler } from '../../server/runtime/handler-registry.ts';
import { createWriteLock, LOCK_HOLDERS, writeLockMemory } from '../../server/store/write-lock.ts';
import { onPostgres } from '../support/chosen-store.ts';
import { faultLoop, twoServices } from '../support/fault-loop.ts';
import { type Loose, startTestPlatform } from '../support/platform.ts';

/** `FAULT_KILLS=200 npx vitest run test/contract/platform-kills.test.ts` for the whole loop. */
const KILLS = Number(process.env['FAULT_KILLS'] ?? 8);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kills-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const STEPS = ['one', 'two', 'three'];
const SPEC = {
  version: 'v1',
  agent: { name: 'desk' },
  workflow: {
    type: 'sequential',
    name: 'pipe',
    steps: STEPS.map((id) => ({ id, kind: 'function', ref: id })),
  },
  components: {
    functions: Object.fromEntries(STEPS.map((id) => [id, { implementation: `work.${id}` }])),
  },
};

function optionsOf(handlers: Record<string, RegisteredHandler>) {
  const root = path.resolve(import.meta.dirname, '../..');
  const quiet = () => undefined;
  return {
    config: readPlatformConfig({ SERV_EXECUTION_STALL_SECONDS: '1' }),
    host: '127.0.0.1',
    port: 0,
    databaseFile: path.join(folder, 'platform.db'),
    migrationsDir: path.join(root, 'migrations/platform'),
    specRoot: folder,
    trusted: false,
    extraKeys: [],
    requireKey: false,
    handlers: handlerRegistry(handlers),
    clock: { now: () => performance.timeOrigin + performance.now() },
    ids: { uuid: () => crypto.randomUUID(), hex: () => crypto.randomUUID().replaceAll('-', '') },
    log: { info: quiet, warn: quiet, error: quiet },
  };
}

function storeOf(options: ReturnType<typeof optionsOf>) {
  return openPlatformStore({
    external: options.config.external,
    notify: false,
    file: options.databaseFile,
    migrations: options.migrationsDir,
    now: () => Date.now(),
  });
}

function fileOf({ file }: Awaited<ReturnType<typeof storeOf>>) {
  if (file === undefined) throw new Error('the store is no file');
  return file;
}

/** Stores a run that nothing has happened to yet. */
function storeRun(deps: PlatformDeps, id: string, token: string | null): void {
  const at = Date.now();
  const setup = {
    run_id: id,
    target: 'workflow',
    input_text: 'x',
    environment: null,
    timeout_seconds: null,
    deadline_at: null,
  } as const;
  const row = newRow(setup, {
    async_mode: token === null,
    session_id: null,
    strict: true,
    parent_run_id: null,
    caller: null,
    code_bundle: null,
    metadata: JSON.stringify({ frozen_spec: { base: SPEC, overlays: [] } }),
    at,
  });
  const writer = createRunWriter(deps, row, { fresh: true });
  writer.add(createRun(setup, token === null ? 'queued' : 'running', at));
  writer.commit({ token: '' }, token, () => {
    if (token !== null) return;
    const of = { workflow: null, caller: null };
    deps.queue.insert(id, queuePlace(deps.config.queue, {}, of));
  });
}

// Each commit is a copy of the file.
test.skipIf(onPostgres)(
  'a kill after every commit: the run completes, nothing is recorded twice',
  async () => {
    const snapshots: { made: string[]; bytes: Buffer }[] = [];
    const made: string[] = [];
    const handlers = Object.fromEntries(
      STEPS.map((id): [string, RegisteredHandler] => [
        `work.${id}`,
        async ([input]) => {
          made.push(id);
          await new Promise((resolve) => setTimeout(resolve, 5));
          return `${String(input)}.`;
        },
      ]),
    );
    const options = optionsOf(handlers);
    const store = await storeOf(options);
    const { sqlite } = fileOf(store);
    const begin = sqlite.transaction.bind(sqlite);
    Object.assign(sqlite, {
      transaction: (work: () => unknown) => {
        const transaction: Loose = begin(work);
        const keep =
          (run: (...args: unknown[]) => unknown) =>
          (...args: unknown[]): unknown => {
            const result = run(...args);
            if (!sqlite.inTransaction) {
              snapshots.push({ made: [...made], bytes: sqlite.serialize() });
            }
            return result;
          };
        return Object.assign(keep(transaction), { immediate: keep(transaction.immediate) });
      },
    });
    const lock = createWriteLock(writeLockMemory(), LOCK_HOLDERS.main);
    const deps = createDeps(options, store, {
      owner: 'gone.main',
      writeLock: lock,
      pressure: createCallerPressure(pressureMemory()),
      computing: NO_MARKS,
    });
    storeRun(deps, 'run-1', null);
    const workers = startWorkers(deps);
    while (deps.runs.find('run-1')?.status !== 'completed') {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await workers.drain(5);
    await store.close();
    const distinct = snapshots.filter(
      ({ bytes }, index) => index === 0 || !bytes.equals(snapshots[index - 1]?.bytes ?? bytes),
    );
    expect(distinct.length).toBeGreaterThan(STEPS.length + 1);
    for (const [index, snapshot] of distinct.entries()) {
      const file = path.join(folder, `killed-${index}.db`);
      writeFileSync(file, snapshot.bytes);
      made.splice(0, made.length, ...snapshot.made);
      const p = await startTestPlatform({ file, handlers });
      try {
        const run = await p.waitFor('run-1', 'completed', 'failed');
        expect(run.body).toMatchObject({ status: 'completed', output_text: 'x...' });
        const { checkpoints } = (await p.get('/v1/runs/run-1/checkpoints')).body;
        expect(checkpoints.map((item: Loose) => item.type)).toEqual([
          'run_started',
          'step_completed',
          'step_completed',
          'step_completed',
          'run_completed',
        ]);
        const { events } = (await p.get('/v1/runs/run-1/trace')).body;
        expect(new Set(events.map((event: Loose) => event.event_id)).size).toBe(events.length);
        const repeats = events
          .filter((event: Loose) => event.type === 'run_recovered')
          .flatMap((event: Loose) => event.metadata.repeated);
        expect(repeats.length).toBeLessThanOrEqual(1);
        expect(made.length).toBeLessThanOrEqual(STEPS.length + repeats.length);
      } finally {
        await p.stop();
      }
    }
  },
  60_000,
);

test(
  `${KILLS} real kills: no acknowledged run is lost, no key makes two, repeats are told`,
  async () => {
    const report = await faultLoop(folder, KILLS);
    process.stdout.write(`${JSON.stringify(report)}\n`);
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report).toMatchObject({
      kills: KILLS,
      lost: [],
      doubled: [],
      unexplained: [],
      broken: [],
    });
  },
  KILLS * 10_000 + 120_000,
);

test('two services on one store never both own a run', async () => {
  const { ids, again, statuses, made } = await twoServices(folder, 30);
  expect(again).toEqual(ids);
  expect(statuses).toEqual(ids.map(() => 'completed'));
  expect(new Set(made).size).toBe(made.length);
  expect(made).toHaveLength(ids.length * STEPS.length);
}, 120_000);

test('a computation that holds the thread ends its run failed; others go on', async () => {
  const options = optionsOf({});
  const store = await storeOf(options);
  const memory = writeLockMemory();
  const pressure = pressureMemory();
  const base = createDeps(options, store, {
    owner: 'here.main',
    writeLock: createWriteLock(memory, LOCK_HOLDERS.main),
    pressure: createCallerPressure(pressure),
    computing: NO_MARKS,
  });
  const thread = keepExecutionThread({
    file: fileURLToPath(new URL('../support/stalling-thread.ts', import.meta.url)),
    platform: options,
    handlers: options.handlers,
    lock: memory,
    pressure,
    watching: watchMemory(),
    offset: clockOffset(),
    deps: () => deps,
  });
  const deps: PlatformDeps = { ...base, executionThread: thread };
  storeRun(deps, 'stalls', 'here.main.1');
  storeRun(deps, 'waits', 'here.main.2');
  const waits = thread.execute({ run_id: 'waits', token: 'here.main.2', tail: null, begins: null });
  const stalls = await thread.execute({
    run_id: 'stalls',
    token: 'here.main.1',
    tail: null,
    begins: null,
  });
  expect(stalls).toMatchObject({ kind: 'settled', outcome: { status: 'failed' } });
  const row = deps.runs.find('stalls');
  expect(row?.status).toBe('failed');
  expect(row?.error).toContain('SERV_EXECUTION_STALL_SECONDS');
  expect(await waits).toEqual({ kind: 'lost' });
  await thread.drain(0);
  await store.close();
}, 20_000);
