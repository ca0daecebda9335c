import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { parseTraceParent, TraceState } from '@opentelemetry/core';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_URL_PATH,
} from '@opentelemetry/semantic-conventions';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isObject } from '../../kernel/json.ts';
import { redactText } from '../redaction.ts';
import { headersOf, isSampled, newSpanId, type RunPlace } from './run-place.ts';
import type { SpanRecord } from './span-record.ts';
import type { Telemetry } from './telemetry.ts';
import { known } from './usage-attributes.ts';

interface RequestSpanOptions {
  /** Milliseconds since the epoch. */
  now(): number;
  record(span: SpanRecord): void;
}

/** Whoever looks after the service asks these all the time. */
const PROBES = /^(?:\/v1)?\/(?:healthz|livez|readyz|metrics)\/?$/;
const MAX_STATE_CHARS = 512;
const TRACE_BYTES = 16;

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

function stateOf(request: FastifyRequest): string | null {
  const text = headerOf(request, 'tracestate');
  if (text === undefined || text.length > MAX_STATE_CHARS) return null;
  // Reads and writes it, so that what goes on is of the form that the standard names.
  const state = new TraceState(text).serialize();
  return state === '' ? null : state;
}

/** Where a request stands: below the span that its caller named, or at the head of a trace. */
function placeOf(request: FastifyRequest): RunPlace {
  const span_id = newSpanId();
  const parent = parseTraceParent(headerOf(request, 'traceparent') ?? '');
  if (parent === null) {
    const trace_id = randomBytes(TRACE_BYTES).toString('hex');
    return { trace_id, span_id, parent_id: null, trace_state: null, sampled: true };
  }
  return {
    ...{ trace_id: parent.traceId, span_id, parent_id: parent.spanId },
    trace_state: stateOf(request),
    sampled: isSampled(parent.traceFlags.toString(16)),
  };
}

function pathOf(request: FastifyRequest): string {
  return request.originalUrl.split('?')[0] ?? '/';
}

function paramsOf({ params }: FastifyRequest) {
  const given = isObject(params) ? params : {};
  const textOf = (name: string): string | null => {
    const value = given[name];
    return typeof value === 'string' ? redactText(value) : null;
  };
  return {
    'specwright.run.id': textOf('run_id'),
    'specwright.human.continuation_id': textOf('continuation_id'),
  };
}

function spanOf(place: RunPlace, request: FastifyRequest, reply: FastifyReply, end: number) {
  const route = request.routeOptions.url;
  const { statusCode } = reply;
  const failed = statusCode >= 500;
  const { sampled: _sampled, ...ids } = place;
  return {
    ...ids,
    kind: 'server' as const,
    name: route === undefined ? request.method : `${request.method} ${route}`,
    start: end - reply.elapsedTime,
    end,
    attributes: known({
      [ATTR_HTTP_REQUEST_METHOD]: request.method,
      [ATTR_URL_PATH]: redactText(pathOf(request)),
      [ATTR_HTTP_ROUTE]: route,
      [ATTR_HTTP_RESPONSE_STATUS_CODE]: statusCode,
      'specwright.request.id': redactText(String(request.id)),
      [ATTR_ERROR_TYPE]: failed ? String(statusCode) : null,
      ...paramsOf(request),
    }),
    error: failed ? `status ${statusCode}` : null,
  };
}

/** Makes spans of requests, and tells runs which request made them. */
export function createRequestTelemetry({
  now,
  record,
}: RequestSpanOptions): Pick<Telemetry, 'callerTrace' | 'traceRequests' | 'traceIdOf'> {
  const places = new WeakMap<FastifyRequest, RunPlace>();
  const current = new AsyncLocalStorage<RunPlace>();
  const placed = (request: FastifyRequest): RunPlace => {
    const place = places.get(request) ?? placeOf(request);
    places.set(request, place);
    return place;
  };
  return {
    callerTrace() {
      const place = current.getStore();
      if (place === undefined) return {};
      const { traceparent = '', tracestate } = headersOf(place, place.span_id);
      return { caller_trace: { traceparent, ...(tracestate === undefined ? {} : { tracestate }) } };
    },
    traceIdOf: (request) => places.get(request)?.trace_id,
    traceRequests(fastify: FastifyInstance) {
      // The body is read by now: what reads it is not in the context of the request.
      fastify.addHook('preHandler', (request, _reply, done) => {
        current.run(placed(request), done);
      });
      fastify.addHook('onResponse', async (request, reply) => {
        if (PROBES.test(pathOf(request))) return;
        const place = placed(request);
        if (place.sampled) record(spanOf(place, request, reply, now()));
      });
    },
  };
}
