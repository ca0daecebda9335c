import { isObject, type JsonObject } from '../../kernel/json.ts';
import { applyDelta, deltaOf, type ObjectDelta } from './json-delta.ts';
import { PooledTexts } from './text-pool.ts';

// How JSON that grows is stored, without a store. The room promises: what was put in comes out the
// same, and a long text costs its length once.

function isDelta(value: unknown): value is ObjectDelta {
  return isObject(value);
}

/** Reads changes in the order in which they were stored; one leg after another. */
export class StoredChanges {
  readonly #own: boolean;
  #texts = new PooledTexts();

  /** With `own` a value is used up by the change that follows it. */
  constructor({ own = false }: { readonly own?: boolean } = {}) {
    this.#own = own;
  }

  /** Takes in the texts that came with a stored change. */
  take(stored: unknown): void {
    if (!isObject(stored)) return;
    // A leg begins with a whole value and texts of its own.
    if (stored['full'] !== undefined) this.#texts = new PooledTexts();
    this.#texts.add(stored['texts']);
  }

  /**
   * What a stored change, whose texts are taken in, makes of the value before it; `only` these
   * members, when the value before it has no others either.
   */
  next(before: JsonObject, stored: unknown, only?: ReadonlySet<string>): JsonObject {
    if (!isObject(stored)) return before;
    const full = this.#delta(stored['full'], only);
    if (full !== undefined) return applyDelta({}, full);
    const delta = this.#delta(stored['delta'], only);
    return delta === undefined ? before : applyDelta(before, delta, this.#own);
  }

  /** Both at once. */
  apply(before: JsonObject, stored: unknown, only?: ReadonlySet<string>): JsonObject {
    this.take(stored);
    return this.next(before, stored, only);
  }

  #delta(stored: unknown, only: ReadonlySet<string> | undefined): ObjectDelta | undefined {
    if (stored === undefined) return undefined;
    const delta: unknown = this.#texts.decode(stored);
    if (!isDelta(delta)) return undefined;
    return only === undefined ? delta : deltaOf(delta, only);
  }
}
