import { z } from 'zod';
import type { Item, Outputs, Pairing } from '../../items/item.ts';
import type { RunSource } from '../../items/run-record.ts';
import type { Handler, HandlerCall, StepAnswer } from '../handler.ts';
import { evaluateOnce } from './fields.ts';
import { objectIn } from './settings.ts';
import { numberOf } from './typed-value.ts';

// What a loop has still to hand out and what came back are kept as the places where they stand in the
// record of the run, so that a loop of many rounds does not write all of its items in each of them.

const keptItems = z.custom<readonly Item[]>((value) => Array.isArray(value));
/** Items of an output of a step, over several of its runs, or the items themselves. */
const piece = z.union([
  z.object({ node: z.string(), output: z.number(), from: z.number(), to: z.number() }),
  z.object({ items: keptItems }),
]);
const kept = z.object({
  currentRunIndex: z.number(),
  maxRunIndex: z.number().nullable(),
  noItemsLeft: z.boolean(),
  done: z.boolean(),
  /** What the loop began with, and how many of it were handed out. */
  begun: piece,
  given: z.number(),
  gathered: z.array(piece),
});
type Piece = z.infer<typeof piece>;
type Kept = z.infer<typeof kept>;

function runsIn(call: HandlerCall, node: string): readonly (Outputs | null)[] {
  return call.step.reader.look(node, { matches: false, earlierRuns: true }).runs;
}

function sourceOf({ step }: HandlerCall): RunSource | null {
  const { prevNode } = step.facts;
  if (prevNode === null) return null;
  return { node: prevNode.name, output: prevNode.outputIndex, run: prevNode.runIndex };
}

function fromSource(pairing: Omit<Pairing, 'sourceOverwrite'>, source: RunSource): Pairing {
  const { node, output, run } = source;
  const sourceOverwrite = {
    previousNode: node,
    previousNodeOutput: output,
    previousNodeRun: run,
  };
  return { ...pairing, sourceOverwrite };
}

/** What came in just now: where it stands, when the record of the run has exactly it. */
function pieceOf(call: HandlerCall, items: readonly Item[]): Piece {
  const source = sourceOf(call);
  if (source === null) return { items };
  const { node, output, run } = source;
  const stored = runsIn(call, node)[run]?.[output] ?? [];
  const isAll =
    stored.length === items.length && items.every(({ json }, at) => json === stored[at]?.json);
  if (isAll) return { node, output, from: run, to: run };
  return {
    items: items.map((item, at) => ({ ...item, pairedItem: fromSource({ item: at }, source) })),
  };
}

function itemsIn(call: HandlerCall, one: Piece): readonly Item[] {
  if ('items' in one) return one.items;
  const { node, output, from, to } = one;
  return runsIn(call, node)
    .slice(from, to + 1)
    .flatMap((outputs, at) =>
      (outputs?.[output] ?? []).map((item, index) => ({
        ...item,
        pairedItem: fromSource({ item: index }, { node, output, run: from + at }),
      })),
    );
}

/** The next run of the same output of the same step goes on where the last piece ends. */
function withPiece(gathered: readonly Piece[], next: Piece): Piece[] {
  const last = gathered.at(-1);
  const goesOn =
    last !== undefined &&
    'node' in last &&
    'node' in next &&
    last.node === next.node &&
    last.output === next.output &&
    last.to + 1 === next.from;
  return goesOn ? [...gathered.slice(0, -1), { ...last, to: next.to }] : [...gathered, next];
}

function outputsOfLoop(version: number, batch: readonly Item[], done: readonly Item[] | null) {
  if (version < 2) return done === null ? [batch] : [];
  const [first, second] = [done ?? [], done === null ? batch : []];
  return version < 3 ? [second, first] : [first, second];
}

function begin(call: HandlerCall, items: readonly Item[], size: number): StepAnswer {
  const batch = items.slice(0, size);
  const next: Kept = {
    currentRunIndex: 0,
    maxRunIndex: size === 0 ? null : Math.ceil(items.length / size),
    noItemsLeft: items.length <= batch.length,
    done: batch.length === 0,
    begun: pieceOf(call, items),
    given: batch.length,
    gathered: [],
  };
  const outputs = outputsOfLoop(call.node.version, batch, next.done ? [] : null);
  return { outputs, context: next };
}

function goOn(call: HandlerCall, before: Kept, items: readonly Item[], size: number): StepAnswer {
  const all = itemsIn(call, before.begun);
  const batch = all.slice(before.given, before.given + size);
  const given = before.given + batch.length;
  const gathered = withPiece(before.gathered, pieceOf(call, items));
  const next: Kept = {
    ...before,
    currentRunIndex: before.currentRunIndex + 1,
    noItemsLeft: given >= all.length,
    done: batch.length === 0,
    given,
    gathered,
  };
  const done = next.done ? gathered.flatMap((one) => itemsIn(call, one)) : null;
  return { outputs: outputsOfLoop(call.node.version, batch, done), context: next };
}

/** How many items the exports of a version leave out to say. */
function usualSize(version: number): number {
  return version < 3 ? 10 : 1;
}

/**
 * Loop Over Items (Split In Batches), all versions: hands out what it began with, some items a time,
 * gathers what comes back, and gives that when nothing is left. It begins anew only by its setting.
 */
export const handleLoop: Handler = async (call) => {
  const { parameters, version } = call.node;
  const items = call.inputs[0] ?? [];
  const batchSize = parameters['batchSize'] ?? usualSize(version);
  const { reset } = objectIn(parameters, 'options');
  const read = await evaluateOnce(call, [batchSize, reset]);
  const size = Math.max(0, Math.trunc(numberOf(read(batchSize)) || 0));
  const before = kept.safeParse(call.kept);
  if (!before.success || read(reset) === true) return begin(call, items, size);
  return goOn(call, before.data, items, size);
};
