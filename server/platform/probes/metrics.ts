import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What the gauges show at the moment of a scrape. */
export interface GaugeValues {
  readonly queued: number;
  readonly running: number;
  readonly workers: number;
  readonly queues: readonly {
    readonly queue: string;
    readonly queued: number;
    readonly running: number;
  }[];
  readonly sync: { readonly executing: number; readonly waiting: number };
}

/** Numbers of this process (contract/platform.md 11). */
export interface Metrics {
  readonly counters: Readonly<Record<CounterName, number>>;
  add(name: CounterName, amount?: number): void;
  observe(timing: TimingName, of: TimingLabels, seconds: number): void;
  /** Text exposition of everything. */
  expose(gauges: GaugeValues): Promise<string>;
}

/** What a timing is told apart by: the workflow kind of the run, and how what was timed ended. */
export interface TimingLabels {
  readonly kind: string;
  readonly outcome: TimingOutcome;
}

/** A closed list, so that no caller can add series; `took` where there is but one end. */
export type TimingOutcome =
  | ('ok' | 'failed' | 'timed_out' | 'took')
  // What a person was waited for and came: an answer, or an end of the run.
  | ('answered' | 'expired' | 'cancelled')
  // A commit that did not hold the run any more.
  | 'lost';

export type CounterName =
  | 'runs_started'
  | 'runs_completed'
  | 'runs_failed'
  | 'runs_dead_lettered'
  | 'runs_crashed'
  | 'runs_rejected'
  | 'sync_refused'
  | 'tokens_input'
  | 'tokens_output'
  | 'tokens'
  | 'spans_exported'
  | 'spans_dropped';

const SERIES: readonly (readonly [series: string, counter: CounterName, help: string])[] = [
  ['kneo_runs_started_total', 'runs_started', 'Executions begun.'],
  ['kneo_runs_completed_total', 'runs_completed', 'Runs completed.'],
  ['kneo_runs_failed_total', 'runs_failed', 'Runs failed, timed out or stopped at a cap.'],
  ['kneo_runs_dead_lettered_total', 'runs_dead_lettered', 'Runs given up after their attempts.'],
  [
    'runs_crashed_total',
    'runs_crashed',
    'Runs stopped because their thread or service died of them.',
  ],
  ['kneo_runs_rejected_total', 'runs_rejected', 'Runs refused because the queue was full.'],
  ['runs_sync_refused_total', 'sync_refused', 'Synchronous runs refused for want of a place.'],
  ['kneo_tokens_input_total', 'tokens_input', 'Input tokens reported.'],
  ['kneo_tokens_output_total', 'tokens_output', 'Output tokens reported.'],
  ['kneo_tokens_total', 'tokens', 'Tokens reported.'],
  ['tokens_input_total', 'tokens_input', 'Input tokens reported.'],
  ['tokens_output_total', 'tokens_output', 'Output tokens reported.'],
  ['tokens_total', 'tokens', 'Tokens reported.'],
  ['otel_spans_exported_total', 'spans_exported', 'Spans that the trace collector took.'],
  [
    'otel_spans_dropped_total',
    'spans_dropped',
    'Spans that found no room or that the trace collector did not take.',
  ],
];

/** Seconds of calls, of what a person takes, and of writes. */
const CALLS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];
const PEOPLE = [1, 10, 60, 300, 1800, 3600, 14_400, 86_400, 259_200, 604_800];
const WRITES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

interface Timed {
  readonly series: string;
  readonly help: string;
  readonly buckets: number[];
  readonly hasOutcome: boolean;
}

/** Additive: how long things take, in seconds, by the workflow kind of the run and by outcome. */
const TIMINGS = {
  queue_wait: {
    series: 'run_queue_wait_seconds',
    help: 'From the queue to a worker.',
    buckets: CALLS,
    hasOutcome: false,
  },
  step: {
    series: 'run_step_seconds',
    help: 'One step: a call of an agent, or of a function that a step names.',
    buckets: CALLS,
    hasOutcome: true,
  },
  model: {
    series: 'run_model_seconds',
    help: 'One answer of a model.',
    buckets: CALLS,
    hasOutcome: true,
  },
  tool: {
    series: 'run_tool_seconds',
    help: 'One answer of a tool, or of a function that is no step.',
    buckets: CALLS,
    hasOutcome: true,
  },
  human_wait: {
    series: 'run_human_wait_seconds',
    help: 'From a question to a person until the run goes on or ends.',
    buckets: PEOPLE,
    hasOutcome: true,
  },
  commit: {
    series: 'run_commit_seconds',
    help: 'One write of a run, from the wish to the store.',
    buckets: WRITES,
    hasOutcome: true,
  },
} as const satisfies Readonly<Record<string, Timed>>;
export type TimingName = keyof typeof TIMINGS;

function histogramsIn(registry: Registry): ReadonlyMap<string, Histogram> {
  const histogramOf = ({ series, help, buckets, hasOutcome }: Timed) =>
    new Histogram({
      name: series,
      help,
      labelNames: ['workflow_kind', ...(hasOutcome ? ['outcome'] : [])],
      buckets,
      registers: [registry],
    });
  return new Map(Object.entries(TIMINGS).map(([name, timed]) => [name, histogramOf(timed)]));
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counters: Record<CounterName, number> = {
    runs_started: 0,
    runs_completed: 0,
    runs_failed: 0,
    runs_dead_lettered: 0,
    runs_crashed: 0,
    runs_rejected: 0,
    sync_refused: 0,
    tokens_input: 0,
    tokens_output: 0,
    tokens: 0,
    spans_exported: 0,
    spans_dropped: 0,
  };
  const series = SERIES.map(
    ([name, counter, help]) => [counter, new Counter({ name, help, registers })] as const,
  );
  const gauges = {
    queued: new Gauge({ name: 'kneo_runs_queued', help: 'Runs waiting in the queue.', registers }),
    running: new Gauge({
      name: 'kneo_runs_running',
      help: 'Runs under a live lease.',
      registers,
    }),
    workers: new Gauge({ name: 'kneo_worker_count', help: 'Workers of this process.', registers }),
    depth: new Gauge({
      name: 'run_queue_depth',
      help: 'Runs waiting, by queue.',
      labelNames: ['queue'],
      registers,
    }),
    executing: new Gauge({
      name: 'run_queue_executing',
      help: 'Queued runs that execute, by queue.',
      labelNames: ['queue'],
      registers,
    }),
    sync: new Gauge({
      name: 'runs_sync_executing',
      help: 'Synchronous runs that take time and execute.',
      registers,
    }),
    syncWaiting: new Gauge({
      name: 'runs_sync_waiting',
      help: 'Synchronous runs that wait for a place.',
      registers,
    }),
  };
  const timings = histogramsIn(registry);
  return {
    counters,
    add(name, amount = 1) {
      counters[name] += amount;
      for (const [counter, shown] of series) if (counter === name) shown.inc(amount);
    },
    observe(timing, { kind, outcome }, seconds) {
      const by = TIMINGS[timing].hasOutcome ? { outcome } : {};
      timings.get(timing)?.observe({ workflow_kind: kind, ...by }, seconds);
    },
    expose(values) {
      gauges.queued.set(values.queued);
      gauges.running.set(values.running);
      gauges.workers.set(values.workers);
      gauges.sync.set(values.sync.executing);
      gauges.syncWaiting.set(values.sync.waiting);
      for (const { queue, queued, running } of values.queues) {
        gauges.depth.set({ queue }, queued);
        gauges.executing.set({ queue }, running);
      }
      return registry.metrics();
    },
  };
}
