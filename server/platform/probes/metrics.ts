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
  /** `kind` is the workflow kind of the run. */
  observe(timing: TimingName, kind: string, seconds: number): void;
  /** Text exposition of everything. */
  expose(gauges: GaugeValues): Promise<string>;
}

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
  | 'tokens';

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
];

/** Additive: how long things take, in seconds, by the workflow kind of the run. */
const TIMINGS = {
  queue_wait: ['run_queue_wait_seconds', 'From the queue to a worker.'],
  step: ['run_step_seconds', 'One step: a call of an agent, or of a function that a step names.'],
  model: ['run_model_seconds', 'One answer of a model.'],
  tool: ['run_tool_seconds', 'One answer of a tool, or of a function that is no step.'],
} as const;
export type TimingName = keyof typeof TIMINGS;

const BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

function histogramsIn(registry: Registry) {
  const histogram = (name: TimingName) => {
    const [series, help] = TIMINGS[name];
    const labelNames = ['workflow_kind'];
    return new Histogram({
      name: series,
      help,
      labelNames,
      buckets: BUCKETS,
      registers: [registry],
    });
  };
  return {
    queue_wait: histogram('queue_wait'),
    step: histogram('step'),
    model: histogram('model'),
    tool: histogram('tool'),
  };
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
    observe: (timing, kind, seconds) => timings[timing].observe({ workflow_kind: kind }, seconds),
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
