import { z } from 'zod';
import {
  integerOf,
  type Kind,
  optional,
  setting,
  settingsGroup,
  text,
} from '../contract/settings.ts';

const positive = integerOf(1);

const httpAddress: Kind<string> = {
  schema: z.string().refine((given) => /^https?:$/.test(URL.parse(given)?.protocol ?? '')),
  form: 'an address that begins with http:// or https://',
};

/** `name=value` pairs with commas between, percent-encoded, as the standard writes them. */
const pairs: Kind<Readonly<Record<string, string>>> = {
  schema: z.string().transform((given, context): Record<string, string> => {
    const read = given.split(',').map((pair) => /^\s*([^=\s]+)\s*=(.*)$/.exec(pair));
    try {
      return Object.fromEntries(
        read.map((match) => [match?.[1] ?? '', decodeURIComponent((match?.[2] ?? '').trim())]),
      );
    } catch {
      context.addIssue({ code: 'custom', message: 'is no list of pairs' });
      return z.NEVER;
    }
  }),
  form: 'name=value pairs with commas between',
};

/** Settings of the standard that say where spans go; read while SERV_OTEL_ENABLED is on. */
export const TELEMETRY_VARIABLES = settingsGroup({
  title: 'Trace collector, while SERV_OTEL_ENABLED is on',
  prefix: 'OTEL_',
  alias: undefined,
  settings: {
    EXPORTER_OTLP_ENDPOINT: setting(
      httpAddress,
      'http://localhost:4318',
      'Collector that takes OTLP over HTTP (protobuf); `/v1/traces` is added.',
    ),
    EXPORTER_OTLP_TRACES_ENDPOINT: optional(
      httpAddress,
      'Whole address for spans.',
      'by EXPORTER_OTLP_ENDPOINT',
    ),
    EXPORTER_OTLP_HEADERS: optional(pairs, 'Headers of each request to it, such as a key.'),
    EXPORTER_OTLP_TIMEOUT: setting(positive, 10_000, 'Milliseconds for one batch.'),
    SERVICE_NAME: setting(text, 'specwright', 'Name that spans say they come from.'),
    RESOURCE_ATTRIBUTES: optional(pairs, 'What else spans say of where they come from.'),
    BSP_MAX_QUEUE_SIZE: setting(positive, 2048, 'Spans that may wait; more are dropped.'),
    BSP_MAX_EXPORT_BATCH_SIZE: setting(positive, 512, 'Spans of one request at most.'),
    BSP_SCHEDULE_DELAY: setting(positive, 5000, 'Milliseconds that a span waits for others.'),
  },
});
