import { z } from 'zod';
import { readSafe, writeSafe } from '../../../desktop/safe-store.ts';
import { createStore } from '../../../ui/store.ts';
import { type Expectation, expectation } from './case-check.ts';

const runCase = z.object({
  id: z.string(),
  name: z.string(),
  input: z.string(),
  /** Empty where there is no choice. */
  trigger: z.string(),
  /** Null where nothing is expected of its runs. */
  expected: expectation.nullable().default(null),
});

const pastRun = z.object({
  runId: z.string(),
  /** When it was started, ISO. */
  at: z.string(),
  /** The case that it ran; null for an input that is none. */
  caseId: z.string().nullable(),
});

const keptCases = z.object({ cases: z.array(runCase), runs: z.array(pastRun) });

/** A named input of a draft. */
export type RunCase = z.output<typeof runCase>;
/** A run of a draft that was started here. */
export type PastRun = z.output<typeof pastRun>;
/** What is kept of a draft's runs. */
export type KeptCases = z.output<typeof keptCases>;

const NOTHING: KeptCases = { cases: [], runs: [] };
const MOST_RUNS = 50;

/** Grows with each change, so that who shows them reads them again. */
export const casesChanged = createStore(0);

/**
 * The cases and the last runs of a draft. They are kept by the window's own database, as the last
 * input is: inputs may be private, and the project's folder is shared.
 */
export function readCases(draft: string): KeptCases {
  const read = keptCases.safeParse(readSafe(`cases:${draft}`));
  return read.success ? read.data : NOTHING;
}

function write(draft: string, next: KeptCases): void {
  writeSafe(`cases:${draft}`, next);
  casesChanged.set((count) => count + 1);
}

/** Keeps an input under a name; the case of that name gets it, if there is one, and expects the same. */
export function keepCase(
  draft: string,
  { name, input, trigger }: Pick<RunCase, 'name' | 'input' | 'trigger'>,
): void {
  const now = readCases(draft);
  const known = now.cases.find((one) => one.name === name);
  const expected = known?.expected ?? null;
  const made = { id: known?.id ?? crypto.randomUUID(), name, input, trigger, expected };
  const cases = known
    ? now.cases.map((one) => (one.id === known.id ? made : one))
    : [...now.cases, made];
  write(draft, { ...now, cases });
}

/** Keeps what is expected of a case; null for nothing. */
export function expectOf(draft: string, id: string, expected: Expectation | null): void {
  const now = readCases(draft);
  const cases = now.cases.map((one) => (one.id === id ? { ...one, expected } : one));
  write(draft, { ...now, cases });
}

/** Forgets a case; its runs stay. */
export function dropCase(draft: string, id: string): void {
  const now = readCases(draft);
  write(draft, { ...now, cases: now.cases.filter((one) => one.id !== id) });
}

/** Notes a run that was started, newest first. */
export function noteRun(draft: string, run: PastRun): void {
  const now = readCases(draft);
  write(draft, { ...now, runs: [run, ...now.runs].slice(0, MOST_RUNS) });
}

/** The run of the same case before one: what it is compared with. */
export function runBefore(runs: readonly PastRun[], run: PastRun): PastRun | undefined {
  const at = runs.indexOf(run);
  return runs.slice(at + 1).find(({ caseId }) => caseId === run.caseId);
}
