const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Sets the bit that `[` and `{`, `]` and `}` differ in. */
const CURLY = 0x20;
const OPENS = 0x7b;
const CLOSES = 0x7d;

/** How much a JSON text may hold; reading one takes longer the more of each there is. */
export interface ShapeLimits {
  /** Lists and objects in one another: deeper ones exhaust the stack of whatever walks through. */
  readonly depth: number;
  /** What stands in all lists and objects. */
  readonly values: number;
  /** Different names of members: each costs as much as a hundred plain values. */
  readonly names: number;
}

/** Index of the quote that ends the text begun at `from`. */
function endOfText(json: Uint8Array, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** FNV-1a over a part of the bytes. */
function hashOf(json: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (json[at] ?? 0), 0x01000193);
  return hash;
}

/** A different name takes five bytes at least: `"a":0`, and a comma before it. */
const BYTES_A_NAME = 5;
/** Names are told apart by so much of them. */
const READ_OF_NAME = 256;

/** Counts what JSON text holds until it goes beyond a limit. */
class ShapeCount {
  readonly #json: Uint8Array;
  readonly #limits: ShapeLimits;
  readonly #names = new Set<number>();
  readonly #countsNames: boolean;
  #depth = 0;
  #values = 0;
  #textFrom = 0;
  #textTo = 0;

  constructor(json: Uint8Array, limits: ShapeLimits) {
    this.#json = json;
    this.#limits = limits;
    this.#countsNames = json.length > limits.names * BYTES_A_NAME;
  }

  /** What goes beyond its limit first; texts inside of the JSON do not count. */
  excess(): keyof ShapeLimits | undefined {
    const json = this.#json;
    for (let at = 0; at < json.length; at += 1) {
      const byte = json[at] ?? 0;
      if (byte === QUOTE) at = this.#passText(at);
      else if (byte === COMMA) this.#values += 1;
      else if (byte === COLON) this.#name();
      else if ((byte | CURLY) === OPENS) this.#open(at);
      else if ((byte | CURLY) === CLOSES) this.#depth -= 1;
      else continue;
      const beyond = this.#beyond();
      if (beyond !== undefined) return beyond;
    }
    return undefined;
  }

  #passText(from: number): number {
    this.#textFrom = from + 1;
    this.#textTo = endOfText(this.#json, from);
    return this.#textTo;
  }

  /** An empty list or object holds no value of its own. */
  #open(at: number): void {
    this.#depth += 1;
    if (((this.#json[at + 1] ?? 0) | CURLY) !== CLOSES) this.#values += 1;
  }

  #name(): void {
    if (!this.#countsNames) return;
    const to = Math.min(this.#textTo, this.#textFrom + READ_OF_NAME);
    this.#names.add(hashOf(this.#json, this.#textFrom, to) ^ (this.#textTo - this.#textFrom));
  }

  #beyond(): keyof ShapeLimits | undefined {
    if (this.#depth > this.#limits.depth) return 'depth';
    if (this.#values > this.#limits.values) return 'values';
    return this.#names.size > this.#limits.names ? 'names' : undefined;
  }
}

/** Which limit a JSON text goes beyond; undefined when it keeps all of them. */
export function shapeExcess(json: Uint8Array, limits: ShapeLimits): keyof ShapeLimits | undefined {
  const fewest = Math.min(limits.depth, limits.values, limits.names);
  return json.length <= fewest ? undefined : new ShapeCount(json, limits).excess();
}
