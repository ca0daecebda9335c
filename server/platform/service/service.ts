import { isLoopbackHost } from '../../http/door-guard.ts';
import { tellSettings } from '../../http/tell-settings.ts';
import { StartRefusal } from '../../kernel/start-refusal.ts';
import { newsOf, type PlatformConfig } from '../config.ts';
import type { PlatformDeps } from '../deps.ts';
import { startEvents } from '../events/event-schedules.ts';
import { leveledLog } from '../leveled-log.ts';
import type { Metrics } from '../probes/metrics.ts';
import { recoverOrphans } from '../queue/recover-orphans.ts';
import type { PlatformOptions, RunningPlatform } from '../service-options.ts';
import { maskEndedRuns } from '../sweeps/mask-ended-runs.ts';
import { type Schedule, startSchedule } from '../sweeps/schedule.ts';
import { createSweepMemory, type SweepMemory, sweepOnce } from '../sweeps/sweep.ts';
import { retainOnce } from '../sweeps/sweep-retention.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { forgetOldUsage } from '../usage/read-usage.ts';
import { openPlatformStore } from './platform-store.ts';
import { createPlatform } from './plugin.ts';
import { clockOffset, storeClock } from './store-clock.ts';
import { createWorkforce } from './workforce.ts';

const HOUR_MS = 3_600_000;
/** How often what transactions left beside sums is added up. */
const FOLD_MS = 20_000;
/** How soon after its end a run is masked. */
const MASK_MS = 1000;
/** How long a stop waits for the masking of the runs that ended last. */
const MASK_AT_STOP_MS = 3000;
/** The thread that serves requests waits no longer for another process's write. */
const BUSY_TIMEOUT_MS = 500;

function refuseOpenAddress(options: PlatformOptions): void {
  // The key that this program generates is of no use to another machine.
  if (options.config.authEnabled || isLoopbackHost(options.host)) return;
  throw new StartRefusal(
    `The platform does not listen on ${options.host} without authentication; set SERV_API_KEYS or use 127.0.0.1.`,
  );
}

function warnShadowedAdminKey(options: PlatformOptions): void {
  const seen = new Map<string, string>();
  for (const { name, key } of options.config.keys) {
    const first = seen.get(key);
    if (first !== undefined) {
      options.log.warn({ entry: name, used_by: first }, 'two keys are equal; the first one counts');
    } else seen.set(key, name);
  }
}

function retains(config: PlatformConfig): boolean {
  const {
    runStatuses: _runs,
    queueStatuses: _queue,
    artifactPath,
    logPath,
    ...days
  } = config.retention;
  const files = artifactPath !== undefined || logPath !== undefined;
  return files || Object.values(days).some((value) => value !== undefined);
}

async function fold({ commits, services, runList, usage }: PlatformDeps): Promise<void> {
  if (!services.isOnDuty()) return;
  await commits.turn(() => runList.fold());
  await commits.turn(() => usage.fold());
}

function startSchedules(deps: PlatformDeps, memory: SweepMemory): Schedule[] {
  const failed = (job: string) => (error: unknown) =>
    deps.log.error({ job, err: error }, 'a scheduled job failed');
  const sweeps = startSchedule(
    deps.config.sweepIntervalSeconds * 1000,
    async () => {
      if (!deps.services.isOnDuty()) return;
      await sweepOnce(deps, memory);
    },
    failed('sweep'),
  );
  const retention = startSchedule(
    retains(deps.config) ? HOUR_MS : 0,
    async (signal) => {
      if (deps.services.isOnDuty()) await retainOnce(deps, false, signal);
    },
    failed('retention'),
  );
  const usage = startSchedule(
    HOUR_MS,
    async () => {
      if (deps.services.isOnDuty()) await forgetOldUsage(deps);
    },
    failed('usage'),
  );
  const code = startSchedule(
    HOUR_MS,
    async () => {
      if (deps.services.isOnDuty()) await deps.runCode.forget();
      await deps.runCode.forgetUnpacked();
    },
    failed('code'),
  );
  const folding = startSchedule(FOLD_MS, () => fold(deps), failed('folding'));
  const masking = startSchedule(
    MASK_MS,
    async (signal) => {
      if (deps.services.isOnDuty()) await maskEndedRuns(deps, signal);
    },
    failed('masking'),
  );
  return [sweeps, retention, usage, code, folding, masking];
}

