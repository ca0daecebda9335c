import { paths } from '../../app/paths.ts';

const TABS = ['event', 'replay', 'details', 'policy', 'session', 'notes'] as const;
export type RunTab = (typeof TABS)[number];

/** What the page of a run shows; lives in the address. */
export interface RunView {
  readonly tab?: RunTab | undefined;
  /** Sequence of the saved state that graph and trace show. */
  readonly at?: number | undefined;
  /** Node that the trace is narrowed to. */
  readonly node?: string | undefined;
  /** Line of the timeline that somebody looks at. */
  readonly event?: string | undefined;
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : String(value);
}

/** The tab of a view: what is chosen in the timeline comes before the path, unless another is asked for. */
export function tabOf({ tab, event }: RunView): RunTab {
  if (tab === 'event' && event === undefined) {
    return 'replay';
  }
  return tab ?? (event === undefined ? 'replay' : 'event');
}

/** True for the name of a tab. */
export function isRunTab(value: unknown): value is RunTab {
  return TABS.some((tab) => tab === value);
}

/** Reads a view from the query of an address; a value that is not understood is ignored. */
export function readRunView(search: Readonly<Record<string, unknown>>): RunView {
  const { tab, at, node, event } = search;
  const sequence = Number(at);
  return {
    tab: isRunTab(tab) ? tab : undefined,
    at: Number.isInteger(sequence) && sequence > 0 ? sequence : undefined,
    node: textOf(node),
    event: textOf(event),
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
