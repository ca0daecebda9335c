import { z } from 'zod';
import {
  compileSpec,
  graphSpec,
  reportSpecPolicy,
  runSpec,
  validateSpec,
} from '../contract/platform/client-routes.ts';
import { openObject } from '../contract/platform/fields.ts';
import { getEnvironmentPolicy } from '../contract/platform/policies.ts';
import { getHealthz, getReadyz } from '../contract/platform/probes.ts';
import {
  checkpoint,
  diffCheckpoints,
  getRunGraph,
  getTrace,
  listCheckpoints,
} from '../contract/platform/run-reads.ts';
import { cancelRun, getRun, listRuns, runRecord } from '../contract/platform/runs.ts';
import { getCredentials } from '../contract/platform/security.ts';
import { typedReader } from '../platform-client/answers.ts';

// What the studio reads of the platform's answers, each field in its type (studio.md 23). The rest
// of an answer is not looked at, so that it may be anything.

const counts = z.object({
  input_tokens: z.int(),
  output_tokens: z.int(),
  total_tokens: z.int(),
});
const change = z.object({ path: z.string() });
const graph = { nodes: true, edges: true, start: true, workflow_kind: true } as const;
const node = graphSpec.responses[200].shape.nodes.element.pick({
  id: true,
  kind: true,
  name: true,
});
const edge = graphSpec.responses[200].shape.edges.element.omit({ priority: true });
const drawn = { nodes: z.array(node), edges: z.array(edge) };

export const readHealth = typedReader(getHealthz.responses[200].pick({ version: true }));
export const readReadiness = typedReader(
  getReadyz.responses[200].pick({}).extend({ metadata: openObject }),
);
export const readValidation = typedReader(validateSpec.responses[200].pick({ valid: true }));
export const readCompilation = typedReader(compileSpec.responses[200].pick({ ok: true }));
export const readPolicyReport = typedReader(reportSpecPolicy.responses[200].pick({ valid: true }));
export const readSpecGraph = typedReader(graphSpec.responses[200].pick(graph).extend(drawn));
export const readStarted = typedReader(
  runSpec.responses[202].pick({ run_id: true, status: true, output_text: true }),
);
export const readSessionRuns = typedReader(
  listRuns.responses[200].pick({ total: true }).extend({
    runs: z.array(runRecord.pick({ run_id: true, session_id: true })),
  }),
);
export const readRun = typedReader(
  getRun.responses[200]
    .pick({ run_id: true, status: true, output_text: true })
    .extend({ error: openObject, usage: counts }),
);
export const readCancelled = typedReader(
  cancelRun.responses[200].pick({ run_id: true, status: true }),
);
export const readGraphOfRun = typedReader(
  getRunGraph.responses[200]
    .pick({ ...graph, run_id: true, status: true, current: true, visited: true, max_steps: true })
    .extend(drawn),
);
export const readTracePage = typedReader(
  getTrace.responses[200]
    .pick({ total: true, complete: true, dropped: true })
    .extend({ events: z.array(openObject) }),
);
export const readCheckpointPage = typedReader(
  listCheckpoints.responses[200]
    .pick({ total: true })
    .extend({ checkpoints: z.array(checkpoint.pick({ sequence: true })) }),
);
export const readDiff = typedReader(
  diffCheckpoints.responses[200]
    .pick({ run_id: true, change_count: true, truncated: true })
    .extend({
      added: z.array(change),
      changed: z.array(change),
      removed: z.array(change),
      from_checkpoint: openObject,
      to_checkpoint: openObject,
    }),
);
export const readPolicy = typedReader(
  getEnvironmentPolicy.responses[200].pick({}).extend({ policy: openObject }),
);
const section = z.record(z.string(), openObject);
export const readCredentials = typedReader(
  getCredentials.responses[200].extend({
    inventory: z.object({ providers: section, extra: section, service_tokens: section }),
  }),
);

export type RunAnswer = ReturnType<typeof readRun>;
export type GraphOfRun = ReturnType<typeof readGraphOfRun>;
export type GraphAnswer = ReturnType<typeof readSpecGraph>;
export type DiffAnswer = ReturnType<typeof readDiff>;