/** What is not masked when a service stops, the next one masks. */
async function maskAtStop(deps: PlatformDeps): Promise<void> {
  try {
    await maskEndedRuns(deps, AbortSignal.timeout(MASK_AT_STOP_MS));
  } catch (error) {
    deps.log.warn({ err: error }, 'the runs that ended last are masked later');
  }
}

/** What opens telemetry; its code is loaded only where it is switched on. */
async function telemetryOf({ config, appVersion, log, clock }: PlatformOptions) {
  const { telemetry } = config;
  if (telemetry === undefined) return undefined;
  const { openTelemetry } = await import('../telemetry/main-telemetry.ts');
  return (metrics: Metrics): Telemetry =>
    openTelemetry({
      config: telemetry,
      version: appVersion ?? 'unknown',
      log,
      now: () => clock.now(),
      count: (name, spans) => metrics.add(name, spans),
    });
}

/**
 * Starts a Run Platform: opens and migrates the store, takes over what a stopped process left,
 * starts workers and sweeps, listens.
 * @throws StartRefusal or StoreError with one line that says what to do.
 */
export async function startPlatform(asked: PlatformOptions): Promise<RunningPlatform> {
  const offset = clockOffset();
  const options = {
    ...asked,
    log: leveledLog(asked.log, asked.config.logLevel),
    clock: storeClock(asked.clock, offset),
  };
  refuseOpenAddress(options);
  warnShadowedAdminKey(options);
  tellSettings(options.log, options.config);
  const store = await openPlatformStore({
    external: options.config.external,
    notify: newsOf(options.config) !== undefined,
    file: options.databaseFile,
    migrations: options.migrationsDir,
    durability: options.config.durability,
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    now: () => options.clock.now(),
    note: (facts, message) => options.log.info(facts, message),
    onStep: options.onStoreStep,
  });
  const workforce = createWorkforce(options, store, {
    offset,
    telemetry: await telemetryOf(options),
  });
  const { deps } = workforce;
  const app = createPlatform(deps, options.role);
  const memory = createSweepMemory(deps.clock);
  let schedules: Schedule[] = [];
  let events: { stop(): Promise<void> } | undefined;
  const stopWork = async (): Promise<void> => {
    await events?.stop();
    await Promise.all(schedules.map((schedule) => schedule.stop()));
    await workforce.drain(deps.config.shutdownTimeoutSeconds);
    if (schedules.length > 0) await maskAtStop(deps);
    for (const execution of [...deps.executions.values()]) execution.abandon();
    await Promise.all(
      [
        ...[deps.mcp, deps.projectCode, deps.builtInSteps, deps.runCode],
        ...[deps.specReader, deps.masker, deps.runAnswers],
      ].map((each) => each.close()),
    );
  };
  try {
    workforce.join();
    recoverOrphans(deps);
    const { url, port } = await app.listen(options.host, options.port);
    workforce.start();
    if (options.background !== false) {
      schedules = startSchedules(deps, memory);
      events = startEvents(deps);
    }
    let stopped: Promise<void> | undefined;
    // A request may wait for a run for as long as the runs are given to end.
    const closeGraceMs = (deps.config.shutdownTimeoutSeconds + 1) * 1000;
    const stop = async (): Promise<void> => {
      deps.runChanges.close();
      await Promise.all([app.close(closeGraceMs), stopWork()]);
      await store.close();
      await deps.telemetry?.close();
    };
    return {
      url,
      port,
      stop: () => {
        stopped ??= stop();
        return stopped;
      },
      sweep: () => sweepOnce(deps, memory),
      retain: ({ dryRun }) => retainOnce(deps, dryRun),
    };
  } catch (error) {
    await stopWork();
    await store.close();
    throw error;
  }
}
