/** One writer per project: two saves at one revision meet here, and exactly one finds it unchanged. */
export class ProjectLocks {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs `work` after everything that was asked for this project before. */
  async run<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(projectId) ?? Promise.resolve();
    const result = before.then(work, work);
    this.#tails.set(projectId, result);
    try {
      return await result;
    } finally {
      if (this.#tails.get(projectId) === result) this.#tails.delete(projectId);
    }
  }
}
