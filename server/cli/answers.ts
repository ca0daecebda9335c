import { z } from 'zod';

/**
 * The parts of the platform's answers that are shown to people; `--json` prints answers whole, as
 * they came. Unknown fields and absent optional ones never fail a command.
 */
export const diagnosticList = z.array(
  z
    .looseObject({
      code: z.string(),
      severity: z.enum(['error', 'warning', 'info']),
      message: z.string(),
      path: z.string().nullish(),
      suggestion: z.string().nullish(),
    })
    .transform(({ code, severity, message, path, suggestion }) => ({
      code,
      severity,
      message,
      path: path ?? null,
      suggestion: suggestion ?? null,
    })),
);

const text = z.string().nullish();
const names = z.array(z.string()).catch([]);

/** POST /specs/validate and /specs/lint. */
export const validationAnswer = z.looseObject({
  valid: z.boolean(),
  diagnostics: diagnosticList.catch([]),
});

/** POST /specs/compile. */
export const compileAnswer = z.looseObject({
  ok: z.boolean(),
  diagnostics: diagnosticList.catch([]),
});

/** POST /specs/explain. */
export const explainAnswer = z.looseObject({
  summary: z.looseObject({ root_agent: text, root_workflow: text, component_agents: names }),
});

/** POST /specs/graph. */
export const graphAnswer = z.looseObject({
  workflow_name: text,
  workflow_kind: text,
  nodes: z.array(z.looseObject({ id: z.string(), kind: text, step_kind: text })),
  edges: z.array(z.looseObject({ source: z.string(), target: z.string(), label: text })),
});

/** POST /specs/policy-report. */
export const reportAnswer = z.looseObject({
  valid: z.boolean(),
  report: z.looseObject({
    summary: z.record(z.string(), z.unknown()).catch({}),
    human_review: z.looseObject({ required: z.boolean(), missing: z.boolean() }).optional(),
    diagnostics: diagnosticList.catch([]),
  }),
});

/** A run, as its own routes and those that start one answer it. */
export const runAnswer = z.looseObject({
  run_id: z.string(),
  status: z.string(),
  agent_name: text,
  workflow_name: text,
  workflow_kind: text,
  session_id: text,
  output_text: text,
  current_node_id: text,
  visited_steps: names,
  visited_nodes: names,
  continuation_id: text,
  usage: z.looseObject({ total_tokens: z.number().nullish() }).nullish().catch(null),
  error: z.looseObject({ type: text, message: text }).nullish().catch(null),
  metadata: z.record(z.string(), z.unknown()).catch({}),
  created_at: text,
  started_at: text,
  completed_at: text,
});
/** A run as a command reads it. */
export type RunAnswer = z.output<typeof runAnswer>;

const page = { total: z.number().nullish(), count: z.number().nullish() };

/** GET /runs. */
export const runList = z.looseObject({
  ...page,
  runs: z.array(
    z.looseObject({
      id: z.string(),
      status: z.string(),
      agent_name: text,
      workflow_name: text,
      updated_at: text,
      input_text: text,
      trace_event_count: z.number().nullish(),
    }),
  ),
});

/** One event of a trace. */
export const traceEvent = z.looseObject({
  type: z.string(),
  event_id: text,
  timestamp: text,
  agent_name: text,
  workflow_name: text,
  step_id: text,
  tool_name: text,
  output_preview: text,
  error: text,
});
/** An event of a trace as a command reads it. */
export type TraceEvent = z.output<typeof traceEvent>;

/** GET /runs/{run_id}/trace. */
export const traceAnswer = z.looseObject({
  ...page,
  events: z.array(traceEvent),
  dropped: z.number().catch(0),
});

const checkpointFacts = z.looseObject({
  sequence: z.number(),
  type: z.string(),
  step_id: text,
  node_id: text,
  created_at: text,
});

/** GET /runs/{run_id}/checkpoints. */
export const checkpointList = z.looseObject({ ...page, checkpoints: z.array(checkpointFacts) });

/** GET /runs/{run_id}/checkpoints/diff. */
export const checkpointDiff = z.looseObject({
  from_checkpoint: checkpointFacts,
  to_checkpoint: checkpointFacts,
  change_count: z.number(),
  added: z.array(z.looseObject({ path: z.string(), value: z.unknown() })),
  removed: z.array(z.looseObject({ path: z.string(), value: z.unknown() })),
  changed: z.array(z.looseObject({ path: z.string(), before: z.unknown(), after: z.unknown() })),
  truncated: z.boolean().catch(false),
});

/** GET /runs/{run_id}/replay. */
export const replayAnswer = z.looseObject({
  timeline: z.array(checkpointFacts.extend({ status: text })),
  replay_context: z.looseObject({
    can_continue: z.boolean().catch(false),
    failed_step: text,
    failed_node: text,
  }),
});

const humanRequest = z
  .looseObject({
    id: text,
    type: text,
    title: text,
    prompt: text,
    options: z.array(z.string()).nullish(),
    default_option: text,
    assignee: text,
  })
  .nullish();

/** GET /human-tasks. */
export const taskList = z.looseObject({
  ...page,
  tasks: z.array(
    z.looseObject({
      id: z.string(),
      run_id: text,
      workflow_name: text,
      status: text,
      expires_at: z.number().nullish(),
      pending_human_request: humanRequest,
    }),
  ),
});

/** GET /human-tasks/{continuation_id}. */
export const taskAnswer = z.looseObject({
  continuation_id: z.string(),
  run_id: text,
  status: text,
  expires_at: z.number().nullish(),
  request: humanRequest,
});

/** POST /human-tasks/{continuation_id}/resume. */
export const resumeAnswer = z.looseObject({
  run_id: text,
  status: z.string(),
  output_text: text,
});

/** GET /policies/environment. */
export const policyList = z.looseObject({
  policies: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/** GET /policies/environment/{environment}. */
export const policyAnswer = z.looseObject({
  environment: z.string(),
  policy: z.record(z.string(), z.unknown()).nullable(),
});

/** POST /policies/environment/{environment}/preview. */
export const policyPreview = z.looseObject({
  diff: z.record(z.string(), z.looseObject({ from: z.unknown(), to: z.unknown() })),
  newly_blocking: names,
  runs_evaluated: z.number().catch(0),
});
