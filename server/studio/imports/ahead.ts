type Made<T> =
  | { readonly isMade: true; readonly value: T }
  | { readonly isMade: false; readonly error: unknown };

/** A value that is made when there is time for it, at the latest when it is wanted. */
export class Ahead<T> {
  readonly #make: () => T;
  #made: Made<T> | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  /** Makes it now. Never throws: what stands in the way is told when the value is wanted. */
  begin(): void {
    this.#made ??= this.#try();
  }

  /** @throws what the making threw. */
  get value(): T {
    this.#made ??= this.#try();
    if (this.#made.isMade) return this.#made.value;
    throw this.#made.error;
  }

  #try(): Made<T> {
    try {
      return { isMade: true, value: this.#make() };
    } catch (error) {
      return { isMade: false, error };
    }
  }
}
