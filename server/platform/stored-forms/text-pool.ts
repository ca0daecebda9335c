import { growthOf } from '../../kernel/grown-text.ts';
import { isJsonObject, isObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';

/** A text as it is kept: whole, or as an earlier one with something before or after it. */
export type PooledText =
  | string
  | { readonly of: number; readonly before: string; readonly after: string };

/** A value whose long texts stand in `texts`, each once; the value names them by their place. */
export interface Pooled {
  readonly texts: readonly PooledText[];
  readonly value: Json;
}

/** A shorter text is kept where it stands. */
const LONG_TEXT = 64;
/** How many of the last texts a new one may go on from. */
const LOOKED_BACK = 4;
/** Begins a text that names another; a text that really begins so is kept in the pool. */
const MARK = '\u0001';
/** How many characters of a text tell it from others before they are compared whole. */
const SAMPLES = 16;
/** How many texts of one sample are known; of more that differ elsewhere the last ones count. */
const ALIKE = 8;

/** A number from a text's length and some of its characters: hashing a long text reads all of it. */
function sampleOf(text: string): number {
  let sample = text.length;
  for (let at = 0; at < SAMPLES; at += 1) {
    const code = text.charCodeAt(Math.floor((at * text.length) / SAMPLES));
    sample = (Math.imul(sample, 31) + code) | 0;
  }
  return sample;
}

interface KnownText {
  readonly number: number;
  readonly text: string;
}

/**
 * Takes the long texts out of values that are stored one after another: what agents say to each
 * other stands in a thread, in memories, in messages and in the next step's input, and costs its
 * length once.
 */
export class TextPool {
  readonly #known = new Map<number, KnownText[]>();
  #count = 0;
  #last: KnownText[] = [];
  #fresh: PooledText[] = [];

  /** The same value with references in place of its long texts. */
  encode(value: Json): Json {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.encode(item));
    if (!isJsonObject(value)) return value;
    const out: JsonObject = {};
    for (const key of Object.keys(value)) {
      const item = value[key];
      if (item !== undefined) setOwn(out, key, this.encode(item));
    }
    return out;
  }

  /** The texts that came in since the last time; they belong before the values that name them. */
  take(): PooledText[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  #text(text: string): string {
    if (text.length < LONG_TEXT && !text.startsWith(MARK)) return text;
    return `${MARK}${this.#numberOf(text)}`;
  }

  #numberOf(text: string): number {
    const sample = sampleOf(text);
    const alike = this.#known.get(sample) ?? [];
    const known = alike.find((item) => item.text === text);
    if (known !== undefined) return known.number;
    const added = this.#add(text);
    this.#known.set(sample, [added, ...alike.slice(0, ALIKE - 1)]);
    return added.number;
  }

  #add(text: string): KnownText {
    const added: KnownText = { number: this.#count, text };
    this.#count += 1;
    this.#fresh.push(this.#grown(text) ?? text);
    this.#last = [added, ...this.#last.slice(0, LOOKED_BACK - 1)];
    return added;
  }

  #grown(text: string): PooledText | undefined {
    for (const { number: of, text: old } of this.#last) {
      const growth = old.length < LONG_TEXT ? undefined : growthOf(text, old);
      if (growth !== undefined) return { of, ...growth };
    }
    return undefined;
  }
}

/** Puts the texts back, in the order in which they were taken out. */
export class PooledTexts {
  readonly #texts: string[] = [];

  add(texts: unknown): void {
    if (!Array.isArray(texts)) return;
    for (const text of texts) this.#texts.push(this.#whole(text));
  }

  /** Every text that a pool took out before was given to `add`. */
  decode(value: unknown): unknown {
    if (typeof value === 'string') return this.#named(value);
    if (Array.isArray(value)) return value.map((item) => this.decode(item));
    if (!isObject(value)) return value;
    const out: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) setOwn(out, key, this.decode(item));
    return out;
  }

  #named(text: string): string {
    if (!text.startsWith(MARK)) return text;
    const found = this.#texts[Number(text.slice(MARK.length))];
    if (found === undefined) throw new RangeError('a stored text is missing');
    return found;
  }

  #whole(kept: unknown): string {
    if (typeof kept === 'string') return kept;
    if (!isObject(kept)) throw new TypeError('a stored text has no known form');
    const { of, before, after } = kept;
    return `${String(before)}${this.#texts[Number(of)] ?? ''}${String(after)}`;
  }
}

/** True for what {@link pooled} gives, after parsing. */
export function isPooled(stored: unknown): stored is Pooled {
  return isObject(stored) && Array.isArray(stored['texts']) && stored['value'] !== undefined;
}

/** One value by itself. */
export function pooled(value: Json): Pooled {
  const pool = new TextPool();
  const encoded = pool.encode(value);
  return { texts: pool.take(), value: encoded };
}

/** The value that {@link pooled} was given. */
export function unpooled({ texts, value }: Pooled): unknown {
  const known = new PooledTexts();
  known.add(texts);
  return known.decode(value);
}
