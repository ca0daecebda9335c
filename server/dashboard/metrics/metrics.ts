import type { CallOutcome } from '../../platform-client/client.ts';

const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

type Labels = Readonly<Record<string, string>>;

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

interface Histogram {
  readonly labels: Labels;
  readonly counts: number[];
  sum: number;
  count: number;
}

/** A number of things that happened, by labels. */
class CounterFamily {
  readonly #values = new Map<string, number>();
  readonly #name: string;
  readonly #help: string;

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  add(labels: Labels): void {
    const key = labelText(labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + 1);
  }

  lines(): string[] {
    const head = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} counter`];
    return [...head, ...[...this.#values].map(([key, value]) => `${this.#name}${key} ${value}`)];
  }
}

/** How long things took, in seconds. */
class HistogramFamily {
  readonly #values = new Map<string, Histogram>();
  readonly #name: string;
  readonly #help: string;

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  observe(labels: Labels, seconds: number): void {
    const key = labelText(labels);
    const histogram = this.#values.get(key) ?? {
      labels,
      counts: BUCKETS.map(() => 0),
      sum: 0,
      count: 0,
    };
    this.#values.set(key, histogram);
    histogram.sum += seconds;
    histogram.count += 1;
    BUCKETS.forEach((bound, index) => {
      if (seconds <= bound) histogram.counts[index] = (histogram.counts[index] ?? 0) + 1;
    });
  }

  lines(): string[] {
    const lines = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    for (const { labels, counts, sum, count } of this.#values.values()) {
      BUCKETS.forEach((bound, index) => {
        const bucket = labelText({ ...labels, le: String(bound) });
        lines.push(`${this.#name}_bucket${bucket} ${counts[index] ?? 0}`);
      });
      lines.push(`${this.#name}_bucket${labelText({ ...labels, le: '+Inf' })} ${count}`);
      lines.push(`${this.#name}_sum${labelText(labels)} ${sum}`);
      lines.push(`${this.#name}_count${labelText(labels)} ${count}`);
    }
    return lines;
  }
}

/** A value read at the moment of the scrape; absent values leave their series out. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly values: readonly { readonly labels: Labels; readonly value: number }[];
}

function gaugeLines(gauge: Gauge): string[] {
  if (gauge.values.length === 0) return [];
  return [
    `# HELP ${gauge.name} ${gauge.help}`,
    `# TYPE ${gauge.name} gauge`,
    ...gauge.values.map(({ labels, value }) => `${gauge.name}${labelText(labels)} ${value}`),
  ];
}

/** The counters of one dashboard process (contract/dashboard.md 17). */
export interface DashboardMetrics {
  request(entry: {
    readonly method: string;
    readonly route: string | null;
    readonly status_code: number;
    readonly duration_ms: number;
  }): void;
  platformCall(call: CallOutcome): void;
  auditFailure(): void;
  /** Prometheus text of the counters and the given gauges. */
  text(gauges: readonly Gauge[]): string;
}

/** Counters that start at zero with the service. */
export function createMetrics(): DashboardMetrics {
  const requests = new CounterFamily('dash_http_requests_total', 'Finished API requests.');
  const durations = new HistogramFamily(
    'dash_http_request_duration_seconds',
    'Duration of API requests.',
  );
  const calls = new CounterFamily('dash_platform_requests_total', 'Calls of the platform.');
  const callDurations = new HistogramFamily(
    'dash_platform_request_duration_seconds',
    'Duration of platform calls.',
  );
  const audit = new CounterFamily(
    'dash_audit_write_failures_total',
    'Audit rows that could not be written.',
  );
  return {
    request(entry) {
      const labels = {
        method: METHODS.has(entry.method) ? entry.method : 'other',
        route: entry.route?.replace(/:(\w+)/g, '{$1}') ?? '__unmatched__',
        status_class: `${Math.floor(entry.status_code / 100)}xx`,
      };
      requests.add(labels);
      durations.observe(labels, entry.duration_ms / 1000);
    },
    platformCall(call) {
      const labels = { operation: call.operation, outcome: call.outcome };
      calls.add(labels);
      callDurations.observe(labels, call.durationMs / 1000);
    },
    auditFailure: () => audit.add({}),
    text(gauges) {
      const families = [requests, durations, calls, callDurations, audit];
      const lines = [
        ...families.flatMap((family) => family.lines()),
        ...gauges.flatMap(gaugeLines),
      ];
      return `${lines.join('\n')}\n`;
    },
  };
}
