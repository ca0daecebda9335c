import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, TraceState } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type IdGenerator,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from '@opentelemetry/semantic-conventions';
import type { Log } from '../../kernel/log.ts';
import type { TelemetryConfig } from '../telemetry-config.ts';
import type { SpanRecord } from './span-record.ts';

/** What became of spans. */
export type SpanCount = 'spans_exported' | 'spans_dropped';

export interface SenderOptions {
  readonly config: TelemetryConfig;
  readonly version: string;
  readonly log: Log;
  count(name: SpanCount, spans: number): void;
}

/** Sends spans to a collector, in batches and in the background. */
export interface SpanSender {
  record(span: SpanRecord): void;
  /** Sends what waits, for a few seconds at most. */
  close(): Promise<void>;
}

const CLOSE_MS = 3000;
const KINDS = {
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  server: SpanKind.SERVER,
} as const;

/** Gives a span the ids that it has: they were made where it began, or follow from its run. */
class GivenIds implements IdGenerator {
  next: Pick<SpanRecord, 'trace_id' | 'span_id'> = { trace_id: '', span_id: '' };
  generateTraceId = (): string => this.next.trace_id;
  generateSpanId = (): string => this.next.span_id;
}

/** Lets so many spans wait and counts those that find no room, and what becomes of the others. */
class BoundedQueue {
  readonly #most: number;
  readonly #count: SenderOptions['count'];
  readonly #log: Log;
  #waiting = 0;
  #refused = false;

  constructor({ config, count, log }: SenderOptions) {
    this.#most = config.queueSpans;
    this.#count = count;
    this.#log = log;
  }

  before(processor: SpanProcessor): SpanProcessor {
    return {
      onStart: (span, context) => processor.onStart(span, context),
      onEnd: (span) => {
        if (this.#waiting >= this.#most) {
          this.#count('spans_dropped', 1);
          return;
        }
        this.#waiting += 1;
        processor.onEnd(span);
      },
      forceFlush: () => processor.forceFlush(),
      shutdown: () => processor.shutdown(),
    };
  }

  around(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans, told) =>
        exporter.export(spans, (result) => {
          this.#ended(spans, result);
          told(result);
        }),
      shutdown: () => exporter.shutdown(),
    };
  }

  #ended(spans: readonly ReadableSpan[], { code, error }: ExportResult): void {
    this.#waiting -= spans.length;
    const sent = code === ExportResultCode.SUCCESS;
    this.#count(sent ? 'spans_exported' : 'spans_dropped', spans.length);
    // One line when it begins, not one a batch.
    if (!sent && !this.#refused) {
      this.#log.warn({ reason: error?.name ?? 'unknown' }, 'the trace collector takes no spans');
    }
    if (sent && this.#refused) this.#log.info({}, 'the trace collector takes spans again');
    this.#refused = !sent;
  }
}

function parentOf({ trace_id, parent_id, trace_state }: SpanRecord): Context {
  if (parent_id === null) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    ...{ traceId: trace_id, spanId: parent_id, traceFlags: 1, isRemote: true },
    ...(trace_state === null ? {} : { traceState: new TraceState(trace_state) }),
  });
}

/** Opens the way to the collector; nothing is sent before the first span has ended. */
export function openSpanSender(options: SenderOptions): SpanSender {
  const { config, version } = options;
  const queue = new BoundedQueue(options);
  const ids = new GivenIds();
  const exporter = new OTLPTraceExporter({
    url: config.url,
    timeoutMillis: config.timeoutMs,
    ...(config.headers === undefined ? {} : { headers: { ...config.headers } }),
  });
  const provider = new TracerProvider({
    idGenerator: ids,
    resource: resourceFromAttributes({
      ...config.resource,
      [ATTR_SERVICE_NAME]: config.serviceName,
      [ATTR_SERVICE_VERSION]: version,
    }),
    spanProcessors: [
      queue.before(
        new BatchSpanProcessor({
          exporter: queue.around(exporter),
          maxQueueSize: config.queueSpans,
          maxExportBatchSize: Math.min(config.batchSpans, config.queueSpans),
          scheduledDelayMillis: config.delayMs,
        }),
      ),
    ],
  });
  const tracer = provider.getTracer('specwright', version);
  return {
    record(span) {
      ids.next = span;
      const { name, kind, start, end, attributes, error } = span;
      const made = tracer.startSpan(
        name,
        { kind: KINDS[kind], startTime: start, attributes },
        parentOf(span),
      );
      if (error !== null) made.setStatus({ code: SpanStatusCode.ERROR, message: error });
      made.end(Math.max(start, end));
    },
    async close() {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS);
      });
      // What a collector does not take by then is given up: a stop does not wait for it.
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}
