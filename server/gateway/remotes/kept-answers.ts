/** Answers that count for a while; one that failed is asked for again by the next. */
export class KeptAnswers<Answer> {
  readonly #ms: number;
  readonly #kept = new Map<string, { readonly answer: Promise<Answer>; readonly until: number }>();

  constructor(ms: number) {
    this.#ms = ms;
  }

  get(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const kept = this.#kept.get(key);
    const now = performance.now();
    if (kept !== undefined && now < kept.until) return kept.answer;
    const answer = ask();
    this.#kept.set(key, { answer, until: now + this.#ms });
    answer.catch(() => this.#kept.delete(key));
    return answer;
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }
}
