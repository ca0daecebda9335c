import { Counter, Histogram, Gauge as PromGauge, Registry } from 'prom-client';
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

/** Id of a route of the platform → what the metrics call it (contract/dashboard.md 17). */
const OPERATIONS: Readonly<Record<string, string>> = {
  getLivez: 'livez',
  getReadyz: 'readyz',
  getHealthz: 'healthz',
  listRuns: 'runs.list',
  createRun: 'runs.create',
  getRun: 'runs.get',
  cancelRun: 'runs.cancel',
  continueRun: 'runs.continue',
  getRunTrace: 'runs.trace',
  listRunCheckpoints: 'runs.checkpoints',
  diffRunCheckpoints: 'runs.checkpoint_diff',
  getRunGraph: 'runs.graph',
  getRunPolicyReport: 'runs.policy_report',
  getRunRecovery: 'runs.recovery',
  getRunReplay: 'runs.replay',
  listHumanTasks: 'human_tasks.list',
  getHumanTask: 'human_tasks.get',
  resumeHumanTask: 'human_tasks.resume',
  explainSpec: 'specs.explain',
  validateSpec: 'specs.validate',
  compileSpec: 'specs.compile',
  reportSpecPolicy: 'specs.policy_report',
  listAuditEvents: 'audit_events.list',
  getCredentials: 'security.credentials',
  listEnvironmentPolicies: 'policies.list',
  getEnvironmentPolicy: 'policies.get',
  putEnvironmentPolicy: 'policies.put',
  previewEnvironmentPolicy: 'policies.preview',
};

type Labels = Readonly<Record<string, string>>;

/** A value read at the moment of the scrape; absent values leave their series out. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  readonly values: readonly { readonly labels: Labels; readonly value: number }[];
}

function gaugesIn(registry: Registry, gauges: readonly Gauge[]): void {
  for (const { name, help, values } of gauges) {
    const [first] = values;
    if (first === undefined) continue;
    const labelNames = Object.keys(first.labels);
    const shown = new PromGauge({ name, help, labelNames, registers: [registry] });
    for (const { labels, value } of values) shown.set({ ...labels }, value);
  }
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
  text(gauges: readonly Gauge[]): Promise<string>;
}

/** Counters that start at zero with the service. */
export function createMetrics(): DashboardMetrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, labelNames: string[]) =>
    new Histogram({ name, help, labelNames, buckets: BUCKETS, registers });
  const route = ['method', 'route', 'status_class'];
  const requests = counter('dash_http_requests_total', 'Finished API requests.', route);
  const durations = histogram(
    'dash_http_request_duration_seconds',
    'Duration of API requests.',
    route,
  );
  const call = ['operation', 'outcome'];
  const calls = counter('dash_platform_requests_total', 'Calls of the platform.', call);
  const callDurations = histogram(
    'dash_platform_request_duration_seconds',
    'Duration of platform calls.',
    call,
  );
  const audit = counter('dash_audit_write_failures_total', 'Audit rows that could not be written.');
  return {
    request(entry) {
      const labels = {
        method: METHODS.has(entry.method) ? entry.method : 'other',
        route: entry.route?.replace(/:(\w+)/g, '{$1}') ?? '__unmatched__',
        status_class: `${Math.floor(entry.status_code / 100)}xx`,
      };
      requests.inc(labels);
      durations.observe(labels, entry.duration_ms / 1000);
    },
    platformCall({ operation, outcome, durationMs }) {
      const labels = { operation: OPERATIONS[operation] ?? 'other', outcome };
      calls.inc(labels);
      if (durationMs !== null) callDurations.observe(labels, durationMs / 1000);
    },
    auditFailure: () => audit.inc(),
    async text(gauges) {
      const scrape = new Registry();
      gaugesIn(scrape, gauges);
      return `${await registry.metrics()}\n${await scrape.metrics()}`;
    },
  };
}
