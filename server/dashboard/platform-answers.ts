import { z } from 'zod';
import { explainSpec } from '../contract/platform/client-routes.ts';
import { openObject } from '../contract/platform/fields.ts';
import { getHumanTask, listHumanTasks, taskItem } from '../contract/platform/human-tasks.ts';
import { getEnvironmentPolicy } from '../contract/platform/policies.ts';
import {
  checkpoint,
  getRecovery,
  getTrace,
  listCheckpoints,
  traceEvent,
} from '../contract/platform/run-reads.ts';
import { getRun, listRuns, runRecord } from '../contract/platform/runs.ts';
import { credentialEntry, getCredentials } from '../contract/platform/security.ts';
import { toldReader } from '../contract/told.ts';

// Answers as the contract declares them, but for what other platforms say in another type
// (dashboard.md 9): a time may be a text or a number, and an error a text.

const anyTimes = {
  created_at: z.unknown(),
  updated_at: z.unknown(),
  deadline_at: z.unknown(),
};
const anyError = { error: z.unknown() };

/** Reads a page of GET /runs. */
export const readRunPage = toldReader(
  listRuns.responses[200].extend({
    runs: z.array(runRecord.extend({ ...anyTimes, ...anyError })),
  }),
);

/** Reads GET /runs/{run_id}. */
export const readRunState = toldReader(getRun.responses[200].extend({ ...anyTimes, ...anyError }));

/** Reads GET /runs/{run_id}/recovery. */
export const readRecovery = toldReader(getRecovery.responses[200].extend(anyError));

/** Reads a page of GET /runs/{run_id}/trace; `dropped` may be a truth value. */
export const readTracePage = toldReader(
  getTrace.responses[200].extend({
    events: z.array(traceEvent.extend({ timestamp: z.unknown() })),
    dropped: z.unknown(),
  }),
);

/** Reads a page of GET /runs/{run_id}/checkpoints. */
export const readCheckpointPage = toldReader(
  listCheckpoints.responses[200].extend({
    checkpoints: z.array(checkpoint.extend({ created_at: z.unknown() })),
  }),
);

/** Reads a page of GET /human-tasks. */
export const readTaskPage = toldReader(
  listHumanTasks.responses[200].extend({
    tasks: z.array(taskItem.extend({ created_at: z.unknown(), expires_at: z.unknown() })),
  }),
);

const credentialSection = z.record(z.string(), credentialEntry.extend({ present: z.unknown() }));

/** Reads GET /security/credentials; whether one is present may be said in any way. */
export const readCredentials = toldReader(
  getCredentials.responses[200].extend({
    inventory: z.object({
      providers: credentialSection,
      extra: credentialSection,
      service_tokens: credentialSection,
    }),
  }),
);

/** Reads the answers about one policy, whatever switches it has. */
export const readPolicy = toldReader(
  getEnvironmentPolicy.responses[200].extend({ policy: openObject, previous_policy: openObject }),
);

/** Reads POST /specs/explain, whatever the summary names. */
export const readExplanation = toldReader(
  explainSpec.responses[200].extend({ summary: openObject }),
);

/** Reads GET /human-tasks/{continuation_id}. */
export const readTask = toldReader(getHumanTask.responses[200].extend({ expires_at: z.unknown() }));

export type CredentialsAnswer = ReturnType<typeof readCredentials>;
export type PolicyAnswer = ReturnType<typeof readPolicy>;
export type TaskAnswer = ReturnType<typeof readTask>;
export type TaskItem = NonNullable<ReturnType<typeof readTaskPage>['tasks']>[number];
export type RunPage = ReturnType<typeof readRunPage>;
export type RunState = ReturnType<typeof readRunState>;
export type RecoveryAnswer = ReturnType<typeof readRecovery>;
export type TracePage = ReturnType<typeof readTracePage>;
export type CheckpointPage = ReturnType<typeof readCheckpointPage>;
/** One event of a page of a trace. */
export type TraceItem = NonNullable<TracePage['events']>[number];
/** One checkpoint of a page. */
export type CheckpointItem = NonNullable<CheckpointPage['checkpoints']>[number];
/** One run of a page. */
export type RunItem = NonNullable<RunPage['runs']>[number];
