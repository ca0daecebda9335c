import { knownNames } from '../../http/door-guard.ts';
import { createCodeByProject } from '../../runtime/code-by-project.ts';
import { type CodeTreesSetting, createCodeTrees } from '../../runtime/code-trees.ts';
import { handlerRegistry } from '../../runtime/handler-registry.ts';
import { createBuiltInSteps } from '../../runtime/handlers/built-in-steps.ts';
import { createProjectMcp } from '../../runtime/mcp/project-mcp.ts';
import { createProjectSecrets } from '../../runtime/secrets.ts';
import { byDialect } from '../../store/dialect.ts';
import type { WriteLock } from '../../store/write-lock.ts';
import { apiKeyOfRole } from '../api-keys.ts';
import { createAuditRepository } from '../audit/audit-repository.ts';
import { createRecordAudit } from '../audit/record-audit.ts';
import { createBudgetStore } from '../budgets/budgets-repository.ts';
import type { PlatformDeps } from '../deps.ts';
import { createEventKey } from '../events/event-key.ts';
import { createEventsRepository } from '../events/events-repository.ts';
import { createOutbox } from '../events/outbox.ts';
import { createContinuationsRepository } from '../human-tasks/continuations-repository.ts';
import { createIdempotencyRecords } from '../idempotency/idempotency-repository.ts';
import { createSyncPlaces } from '../legs/sync-places.ts';
import { createNamedLocks } from '../named-locks.ts';
import { createPolicyStore } from '../policies/policies-repository.ts';
import { createMetrics, type Metrics } from '../probes/metrics.ts';
import type { ComputingMarks } from '../queue/computing-marks.ts';
import { createRunDeaths } from '../queue/deaths-repository.ts';
import { createLiveServices, ownerOf } from '../queue/live-services.ts';
import { createQueueRepository } from '../queue/queue-repository.ts';
import { createRunAnswers } from '../run-answers/run-answers.ts';
import { createCodeBundles } from '../run-code/code-bundles-repository.ts';
import { createCodeSigners } from '../run-code/code-signers.ts';
import { createRunCode } from '../run-code/run-code.ts';
import { createRunList } from '../run-list/run-list.ts';
import * as postgres from '../run-record/other-commits-postgres.ts';
import * as sqlite from '../run-record/other-commits-sqlite.ts';
import {
  createRunChanges,
  type RunChangesOptions,
  watchMemory,
} from '../run-record/run-changes.ts';
import { createRunsRepository, type RowListener } from '../run-record/runs-repository.ts';
import { createLiveAnswers } from '../run-stream/live-answers.ts';
import type { PlatformOptions } from '../service-options.ts';
import { createSpecReader } from '../specs/spec-reader.ts';
import { createCheckpointsRepository } from '../stored-states/checkpoints-repository.ts';
import { createMasker } from '../stored-states/masker.ts';
import { createMaskingRepository } from '../stored-states/masking-repository.ts';
import { createResumePoints } from '../stored-states/resume-points-repository.ts';
import { createRunStates } from '../stored-states/run-states-repository.ts';
import { createTraceRepository } from '../stored-states/trace-repository.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { CallerPressure } from '../threads/caller-pressure.ts';
import type { ThreadPulse } from '../threads/thread-pulse.ts';
import { createUsageRepository } from '../usage/usage-repository.ts';
import type { PlatformStore } from './platform-store.ts';

// Puts a Run Platform together. Nobody inside of the platform imports this room: parts are given.

const DEFAULT_VERSION = '0.1.0';

/** What distinguishes the threads of one process. */
interface ThreadDeps {
  /** Begins the tokens of this thread: `<process>.<thread>`. */
  readonly owner: string;
  readonly writeLock: WriteLock;
  readonly pulse?: ThreadPulse;
  readonly pressure: CallerPressure;
  readonly computing: ComputingMarks;
  /** Opens what tells a trace collector; without it nothing is told. */
  readonly telemetry?: ((metrics: Metrics) => Telemetry) | undefined;
  /** Who waits for runs, and how another thread hears of them; without it this thread alone. */
  readonly changes?: Omit<RunChangesOptions, 'others'>;
  /** Bytes of the longest texts that are indexed here; without it all are. */
  readonly longestIndexed?: number;
}

function treesSettingOf({ specRoot, trusted, projects }: PlatformOptions): CodeTreesSetting {
  return { specRoot, trusted, projects };
}

