/** Counters of this process (contract/platform.md 11). */
export interface Metrics {
  readonly counters: Record<CounterName, number>;
  add(name: CounterName, amount?: number): void;
  /** Text exposition of the counters and the given gauges. */
  expose(gauges: { queued: number; running: number; workers: number }): string;
}

export type CounterName =
  | 'runs_started'
  | 'runs_completed'
  | 'runs_failed'
  | 'runs_dead_lettered'
  | 'runs_crashed'
  | 'runs_rejected'
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
  ['kneo_tokens_input_total', 'tokens_input', 'Input tokens reported.'],
  ['kneo_tokens_output_total', 'tokens_output', 'Output tokens reported.'],
  ['kneo_tokens_total', 'tokens', 'Tokens reported.'],
  ['tokens_input_total', 'tokens_input', 'Input tokens reported.'],
  ['tokens_output_total', 'tokens_output', 'Output tokens reported.'],
  ['tokens_total', 'tokens', 'Tokens reported.'],
];

function lines(name: string, type: string, help: string, value: number): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`;
}

export function createMetrics(): Metrics {
  const counters: Record<CounterName, number> = {
    runs_started: 0,
    runs_completed: 0,
    runs_failed: 0,
    runs_dead_lettered: 0,
    runs_crashed: 0,
    runs_rejected: 0,
    tokens_input: 0,
    tokens_output: 0,
    tokens: 0,
  };
  return {
    counters,
    add(name, amount = 1) {
      counters[name] += amount;
    },
    expose({ queued, running, workers }) {
      const text = SERIES.map(([name, counter, help]) =>
        lines(name, 'counter', help, counters[counter]),
      );
      text.push(lines('kneo_runs_queued', 'gauge', 'Runs waiting in the queue.', queued));
      text.push(lines('kneo_runs_running', 'gauge', 'Runs under a live lease.', running));
      text.push(lines('kneo_worker_count', 'gauge', 'Workers of this process.', workers));
      return text.join('');
    },
  };
}
