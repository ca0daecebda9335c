import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { idsFrom } from '../../kernel/ids.ts';
import { freeMemoryAtRest } from '../../runtime/rest-memory.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { StoreError } from '../../store/store-error.ts';
import { leaveWal } from '../../store/wal-keeper.ts';
import { createWriteLock, LOCK_HOLDERS } from '../../store/write-lock.ts';
import { newsOf } from '../config.ts';
import type { PlatformDeps } from '../deps.ts';
import { executeLeg } from '../legs/execute-leg.ts';
import type { HandedOver } from '../legs/handed-over.ts';
import type { LegEnd } from '../legs/running-leg.ts';
import { openMarks } from '../queue/computing-marks.ts';
import { ownerOf } from '../queue/live-services.ts';
import { startWorkers } from '../queue/worker.ts';
import type { SpanRecord } from '../telemetry/span-record.ts';
import { createCallerPressure } from '../threads/caller-pressure.ts';
import { createCountBuffer } from '../threads/count-buffer.ts';
import type { FromThread, LogLevel, ThreadSetup, ToThread } from '../threads/execution-protocol.ts';
import { createRemoteHandlers } from '../threads/remote-handlers.ts';
import { createThreadPulse } from '../threads/thread-pulse.ts';
import { createDeps } from './create-deps.ts';
import { openPlatformStore } from './platform-store.ts';
import { storeClock } from './store-clock.ts';

// The execution thread: claims queued runs and goes on with legs of the main thread, over its own
// connection to the store.

const BEAT_MS = 250;
const OPEN_AGAIN_MS = 500;
/** Where all processors are busy, whoever answers requests goes a little before whoever executes runs. */
const NICENESS = 2;
/** Without work for so long the thread ends; the next work starts another. */
const RETIRE_AFTER_MS = 60_000;

/** On Linux a priority belongs to the thread that asks, elsewhere to the whole process. */
function stepBack(): void {
  if (process.platform === 'linux' && os.getPriority() < NICENESS) os.setPriority(NICENESS);
}

function portOf() {
  if (parentPort === null) throw new TypeError('this module is the entry of a thread');
  return parentPort;
}

const port = portOf();
stepBack();
const setup: ThreadSetup = workerData;
const send = (message: FromThread): void => port.postMessage(message);

/** Fields that survive the way to the main thread. */
function plain(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(fields).map(([key, value]): [string, unknown] => [
    key,
    value instanceof Error ? { message: value.message, stack: value.stack } : value,
  ]);
  return Object.fromEntries(entries);
}

const write =
  (level: LogLevel) =>
  (fields: Readonly<Record<string, unknown>>, message: string): void =>
    send({ type: 'log', level, fields: plain(fields), message });

const log = { info: write('info'), warn: write('warn'), error: write('error') };
const clock = storeClock(systemClock(setup.clockShift), setup.clockOffset);
const handlers = createRemoteHandlers(setup.handlers, send);
const pulse = createThreadPulse(setup.pulse);
const open = () =>
  openPlatformStore({
    external: setup.config.external,
    notify: newsOf(setup.config) !== undefined,
    file: setup.databaseFile,
    migrations: setup.migrationsDir,
    durability: setup.config.durability,
    now: clock.now,
    // Waiting for an answer is no computing.
    waiting: pulse.beat,
  });

/** A database that is away for a while is no reason to end: what was sent waits. */
async function opened(): ReturnType<typeof open> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'store_unreachable') throw error;
      log.warn({ err: error }, 'the execution thread waits for the database');
      pulse.beat();
      await sleep(OPEN_AGAIN_MS);
    }
  }
}

const store = await opened();
// Another thread moves the log.
if (setup.claims && store.file !== undefined) leaveWal(store.file);
const counts = createCountBuffer((amounts, timings) => send({ type: 'counts', amounts, timings }));

/** What opens telemetry; its code is loaded only where it is switched on. */
async function telemetryOf({ telemetry }: ThreadSetup['config']) {
  if (telemetry === undefined) return undefined;
  const { openThreadTelemetry } = await import('../telemetry/thread-telemetry.ts');
  const ended = (spans: readonly SpanRecord[]): void => send({ type: 'spans', spans });
  return () => openThreadTelemetry({ config: telemetry, now: () => clock.now(), log, send: ended });
}

