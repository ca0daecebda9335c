import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PendingEffect } from '../../engine/effect.ts';
import type { RunEvent } from '../../engine/event.ts';
import type { Continuation } from '../../engine/human.ts';
import type { CallerTrace, RunState } from '../../engine/state.ts';
import type { TraceEvent } from '../../engine/trace.ts';
import type { TraceHeaders } from '../../runtime/outbound-trace.ts';
import type { RunsTable } from '../../store/platform-tables.ts';
import type { SpanRecord } from './span-record.ts';

// What is sent to a collector of traces. The room promises: no run and no request waits for it, fails
// of it or loses anything by it; nothing of it is loaded while it is off; and what goes out of texts
// was asked for and is redacted.

/** What a commit of a run brought. */
export interface RunNews {
  readonly row: Pick<RunsTable, 'id' | 'created_at' | 'session_id'>;
  /** The state that the commit before it left; undefined = the run is new, or nobody read it. */
  readonly before: RunState | undefined;
  readonly after: RunState;
  readonly events: readonly TraceEvent[];
  readonly waits: readonly HumanWait[];
  /** The run was over and went on again. */
  readonly continued: boolean;
}

/** A question to a person that is over. */
export interface HumanWait {
  readonly asked: Continuation;
  readonly outcome: string;
  /** Milliseconds since the epoch, as is `end`. */
  readonly start: number;
  readonly end: number;
}

/** A call in progress. */
export interface CallSpan {
  /** What the call tells the outside of itself. */
  readonly headers: TraceHeaders;
  end(event: RunEvent, aborted: boolean): void;
}

/** Tells a collector what runs and requests do. */
export interface Telemetry {
  /** Where the request that is being answered stands, for a run that it makes. */
  callerTrace(): { readonly caller_trace?: CallerTrace };
  committed(news: RunNews): void;
  /** Begins a call of the outside; undefined for what is no call. */
  call(effect: PendingEffect, state: RunState): CallSpan | undefined;
  /** Spans that another thread of this process has ended. */
  take(spans: readonly SpanRecord[]): void;
  /** Makes a span of each request. */
  traceRequests(fastify: FastifyInstance): void;
  /** The trace that a request belongs to. */
  traceIdOf(request: FastifyRequest): string | undefined;
  /** Sends what waits, for a few seconds at most. */
  close(): Promise<void>;
}
