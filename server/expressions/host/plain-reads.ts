import type { NodeLook } from '../../items/facts.ts';
import {
  type PlainPart,
  type PlainRead,
  type PlainTemplate,
  plainTemplate,
} from '../compile/plain-template.ts';
import { OwnError } from '../guest/own-error.ts';
import { EarlierStep, World } from '../guest/world.ts';
import type { StepContext } from '../port/evaluator.ts';
import type { Value } from '../port/values.ts';
import { KeptByText } from './kept-by-text.ts';
import { isPlain } from './plain-values.ts';

/** More than this is computed beside the event loop. */
const MOST_READS = 30_000;
const MOST_CHARACTERS = 1_000_000;
const DEEPEST_LIST = 50;
const MOST_TEMPLATES = 2_000;
const INDEX = /^(?:0|[1-9]\d*)$/;

const templates = new KeptByText<PlainTemplate | null>(MOST_TEMPLATES);

/** What is read is none of the plain things: the interpreter says what it gives. */
class NotPlain extends Error {
  override readonly name = 'NotPlain';
}

function jsonText(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // It is in itself, holds what JSON cannot say, or is too deep for V8.
    if (error instanceof TypeError || error instanceof RangeError) throw new NotPlain();
    throw error;
  }
}

function elementOf(list: readonly unknown[], key: string): unknown {
  if (key === 'length') return list.length;
  if (!INDEX.test(key)) throw new NotPlain();
  const found = list[Number(key)];
  // A hole becomes null on its way into the interpreter.
  if (found === undefined && Number(key) < list.length) throw new NotPlain();
  return found;
}

/** `value.key`; nothing of nothing, as expressions of the source leave such errors. */
function memberOf(value: unknown, key: string): unknown {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || !isPlain(value)) throw new NotPlain();
  if (Array.isArray(value)) return elementOf(value, key);
  const found = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  if (found === undefined && key in Object.prototype) throw new NotPlain();
  return found;
}

/** Evaluates plain templates for the items of one step. */
class PlainReader {
  readonly #world: World;
  #characters = 0;

  constructor({ facts, items, reader }: StepContext, matches: boolean) {
    const wish = { matches, earlierRuns: false };
    const lookAt = (name: string): NodeLook => reader.look(name, wish);
    this.#world = new World(facts, items, lookAt);
  }

  valueOf({ parts, isTemplate }: PlainTemplate, at: number): Value {
    try {
      const [only] = parts;
      if (!isTemplate && only !== undefined) return this.#value(this.#partOf(only, at));
      const value = parts.map((part) => this.#text(this.#partOf(part, at), 0)).join('');
      return { kind: 'json', value };
    } catch (error) {
      if (error instanceof OwnError) return { kind: 'failed', message: error.message };
      throw error;
    }
  }

  #partOf(part: PlainPart, at: number): unknown {
    if ('text' in part) return part.text;
    return 'read' in part ? this.#read(part.read, at) : part.constant;
  }

  #read(read: PlainRead, at: number): unknown {
    let value = this.#startOf(read, at);
    for (const key of read.path) value = memberOf(value, key);
    return value;
  }

  #startOf({ of, name, choice }: PlainRead, at: number): unknown {
    if (of === 'input') {
      const places = { item: at, first: 0, last: this.#world.count - 1 };
      return this.#world.item(places[choice]);
    }
    const step = new EarlierStep(this.#world, name, at);
    if (of === 'node') return step.byIndex();
    return choice === 'item' ? step.item : step[choice]();
  }

  #count(characters: number): void {
    this.#characters += characters;
    if (this.#characters > MOST_CHARACTERS) throw new NotPlain();
  }

  #value(found: unknown): Value {
    if (found === undefined) return { kind: 'undefined' };
    if (typeof found !== 'object' || found === null)
      return { kind: 'json', value: this.#primitive(found) };
    return { kind: 'json', value: this.#copy(found) };
  }

  /** What comes out is the receiver's own. */
  #copy(found: object): unknown {
    if (!isPlain(found)) throw new NotPlain();
    const text = jsonText(found);
    this.#count(text.length);
    return JSON.parse(text) as unknown;
  }

  #primitive(value: unknown): unknown {
    const isJson =
      value === null ||
      typeof value === 'string' ||
      typeof value === 'boolean' ||
      (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0));
    if (!isJson) throw new NotPlain();
    return value;
  }

  #text(value: unknown, depth: number): string {
    if (value === undefined || value === null) return '';
    if (typeof value !== 'object') {
      const text = String(this.#primitive(value));
      this.#count(text.length);
      return text;
    }
    if (!isPlain(value) || depth > DEEPEST_LIST) throw new NotPlain();
    if (!Array.isArray(value)) {
      if (Object.hasOwn(value, 'toString') || Object.hasOwn(value, 'valueOf')) throw new NotPlain();
      return '[object Object]';
    }
    this.#count(value.length);
    return Array.from(value, (one) => this.#text(one, depth + 1)).join(',');
  }
}

function isMatched(part: PlainPart): boolean {
  return 'read' in part && part.read.of === 'step' && part.read.choice === 'item';
}

/**
 * The values of expressions that only read, by item, without an interpreter: what it would give.
 * Null when one of them does more, when what is read is none of the plain things of JSON, or when
 * there is much of it.
 */
export function readPlainly(
  step: StepContext,
  expressions: readonly string[],
  places: readonly number[] = [...step.items.keys()],
): readonly (readonly Value[])[] | null {
  const plain: PlainTemplate[] = [];
  for (const text of expressions) {
    const template = templates.get(text, () => plainTemplate(text));
    if (template === null) return null;
    plain.push(template);
  }
  const parts = plain.flatMap((template) => template.parts);
  if (parts.length * places.length > MOST_READS) return null;
  const reader = new PlainReader(step, parts.some(isMatched));
  try {
    return places.map((at) => plain.map((template) => reader.valueOf(template, at)));
  } catch (error) {
    if (error instanceof NotPlain) return null;
    throw error;
  }
}
