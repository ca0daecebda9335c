import { isJsonObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import { sameJson } from '../../kernel/same-json.ts';
import { guardrailPart, namedPart, SINGLE_PARTS, workflowPartName } from '../compare/part-names.ts';
import { beginOf } from '../compare/workflow-parts.ts';
import type { BlockName } from '../schema/field-help.ts';
import {
  type Choice,
  type ConflictKind,
  kindOf,
  type MergeConflict,
  type Sides,
  type Thing,
  tellConflict,
} from './conflict.ts';
import { keysLikeEarlier, keysOfItems } from './list-identity.ts';
import { mergeLinesFor } from './merge-lines.ts';
import { mergeOrder } from './merge-order.ts';
import { fieldShapes, isHolder, memberOf, type Shape, setOf } from './shapes.ts';

/** How conflicts are settled, by their ids. */
export type Choices = Readonly<Record<string, Choice>>;

type ListShape = Extract<Shape, { kind: 'items' }>;

/** What was merged; null when the value is one thing. */
type Merged = { readonly value: Json | undefined } | null;

function below(thing: Thing, name: string, more: Partial<Thing> = {}): Thing {
  return { ...thing, ...more, way: [...thing.way, name] };
}

function membersIn(sides: Sides, key: string): Sides {
  return {
    base: memberOf(sides.base, key),
    ours: memberOf(sides.ours, key),
    theirs: memberOf(sides.theirs, key),
  };
}

/** Sides that can be put together member by member. */
interface Mappings extends Sides {
  readonly ours: JsonObject;
  readonly theirs: JsonObject;
}

function mappingsOf(shape: Shape, { base, ours = null, theirs = null }: Sides): Mappings | null {
  const isKnown = base === undefined ? isHolder(shape) : isJsonObject(base);
  return isKnown && isJsonObject(ours) && isJsonObject(theirs) ? { base, ours, theirs } : null;
}

function fieldBelow({ field }: Thing, key: string): string {
  return field === null ? key : `${field}.${key}`;
}

function arrayOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Texts of several lines are merged by their lines. */
function textsOf(sides: Sides): Sides<string> | undefined {
  const { base = '', ours, theirs } = sides;
  if (typeof base !== 'string' || typeof ours !== 'string' || typeof theirs !== 'string') {
    return undefined;
  }
  return [base, ours, theirs].some((text) => text.includes('\n'))
    ? { base, ours, theirs }
    : undefined;
}

class ValueMerge {
  readonly conflicts: MergeConflict[] = [];
  readonly #choices: Choices;
  /** Who wins what is open. */
  readonly #open: 'ours' | 'theirs';

  constructor(choices: Choices, open: 'ours' | 'theirs') {
    this.#choices = choices;
    this.#open = open;
  }

  /** Notes a conflict, and says who wins. */
  #conflict(kind: ConflictKind, thing: Thing, sides: Sides, canHaveBoth: boolean): Choice {
    const id = [...thing.way, ...(kind === 'order' ? ['(order)'] : [])].join(' / ');
    const choices: Choice[] = canHaveBoth ? ['ours', 'theirs', 'both'] : ['ours', 'theirs'];
    const asked = Object.hasOwn(this.#choices, id) ? this.#choices[id] : undefined;
    const chosen = choices.find((choice) => choice === asked) ?? null;
    const { part, block, field } = thing;
    const text = tellConflict(kind, thing, sides);
    this.conflicts.push({ id, kind, part, block, field, sides, choices, chosen, text });
    return chosen ?? this.#open;
  }

  merge(shape: Shape, thing: Thing, sides: Sides): Json | undefined {
    const { base, ours, theirs } = sides;
    if (sameJson(base, theirs) || sameJson(ours, theirs)) return ours;
    if (sameJson(base, ours)) return theirs;
    const merged = this.#within(shape, thing, sides);
    if (merged !== null) return merged.value;
    const texts = textsOf(sides);
    const choice = this.#conflict(kindOf(sides), thing, sides, texts !== undefined);
    if (choice !== 'both' || texts === undefined) return choice === 'theirs' ? theirs : ours;
    return mergeLinesFor(texts.base, texts.ours, texts.theirs, 'both').text;
  }

  #within(shape: Shape, thing: Thing, sides: Sides): Merged {
    const mappings = mappingsOf(shape, sides);
    switch (shape.kind) {
      case 'block':
        return mappings && { value: this.block(shape.block, thing, mappings) };
      case 'parts':
        return mappings && { value: this.#parts(shape.block, thing, mappings) };
      case 'free':
        return mappings ? { value: this.#free(thing, mappings) } : this.#text(sides);
      case 'items':
        return this.#items(shape, thing, sides);
      case 'names':
        return this.#names(sides);
      case 'whole':
        return this.#text(sides);
    }
  }

  #text(sides: Sides): Merged {
    const texts = textsOf(sides);
    if (texts === undefined) return null;
    const { text, conflicts } = mergeLinesFor(texts.base, texts.ours, texts.theirs, 'mine');
    return conflicts === 0 ? { value: text } : null;
  }

  #members(sides: Mappings, member: (key: string, sides: Sides) => Json | undefined): JsonObject {
    const made: JsonObject = {};
    const keys = [sides.ours, sides.theirs].flatMap((side) => Object.keys(side));
    for (const key of new Set(keys)) {
      const value = member(key, membersIn(sides, key));
      if (value !== undefined) setOwn(made, key, value);
    }
    return made;
  }

  block(block: BlockName, thing: Thing, sides: Mappings): JsonObject {
    const shapes = fieldShapes(block, sides.ours, sides.theirs);
    return this.#members(sides, (key, at) => {
      const single = block === 'root' ? SINGLE_PARTS[key] : undefined;
      const part = single ?? thing.part;
      const own = block === 'components' ? key : fieldBelow(thing, key);
      const field = single === undefined ? own : null;
      return this.merge(shapes(key), below(thing, key, { part, block, field }), at);
    });
  }

  #parts(block: BlockName, thing: Thing, sides: Mappings): JsonObject {
    return this.#members(sides, (name, at) => {
      const part =
        block === 'step'
          ? workflowPartName(block, name, at.ours ?? at.theirs, thing.part)
          : namedPart(block, name);
      return this.merge(
        { kind: 'block', block },
        below(thing, name, { part, block, field: null }),
        at,
      );
    });
  }

  #free(thing: Thing, sides: Mappings): JsonObject {
    return this.#members(sides, (key, at) => {
      return this.merge({ kind: 'free' }, below(thing, key, { field: fieldBelow(thing, key) }), at);
    });
  }

  #item({ block }: ListShape, list: Thing, key: string, sides: Sides): readonly Json[] {
    const value = sides.ours ?? sides.theirs;
    const part =
      block === 'guardrail'
        ? guardrailPart(list.way.at(-1) ?? '', key, list.part)
        : workflowPartName(block === 'edge' ? 'edge' : 'step', key, value, list.part);
    const thing = below(list, key, { part, block, field: null });
    const { base, ours, theirs } = sides;
    // Two edges may join the same steps.
    if (block === 'edge' && base === undefined && ours !== undefined && theirs !== undefined) {
      if (sameJson(ours, theirs)) return [ours];
      const choice = this.#conflict('added', thing, sides, true);
      return choice === 'both' ? [ours, theirs] : [choice === 'ours' ? ours : theirs];
    }
    const merged = this.merge({ kind: 'block', block }, thing, sides);
    return merged === undefined ? [] : [merged];
  }

  #items(shape: ListShape, thing: Thing, { base, ours, theirs }: Sides): Merged {
    if (!Array.isArray(ours) || !Array.isArray(theirs)) return null;
    if (base !== undefined && !Array.isArray(base)) return null;
    const start = arrayOf(base);
    const keyed = (keys: readonly string[], items: readonly Json[]) =>
      new Map(keys.map((key, index) => [key, items[index]]));
    const lists = {
      base: keyed(keysOfItems(start), start),
      ours: keyed(keysLikeEarlier(start, ours), ours),
      theirs: keyed(keysLikeEarlier(start, theirs), theirs),
    };
    const found = new Map<string, readonly Json[]>();
    for (const key of new Set([...lists.ours.keys(), ...lists.theirs.keys()])) {
      const sides = {
        base: lists.base.get(key),
        ours: lists.ours.get(key),
        theirs: lists.theirs.get(key),
      };
      const items = this.#item(shape, thing, key, sides);
      if (items.length > 0) found.set(key, items);
    }
    const left = (list: ReadonlyMap<string, unknown>) =>
      [...list.keys()].filter((key) => found.has(key));
    const orders = {
      base: left(lists.base),
      ours: left(lists.ours),
      theirs: left(lists.theirs),
    };
    const groupOf = (key: string) =>
      shape.block === 'edge' ? beginOf(found.get(key)?.[0] ?? null) : '';
    const rule = { counts: shape.ordered, groupOf };
    const named = (keys: readonly string[]): Json => [...keys];
    let order = mergeOrder(orders, rule, this.#open);
    if (order.clash) {
      const sides: Sides = {
        base: named(orders.base),
        ours: named(mergeOrder(orders, rule, 'ours').keys),
        theirs: named(mergeOrder(orders, rule, 'theirs').keys),
      };
      const choice = this.#conflict('order', thing, sides, false);
      order = mergeOrder(orders, rule, choice === 'theirs' ? 'theirs' : 'ours');
    }
    return { value: order.keys.flatMap((key) => found.get(key) ?? []) };
  }

  #names(sides: Sides): Merged {
    const base = setOf(sides.base ?? []);
    const [ours, theirs] = [setOf(sides.ours), setOf(sides.theirs)];
    if (base === undefined || ours === undefined || theirs === undefined) return null;
    // An empty list may say something else than a short one: everything.
    if (base.length > 0 && (ours.length === 0 || theirs.length === 0)) return null;
    const stays = (name: string): boolean =>
      (ours.includes(name) && theirs.includes(name)) || !base.includes(name);
    const orders = {
      base: base.filter(stays),
      ours: ours.filter(stays),
      theirs: theirs.filter(stays),
    };
    const { keys } = mergeOrder(orders, { counts: false, groupOf: () => '' }, 'ours');
    return { value: [...keys] };
  }
}

/** What two documents make of a third one, and the things that each made into something else. */
export function mergeValues(
  sides: Sides<JsonObject>,
  choices: Choices,
  open: 'ours' | 'theirs' = 'ours',
): { readonly value: JsonObject; readonly conflicts: readonly MergeConflict[] } {
  const merge = new ValueMerge(choices, open);
  const root: Thing = { part: 'the spec', block: 'root', field: null, way: [] };
  const value = merge.block('root', root, sides);
  return { value, conflicts: merge.conflicts };
}
