import { z } from 'zod';
import { lenientInteger } from '../fields.ts';
import { dashboardRoute } from '../route.ts';
import { defineStream } from '../stream.ts';
import { PLATFORM_BACKED, pageOf, pageQuery } from './fields.ts';

/** One event of a run as the dashboard shows it (contract/dashboard.md 9). */
export const traceEvent = z
  .object({
    ts: z.string(),
    type: z.string(),
    node: z.string(),
    duration_ms: z.int(),
    kind: z.enum(['tool', 'llm', 'policy', 'human', 'node']),
    /** Additive: what went in and came out, redacted and cut by the platform; the failure's text. */
    input_preview: z.string().nullable(),
    output_preview: z.string().nullable(),
    error: z.string().nullable(),
    /** Additive: nesting on a time axis. */
    event_id: z.string().nullable(),
    span_id: z.string().nullable(),
    parent_span_id: z.string().nullable(),
    /** Additive: the offline runtime answers in this span. */
    offline: z.boolean(),
    /** Additive: tokens that the call used, where it told. */
    tokens: z.object({ input: z.int(), output: z.int(), total: z.int() }).optional(),
    /** Additive: the model or the tool, where the event is of one call of it. */
    called: z.string().optional(),
  })
  .meta({ id: 'DashboardTraceEvent' });

export type TraceEvent = z.output<typeof traceEvent>;

const runPath = z.object({ run_id: z.string() });

export const listTrace = dashboardRoute.get('listRunTrace', {
  path: '/runs/{run_id}/trace',
  summary: 'One page of the trace of a run, oldest first',
  params: runPath,
  query: z.object({ event_type: z.string().optional(), ...pageQuery(500, 100) }),
  responses: {
    200: z
      .object({
        ...pageOf(traceEvent),
        complete: z.boolean().nullable(),
        dropped: z.boolean().nullable(),
      })
      .meta({ id: 'TracePage' }),
  },
  errors: ['not_found'],
  access: 'operator',
  meta: PLATFORM_BACKED,
});

/** Body of a `stream_error` frame: the error envelope. */
export const errorEnvelope = z
  .object({
    code: z.string(),
    message: z.string(),
    request_id: z.string(),
    retry_after: z.number().optional(),
    details: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'ErrorEnvelope' });

const streamQuery = z.object({
  event_type: z.string().optional(),
  env: z.string().optional(),
  /** Additive: begin after so many events; frames then carry `id`, and `run` frames are sent. */
  after: lenientInteger({ min: 0 }).optional(),
  /** Additive: the window that asks, by a name of its own; without sign-in the cap is its. */
  window_id: z.string().max(64).optional(),
});

/** Data of a `run` frame: how the run stands after the events before it. */
const runNews = z.object({ status: z.string() });

/** Data of an `end` frame; the reason is told to readers that know ids. */
const traceEnd = z.object({ reason: z.enum(['run_over', 'window']).optional() });

export type TraceEnd = z.output<typeof traceEnd>;

/** The live trace of a run: replay from the start, then the tail until the run is terminal. */
export const traceStream = defineStream({
  id: 'streamRunTrace',
  service: 'dashboard',
  path: '/runs/{run_id}/trace/stream',
  summary: 'The trace of a run as it grows',
  params: runPath,
  query: streamQuery,
  events: { trace: traceEvent, run: runNews, end: traceEnd, stream_error: errorEnvelope },
  access: 'operator',
});

/** The same operation as a route, for the server's pipeline; its answer is the stream. */
export const traceStreamRoute = dashboardRoute.get(traceStream.id, {
  path: traceStream.path,
  summary: traceStream.summary,
  params: runPath,
  query: streamQuery,
  responses: { 200: null },
  errors: ['service_unavailable'],
  access: 'operator',
  meta: PLATFORM_BACKED,
});
