import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** One figure: the median of repeats with its spread, beside the budget it is held against. */
export interface Figure {
  readonly suite: string;
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  readonly p95: number;
  readonly min: number;
  readonly max: number;
  readonly repeats: number;
  /** The stated budget; `atMost` for costs (their median, or their p95), `atLeast` for rates. */
  readonly budget:
    | { readonly atMost: number; readonly of?: 'p95' }
    | { readonly atLeast: number }
    | null;
}

export interface Measurement {
  readonly name: string;
  readonly unit: string;
  readonly warmup?: number;
  readonly repeats: number;
  readonly budget?: Figure['budget'];
  /** Runs once and returns the sample in the figure's unit. */
  sample(): number | Promise<number>;
}

/** The value that a share `q` of the samples does not exceed. */
export function quantile(samples: readonly number[], q: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1);
  return sorted[Math.max(0, index)] ?? Number.NaN;
}

/** Folds samples into a figure. */
export function toFigure(
  suite: string,
  measurement: Omit<Measurement, 'sample' | 'repeats'>,
  samples: readonly number[],
): Figure {
  const sorted = [...samples].sort((a, b) => a - b);
  return {
    suite,
    name: measurement.name,
    unit: measurement.unit,
    median: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    min: sorted[0] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
    repeats: samples.length,
    budget: measurement.budget ?? null,
  };
}

/** Warms up, repeats, and folds. */
export async function measure(suite: string, measurement: Measurement): Promise<Figure> {
  for (let i = 0; i < (measurement.warmup ?? 1); i += 1) await measurement.sample();
  const samples: number[] = [];
  for (let i = 0; i < measurement.repeats; i += 1) samples.push(await measurement.sample());
  return toFigure(suite, measurement, samples);
}

/** Milliseconds that an action takes. */
export async function milliseconds(action: () => unknown): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

function show(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function shownBudget({ budget }: Figure): string {
  if (budget === null) return '';
  if ('atLeast' in budget) return `≥ ${budget.atLeast}`;
  return `${budget.of === 'p95' ? 'p95 ' : ''}≤ ${budget.atMost}`;
}

/** The value that the budget speaks of. */
function judged(figure: Figure): number {
  const { budget } = figure;
  return budget !== null && 'atMost' in budget && budget.of === 'p95' ? figure.p95 : figure.median;
}

/** Null for a figure without a budget; what could not be measured is not within one. */
function withinBudget(figure: Figure): boolean | null {
  const { budget } = figure;
  if (budget === null) return null;
  return 'atMost' in budget ? judged(figure) <= budget.atMost : judged(figure) >= budget.atLeast;
}

function row(figure: Figure): string[] {
  const verdict = withinBudget(figure);
  return [
    figure.suite,
    figure.name,
    show(figure.median),
    show(figure.p95),
    `${show(figure.min)} – ${show(figure.max)}`,
    figure.unit,
    shownBudget(figure),
    verdict === null ? '' : verdict ? 'yes' : 'NO',
  ];
}

/** How a bench ends: its exit code and its last line, which names what missed its budget. */
export function verdictOf(
  figures: readonly Figure[],
  ended: readonly string[],
): { readonly code: 0 | 1; readonly line: string } {
  const missed = figures.filter((figure) => withinBudget(figure) === false);
  if (missed.length === 0 && ended.length === 0) {
    const count = figures.filter((figure) => figure.budget !== null).length;
    return { code: 0, line: `All ${count} budgets are held.` };
  }
  const words = missed.map((figure) => {
    const told = `${show(judged(figure))} ${figure.unit}, ${shownBudget(figure)}`;
    return `${figure.suite}: ${figure.name} (${told})`;
  });
  return { code: 1, line: `Missed: ${[...words, ...ended].join('; ')}.` };
}

/** Writes a Markdown table to standard output and all samples' figures to `test-results/bench.json`. */
export function report(figures: readonly Figure[]): void {
  const head = ['suite', 'what', 'median', 'p95', 'min – max', 'unit', 'budget', 'held'];
  const rows = [head, head.map(() => '---'), ...figures.map(row)];
  process.stdout.write(`${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`);
  const machine = { cpus: os.cpus().length, model: os.cpus()[0]?.model, node: process.version };
  const folder = path.resolve('test-results');
  mkdirSync(folder, { recursive: true });
  const text = JSON.stringify({ machine, figures }, null, 2);
  writeFileSync(path.join(folder, 'bench.json'), `${text}\n`);
}
