import type { Log } from '../../kernel/log.ts';
import type { TelemetryConfig } from '../telemetry-config.ts';
import { createRunTelemetry } from './run-telemetry.ts';
import type { SpanRecord } from './span-record.ts';
import type { Telemetry } from './telemetry.ts';

interface ThreadTelemetryOptions {
  readonly config: TelemetryConfig;
  /** Milliseconds since the epoch. */
  now(): number;
  readonly log: Log;
  send(spans: readonly SpanRecord[]): void;
}

/** Telemetry of a thread that answers no requests: spans go to the main thread, all of a turn at once. */
export function openThreadTelemetry({ config, now, log, send }: ThreadTelemetryOptions): Telemetry {
  let ended: SpanRecord[] = [];
  const flush = (): void => {
    const spans = ended;
    ended = [];
    if (spans.length > 0) send(spans);
  };
  const record = (span: SpanRecord): void => {
    if (ended.length === 0) setImmediate(flush);
    ended.push(span);
  };
  return {
    ...createRunTelemetry({ recorded: config.recorded, now, record, log }),
    callerTrace: () => ({}),
    take: (spans) => send(spans),
    traceRequests: () => undefined,
    traceIdOf: () => undefined,
    close: async () => flush(),
  };
}
