import type { Loss } from '../../graph-ir.ts';
import { mapOf, textOf, type Value, type ValueMap } from '../../value.ts';

const FLAGS = ['disabled', 'continueOnFail', 'retryOnFail', 'alwaysOutputData', 'executeOnce'];
const NUMBERS = ['maxTries', 'waitBetweenTries'];
const ON_ERROR: readonly Value[] = ['continueErrorOutput', 'continueRegularOutput', 'stopWorkflow'];
const NO_OPERATION = 'n8n-nodes-base.noOp';

/** The nodes of a file after mending, with what was mended. */
export interface MendedNodes {
  readonly nodes: ValueMap[];
  readonly repairs: Loss[];
}

/** A node and what is mended of it; one that is whole stays as it was read. */
class Mending {
  readonly notes: string[] = [];
  private readonly read: ValueMap;
  private mended: ValueMap | undefined;

  constructor(node: ValueMap) {
    this.read = node;
  }

  get node(): ValueMap {
    return this.mended ?? this.read;
  }

  set(name: string, value: Value): void {
    if (this.node.get(name) !== value) this.own().set(name, value);
  }

  private own(): ValueMap {
    this.mended ??= new Map(this.read);
    return this.mended;
  }

  /** Replaces a field that is missing or of the wrong shape. */
  field(name: string, fits: (value: Value) => boolean, value: Value, note: string): void {
    const present = this.node.get(name);
    if (present !== undefined && present !== null && fits(present)) return;
    this.set(name, value);
    this.notes.push(note);
  }

  /** Takes out an optional field of the wrong shape. */
  optional(name: string, fits: (value: Value) => boolean): void {
    const present = this.node.get(name);
    if (present === undefined || present === null || fits(present)) return;
    this.own().delete(name);
    this.notes.push(`"${name}" could not be read and was left out`);
  }
}

function isFilled(value: Value): boolean {
  return typeof value === 'string' && value !== '';
}

function isReference(value: Value): boolean {
  return value === null || value instanceof Map;
}

function mendCredentials(mending: Mending): void {
  const value = mending.node.get('credentials');
  if (value === undefined || value === null) return;
  if (!(value instanceof Map)) {
    mending.optional('credentials', (v) => v instanceof Map);
    return;
  }
  if ([...value.values()].every(isReference)) return;
  const mended: ValueMap = new Map();
  for (const [type, reference] of value) {
    if (isReference(reference)) mended.set(type, reference);
    else {
      const name = typeof reference === 'string' && reference.trim() !== '' ? reference : type;
      mended.set(type, new Map([['name', name]]));
      mending.notes.push(`its credential "${type}" was written as text and is read as a name`);
    }
  }
  mending.set('credentials', mended);
}

class NameGiver {
  private readonly taken = new Set<string>();

  /** The wanted name, or the first free numbered form. */
  give(wanted: string, form: (base: string, number: number) => string): string {
    let name = wanted;
    for (let number = 2; this.taken.has(name); number += 1) name = form(wanted, number);
    this.taken.add(name);
    return name;
  }
}

function mendNode(raw: Value, index: number, names: NameGiver, ids: NameGiver): Mending {
  const mending = new Mending(mapOf(raw));
  if (!(raw instanceof Map)) mending.notes.push('the node is no object');
  mending.field('name', isFilled, `Node ${index + 1}`, 'it has no name; one was given');
  const wanted = textOf(mending.node.get('name')) ?? '';
  const name = names.give(wanted, (base, number) => `${base} (${number})`);
  if (name !== wanted) mending.notes.push(`another node is called "${wanted}"; it was renamed`);
  mending.set('name', name);
  mending.field('id', isFilled, name, 'it has no id; its name is used');
  const wantedId = textOf(mending.node.get('id')) ?? '';
  const id = ids.give(wantedId, (base, number) => `${base}#${number}`);
  if (id !== wantedId) mending.notes.push('another node has the same id; it was given a new one');
  mending.set('id', id);
  mending.field('type', isFilled, NO_OPERATION, 'it has no type; it is passed over');
  mending.field('typeVersion', (v) => typeof v === 'number', 1, 'it has no version; 1 is assumed');
  const hasParameters = mending.node.get('parameters') instanceof Map;
  if (!hasParameters) mending.set('parameters', new Map());
  for (const flag of FLAGS) mending.optional(flag, (v) => typeof v === 'boolean');
  for (const number of NUMBERS) mending.optional(number, (v) => typeof v === 'number');
  mending.optional('onError', (v) => ON_ERROR.includes(v));
  mendCredentials(mending);
  return mending;
}

/** Gives every node what the format wants, and says what was given (importers 14). */
export function mendNodes(list: readonly Value[]): MendedNodes {
  const names = new NameGiver();
  const ids = new NameGiver();
  const nodes: ValueMap[] = [];
  const repairs: Loss[] = [];
  for (const [index, raw] of list.entries()) {
    const { node, notes } = mendNode(raw, index, names, ids);
    nodes.push(node);
    if (notes.length === 0) continue;
    const name = textOf(node.get('name')) ?? '';
    const ref = {
      source_id: textOf(node.get('id')) ?? name,
      source_label: name,
      locator: `$.nodes[${index}]`,
    };
    const detail = `"${name}" was mended: ${notes.join('; ')}.`;
    repairs.push({ ref, kind: 'source_repaired', detail });
  }
  return { nodes, repairs };
}
