import { z } from 'zod';
import { lenientBoolean, lenientInteger } from '../fields.ts';
import { platformRoute } from '../route.ts';
import { defineStream } from '../stream.ts';
import { traceEvent } from './run-reads.ts';
import { runId, runStatus } from './runs.ts';

// Additive: a run as it goes on (docs/events.md).

const streamQuery = z.strictObject({
  /** Begin after so many events; the header Last-Event-ID says it too and goes first. */
  after: lenientInteger({ min: 0 }).default(0),
  /** False: only how the run stands and what its models say. */
  trace: lenientBoolean().default(true),
});

/**
 * What a model has said so far, as it comes. It is not stored and has no id: what is stored comes
 * with the trace once the answer is complete, and replaces it.
 */
export const liveAnswer = z.object({
  transient: z.literal(true),
  /** The same for all that is told of one answer. */
  call_id: z.string(),
  agent_name: z.string(),
  step_id: z.string().nullable(),
  /** All of it so far, redacted; its end alone where it is long. */
  text: z.string(),
  cut: z.boolean(),
  /** True: the answer is complete, or was given up. */
  done: z.boolean(),
});
export type LiveAnswer = z.output<typeof liveAnswer>;

/** The frames of GET /runs/{id}/events. Those of the trace carry their place as `id`. */
export const runStream = defineStream({
  id: 'streamRunEvents',
  service: 'platform',
  path: '/runs/{run_id}/events',
  summary: 'A run as it goes on: its trace from a place on, its status, what its models say',
  params: runId,
  query: streamQuery,
  events: {
    trace: traceEvent,
    run: z.object({ status: runStatus }),
    answer: liveAnswer,
    end: z.object({ status: runStatus }),
  },
  access: 'runs:read',
});

/** The same operation as a route, for the server's pipeline; its answer is the stream. */
export const runStreamRoute = platformRoute.get(runStream.id, {
  path: runStream.path,
  summary: runStream.summary,
  params: runId,
  query: streamQuery,
  responses: { 200: null },
  errors: ['not_found', 'rate_limited'],
  access: 'runs:read',
});
