/** What was made of texts, at most so many; what was made first goes first. */
export class KeptByText<Made> {
  readonly #made = new Map<string, Made>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(text: string, make: () => Made): Made {
    const found = this.#made.get(text);
    if (found !== undefined) return found;
    const made = make();
    const [oldest] = this.#made.keys();
    if (this.#made.size >= this.#most && oldest !== undefined) this.#made.delete(oldest);
    this.#made.set(text, made);
    return made;
  }
}
