import { createRequestTelemetry } from './request-spans.ts';
import { createRunTelemetry } from './run-telemetry.ts';
import { openSpanSender, type SenderOptions } from './span-sender.ts';
import type { Telemetry } from './telemetry.ts';

// Loaded where telemetry is switched on, and with it the SDK.

/** Telemetry of the thread that answers requests: it sends what all threads of the process tell. */
export function openTelemetry(options: SenderOptions & { now(): number }): Telemetry {
  const { now, log } = options;
  const { recorded } = options.config;
  const { record, close } = openSpanSender(options);
  return {
    ...createRunTelemetry({ recorded, now, record, log }),
    ...createRequestTelemetry({ now, record }),
    take(spans) {
      for (const span of spans) record(span);
    },
    close,
  };
}
