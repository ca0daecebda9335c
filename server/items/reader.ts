import type { Match, NodeLook } from './facts.ts';
import type { Item } from './item.ts';
import { itemAt, traceItem } from './pairing.ts';
import type { RunRecord, RunSource, WorkflowShape } from './run-record.ts';

/** What of a look is needed: the rest is left out, since it costs time. */
export interface LookWish {
  /** The items that those of this step were made of. */
  readonly matches: boolean;
  /** Runs before the last one. */
  readonly earlierRuns: boolean;
}

/** How the expressions of a step see the steps before it. */
export interface StepReader {
  /** The names of all steps of the workflow. */
  names(): readonly string[];
  look(name: string, wish: LookWish): NodeLook;
}

/** The look at a name that no step has. */
export const UNKNOWN_NODE: NodeLook = {
  state: 'unknown',
  connected: false,
  parameters: {},
  context: {},
  output: 0,
  runs: [],
  sources: [],
  matches: [],
};

/** Steps that lead to this one, each with the output by which its shortest way begins. */
function stepsBefore(shape: WorkflowShape, node: string): ReadonlyMap<string, number> {
  const before = new Map<string, number>();
  const into = Map.groupBy(shape.connections, ({ to }) => to);
  const waiting = [node];
  for (let at = 0; at < waiting.length; at += 1) {
    for (const { from, output } of into.get(waiting[at] ?? '') ?? []) {
      if (before.has(from)) continue;
      before.set(from, output);
      waiting.push(from);
    }
  }
  return before;
}

export interface ReaderOf {
  readonly shape: WorkflowShape;
  readonly record: RunRecord;
  /** The step that reads. */
  readonly node: string;
  /** Where the items of its first input come from. */
  readonly source: RunSource | null;
  /** How many they are. */
  readonly itemCount: number;
}

class Reader implements StepReader {
  readonly #of: ReaderOf;
  #before: ReadonlyMap<string, number> | undefined;

  constructor(of: ReaderOf) {
    this.#of = of;
  }

  names(): readonly string[] {
    return [...this.#of.shape.nodes.keys()];
  }

  look(name: string, wish: LookWish): NodeLook {
    const { shape, record, node, source } = this.#of;
    if (!shape.nodes.has(name)) return UNKNOWN_NODE;
    this.#before ??= stepsBefore(shape, node);
    const runs = record.get(name) ?? [];
    const isDirect = source !== null && source.node === name;
    const matched = wish.matches && runs.length > 0 ? this.#matched(name) : undefined;
    return {
      state: runs.length === 0 ? 'not_run' : 'run',
      connected: this.#before.has(name),
      parameters: shape.nodes.get(name) ?? {},
      context: runs.at(-1)?.context ?? {},
      output: (isDirect ? source.output : this.#before.get(name)) ?? 0,
      runs: runs.map(({ outputs }, at) =>
        wish.earlierRuns || at === runs.length - 1 ? outputs : null,
      ),
      sources: matched?.sources ?? [],
      matches: matched?.matches ?? [],
    };
  }

  #matched(name: string): { sources: Item[]; matches: Match[] } {
    const { record, source, itemCount } = this.#of;
    const sources: Item[] = [];
    const places = new Map<Item, number>();
    const matches: Match[] = [];
    for (let item = 0; item < itemCount; item += 1) {
      const traced =
        source === null
          ? ({ kind: 'none' } as const)
          : traceItem(record, { ...source, item }, name);
      if (traced.kind !== 'found') {
        matches.push(errorOf(traced));
        continue;
      }
      const found = itemAt(record, traced.place);
      if (found === undefined) {
        matches.push(null);
        continue;
      }
      const place = places.get(found) ?? sources.push(found) - 1;
      places.set(found, place);
      matches.push(place);
    }
    return { sources, matches };
  }
}

type NotFound = Exclude<ReturnType<typeof traceItem>, { kind: 'found' }>;

function errorOf(traced: NotFound): Match {
  switch (traced.kind) {
    case 'several':
      return { error: 'Multiple matches found' };
    case 'unpaired':
      return {
        error: `Paired item data for {method} from node '${traced.node}' is unavailable. Ensure '${traced.node}' is providing the required output.`,
      };
    case 'none':
      return null;
  }
}

/** The reader of one run of a step. */
export function createReader(of: ReaderOf): StepReader {
  return new Reader(of);
}
