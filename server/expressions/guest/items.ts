import type { GuestItem } from './facts.ts';

/** What items have in common whose values alone go over: their fields, in order. */
export interface ItemShape {
  readonly fields: readonly string[];
  /** Each says that it is made of the item at its own place. */
  readonly isPaired: boolean;
}

type Build = (values: readonly unknown[]) => GuestItem[];

const MOST_BUILDS = 200;
const builds = new Map<string, Build>();
// Indirect: it sees the global scope, not that of this module.
// biome-ignore lint/security/noGlobalEval: this module exists in the confined interpreter only.
const evaluateText = globalThis.eval;

/** The interpreter makes objects that are written out in less time than it reads their JSON. */
function buildOf({ fields, isPaired }: ItemShape): Build {
  const json = fields.map((field) => `${JSON.stringify(field)}: values[next++]`).join();
  const pairing = isPaired ? ', pairedItem: { item: at }' : '';
  const item = `{ json: { ${json} }${pairing} }`;
  const loop = `for (let next = 0, at = 0; next < values.length; at++) items[at] = ${item};`;
  return evaluateText(`(function (values) { const items = []; ${loop} return items; })`) as Build;
}

/** Items as they came: as JSON, or their values alone when they have a shape. */
export function itemsOf(text: string, shape: ItemShape | null): GuestItem[] {
  if (shape === null) return JSON.parse(text) as GuestItem[];
  const key = JSON.stringify(shape);
  let build = builds.get(key);
  if (build === undefined) {
    if (builds.size >= MOST_BUILDS) builds.clear();
    build = buildOf(shape);
    builds.set(key, build);
  }
  return build(JSON.parse(text) as unknown[]);
}