const base = createDeps(
  {
    config: setup.config,
    host: '',
    port: 0,
    databaseFile: setup.databaseFile,
    migrationsDir: setup.migrationsDir,
    specRoot: setup.specRoot,
    trusted: setup.trusted,
    projects: setup.projects,
    extraKeys: [],
    requireKey: true,
    handlers: handlers.registry,
    clock,
    ids: idsFrom(Date.now, randomUUID),
    log,
    appVersion: setup.appVersion,
  },
  store,
  {
    owner: setup.owner,
    writeLock: createWriteLock(setup.lock, LOCK_HOLDERS.execution),
    pulse,
    telemetry: await telemetryOf(setup.config),
    pressure: createCallerPressure(setup.pressure),
    computing: openMarks(setup.databaseFile, ownerOf(setup.owner), 'execution'),
    changes: {
      memory: setup.watching,
      tell: (runIds) => send({ type: 'written', run_ids: runIds }),
    },
  },
);
const deps: PlatformDeps = {
  ...base,
  liveAnswers: {
    ...base.liveAnswers,
    tell: (runId, answer) => send({ type: 'answer', run_id: runId, answer }),
  },
  metrics: {
    ...base.metrics,
    add: counts.add,
    observe: counts.observe,
  },
};
const workers = setup.claims ? startWorkers(deps) : undefined;
const legs = new Set<Promise<void>>();

async function endOf({ run_id, token, tail, begins }: HandedOver): Promise<LegEnd> {
  const row = deps.runs.find(run_id);
  const state = row && deps.runStates.findOf(row);
  if (row === undefined || state === undefined || row.execution_token !== token) {
    return { kind: 'lost' };
  }
  const held = { row, state, token, tail };
  // A thread before this one may have begun it.
  const hasBegun = state.status === 'running' && state.started_at !== null;
  return begins === null || hasBegun
    ? executeLeg(deps, { ...held, kind: 'moved' })
    : executeLeg(deps, { ...held, kind: 'sent', ...begins });
}

async function execute(leg: HandedOver): Promise<void> {
  let end: LegEnd = { kind: 'lost' };
  try {
    end = await endOf(leg);
  } catch (error) {
    deps.log.error({ run_id: leg.run_id, err: error }, 'a leg could not be executed');
  }
  const { run_id, token } = leg;
  counts.flush();
  // The answer is read from the store again: it can be large.
  const told = end.kind === 'settled' ? { ...end, result: null } : end;
  send({ type: 'leg_ended', run_id, token, end: told });
}

async function drain(timeoutSeconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutSeconds * 1000);
  });
  await Promise.all([workers?.drain(timeoutSeconds), Promise.race([Promise.all(legs), limit])]);
  clearTimeout(timer);
  for (const execution of [...deps.executions.values()]) execution.abandon();
  counts.flush();
  await deps.telemetry?.close();
  await Promise.all([
    deps.mcp.close(),
    deps.projectCode.close(),
    deps.builtInSteps.close(),
    deps.runCode.close(),
  ]);
  clearInterval(beats);
  stopFreeing();
  deps.computing.close();
  await store.close();
  port.close();
}

function take(message: ToThread): void {
  switch (message.type) {
    case 'execute': {
      if (retiring) return;
      idleSince = performance.now();
      const leg = execute(message.leg).finally(() => legs.delete(leg));
      legs.add(leg);
      return;
    }
    case 'abandon':
      deps.executions.get(message.run_id)?.abandon();
      return;
    case 'wake':
      idleSince = performance.now();
      workers?.wake();
      return;
    case 'drain':
      void drain(message.timeout_seconds);
      return;
    case 'handler_answered':
    case 'handler_failed':
      handlers.answered(message);
  }
}

let idleSince = performance.now();
let retiring = false;

function beat(): void {
  pulse.beat();
  if (deps.executions.size + legs.size > 0) idleSince = performance.now();
  if (retiring || performance.now() - idleSince < RETIRE_AFTER_MS) return;
  retiring = true;
  send({ type: 'retiring' });
  void drain(0);
}

const beats = setInterval(beat, BEAT_MS);
const stopFreeing = freeMemoryAtRest();
port.on('message', take);
