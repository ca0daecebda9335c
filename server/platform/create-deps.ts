import { knownNames } from '../http/door-guard.ts';
import { type CodeTreesSetting, createCodeTrees } from '../runtime/code-trees.ts';
import { handlerRegistry } from '../runtime/handler-registry.ts';
import { createMcpTools } from '../runtime/mcp/mcp-tools.ts';
import { createProjectCodes } from '../runtime/project-codes.ts';
import { openSecrets } from '../runtime/secrets.ts';
import type { Database } from '../store/open-database.ts';
import type { PlatformTables } from '../store/platform-tables.ts';
import type { WriteLock } from '../store/write-lock.ts';
import { apiKeyOfRole } from './api-keys.ts';
import { createAuditRepository } from './audit/audit-repository.ts';
import { createRecordAudit } from './audit/record-audit.ts';
import type { PlatformDeps } from './deps.ts';
import { createContinuationsRepository } from './human-tasks/continuations-repository.ts';
import { createIdempotencyRecords } from './idempotency/idempotency-repository.ts';
import { createNamedLocks } from './named-locks.ts';
import { createPolicyStore } from './policies/policy-store.ts';
import { createMetrics } from './probes/metrics.ts';
import { createMaskingRepository } from './runs/masking-repository.ts';
import { createRunsRepository } from './runs/runs-repository.ts';
import type { PlatformOptions } from './service-options.ts';
import { createSpecThreads } from './specs/spec-threads.ts';
import type { CallerPressure } from './worker/caller-pressure.ts';
import { createCheckpointsRepository } from './worker/checkpoints-repository.ts';
import { createCommitQueue } from './worker/commit-queue.ts';
import type { ComputingMarks } from './worker/computing-marks.ts';
import { createRunDeaths } from './worker/deaths-repository.ts';
import { createLiveServices, ownerOf } from './worker/live-services.ts';
import { createQueueRepository } from './worker/queue-repository.ts';
import { createResumePoints } from './worker/resume-points-repository.ts';
import { createRunStates } from './worker/run-states.ts';
import type { ThreadPulse } from './worker/thread-pulse.ts';
import { createTraceRepository } from './worker/trace-repository.ts';

const DEFAULT_VERSION = '0.1.0';

/** What distinguishes the threads of one process. */
interface ThreadDeps {
  /** Begins the tokens of this thread: `<process>.<thread>`. */
  readonly owner: string;
  readonly writeLock: WriteLock;
  readonly pulse?: ThreadPulse;
  readonly pressure: CallerPressure;
  readonly computing: ComputingMarks;
}

function treesSettingOf({ specRoot, trusted, projects }: PlatformOptions): CodeTreesSetting {
  return { specRoot, trusted, projects };
}

/** Puts together what the use cases need over an open store. */
export function createDeps(
  options: PlatformOptions,
  store: Database<PlatformTables>,
  thread: ThreadDeps,
): PlatformDeps {
  const { config, clock, ids, log } = options;
  const owner = ownerOf(thread.owner);
  const commits = createCommitQueue(store, thread.writeLock);
  const audit = createAuditRepository(store);
  const policies = createPolicyStore(store, clock);
  const handlers = options.handlers ?? handlerRegistry();
  const secrets = openSecrets(config.env, options.trusted);
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
    trees: createCodeTrees(options),
    secrets,
    handlers,
    mcp: createMcpTools({
      ...config.mcp,
      env: config.env,
      secrets,
      root: options.specRoot,
      trusted: options.trusted,
      connectTimeoutSeconds: config.mcpConnectTimeoutSeconds,
      version: options.appVersion ?? DEFAULT_VERSION,
    }),
    projectCode: createProjectCodes(config.functionSandbox),
    clock,
    ids,
    log,
    appVersion: options.appVersion ?? DEFAULT_VERSION,
    checkResponses: options.checkResponses ?? false,
    store,
    runs: createRunsRepository(store, log, commits),
    runStates: createRunStates(store),
    checkpoints: createCheckpointsRepository(store),
    resumePoints: createResumePoints(store),
    masking: createMaskingRepository(store),
    trace: createTraceRepository(store),
    queue: createQueueRepository(store),
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
    idempotencyRecords: createIdempotencyRecords(store),
    policies,
    specThreads: createSpecThreads({
      ...options,
      secrets,
      handlers,
      policies,
      trees: createCodeTrees(options),
      treesSetting: treesSettingOf(options),
    }),
    metrics: createMetrics(),
    locks: createNamedLocks(store, owner),
    executions: new Map(),
    commits,
    executionThread: undefined,
    writeLock: thread.writeLock,
    pulse: thread.pulse,
    pressure: thread.pressure,
    services: createLiveServices(store, owner),
    owner,
    newToken: () => `${thread.owner}.${ids.uuid()}`,
    wakeWorkers: () => undefined,
  };
}
