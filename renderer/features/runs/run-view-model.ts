import { paths } from '../../app/paths.ts';

const TABS = ['replay', 'details', 'policy', 'session', 'notes'] as const;
export type RunTab = (typeof TABS)[number];

/** What the page of a run shows; lives in the address. */
export interface RunView {
  readonly tab?: RunTab | undefined;
  /** Sequence of the saved state that graph and trace show. */
  readonly at?: number | undefined;
  /** Node that the trace is narrowed to. */
  readonly node?: string | undefined;
}

/** True for the name of a tab. */
export function isRunTab(value: unknown): value is RunTab {
  return TABS.some((tab) => tab === value);
}

/** Reads a view from the query of an address; a value that is not understood is ignored. */
export function readRunView(search: Readonly<Record<string, unknown>>): RunView {
  const { tab, at, node } = search;
  const sequence = Number(at);
  return {
    tab: isRunTab(tab) ? tab : undefined,
    at: Number.isInteger(sequence) && sequence > 0 ? sequence : undefined,
    node: node === undefined || node === null || node === '' ? undefined : String(node),
  };
}

/** The address of a run with a view. */
export function runViewPath(runId: string, view: RunView): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(view)) {
    if (value !== undefined) {
      words.set(name, String(value));
    }
  }
  const text = words.toString();
  return text === '' ? paths.run(runId) : `${paths.run(runId)}?${text}`;
}