/** Puts together what the use cases need over an open store. */
export function createDeps(
  options: PlatformOptions,
  store: PlatformStore,
  thread: ThreadDeps,
): PlatformDeps {
  const { config, clock, ids, log } = options;
  const owner = ownerOf(thread.owner);
  const commits = store.commits(thread.writeLock);
  const notifier = store.notifier(owner);
  const runList = createRunList(store, log, commits, thread.longestIndexed);
  const runChanges = createRunChanges({
    ...(thread.changes ?? { memory: watchMemory() }),
    tellNodes: notifier?.runs,
    others: byDialect(store.sync, { sqlite, postgres }).createOtherCommits(store),
  });
  const rowListener: RowListener = {
    ...runList.listener,
    update(id, at, change, messages) {
      runList.listener.update(id, at, change, messages);
      runChanges.note(id);
    },
  };
  // Other threads open a file, not what only this one can read.
  const storeFile = store.file === undefined ? ':memory:' : options.databaseFile;
  const metrics = createMetrics();
  const trace = createTraceRepository(store);
  const masking = createMaskingRepository(store);
  const audit = createAuditRepository(store);
  const policies = createPolicyStore(store, clock);
  const events = createEventsRepository(store);
  const handlers = options.handlers ?? handlerRegistry();
  const trees = createCodeTrees(options);
  const secrets = createProjectSecrets(config.env, trees);
  const extra = options.extraKeys.map(({ name, key, role }) => apiKeyOfRole(name, key, role));
  return {
    config,
    keys: [...config.keys, ...extra],
    requireKey: config.authEnabled || options.requireKey,
    door: {
      knows: knownNames(options.host, [...config.allowedHosts, ...(options.allowedHosts ?? [])]),
      origins: [],
      refererFor: 'every request',
    },
    specRoot: options.specRoot,
    trees,
    secrets,
    handlers,
    builtInSteps: createBuiltInSteps(),
    mcp: createProjectMcp(
      {
        ...config.mcp,
        env: config.env,
        connectTimeoutSeconds: config.mcpConnectTimeoutSeconds,
        version: options.appVersion ?? DEFAULT_VERSION,
      },
      trees,
      secrets,
    ),
    projectCode: createCodeByProject(config.functionSandbox),
    runCode: createRunCode({
      trees,
      signers: createCodeSigners(config.code, options.databaseFile, log),
      bundles: createCodeBundles(store, commits),
      clock,
      maxBytes: config.code.maxBytes,
      folder: options.databaseFile === ':memory:' ? undefined : `${options.databaseFile}.code`,
    }),
    clock,
    ids,
    log,
    appVersion: options.appVersion ?? DEFAULT_VERSION,
    checkResponses: options.checkResponses ?? false,
    store,
    storage: store,
    runs: createRunsRepository(store, rowListener),
    runChanges,
    liveAnswers: createLiveAnswers(),
    runList,
    runStates: createRunStates(store),
    checkpoints: createCheckpointsRepository(store),
    resumePoints: createResumePoints(store),
    masking,
    trace,
    runAnswers: createRunAnswers({ runList, trace, databaseFile: storeFile, log }),
    queue: createQueueRepository(store, config.queue),
    deaths: createRunDeaths(store),
    computing: thread.computing,
    databaseFile: options.databaseFile,
    continuations: createContinuationsRepository(store),
    audit,
    recordAudit: createRecordAudit({
      repository: audit,
      clock,
      ids,
      log,
      sink: config.auditExportEnabled
        ? (event) => log.info({ channel: 'serv.audit', ...event }, 'audit')
        : undefined,
    }),
    events,
    outbox: createOutbox(events, { clock, ids }),
    usage: createUsageRepository(store),
    budgets: createBudgetStore(store, clock),
    eventKey: createEventKey(config.events.key, options.databaseFile),
    idempotencyRecords: createIdempotencyRecords(store),
    policies,
    masker: createMasker(masking, storeFile),
    specReader: createSpecReader({
      ...options,
      secrets,
      handlers,
      policies,
      trees,
      treesSetting: treesSettingOf(options),
    }),
    metrics,
    syncPlaces: createSyncPlaces(config.sync, () => metrics.add('sync_refused')),
    telemetry: thread.telemetry?.(metrics),
    locks: createNamedLocks(store, owner),
    executions: new Map(),
    commits,
    executionThread: undefined,
    writeLock: thread.writeLock,
    pulse: thread.pulse,
    pressure: thread.pressure,
    services: createLiveServices(store, owner, store.external !== undefined),
    owner,
    newToken: () => `${thread.owner}.${ids.uuid()}`,
    tellEnded: (runId) => notifier?.ended(runId),
    wakeWorkers: () => undefined,
  };
}
