import type { LiveAnswer } from '../../contract/platform/run-stream.ts';
import { HeardAnswers, SaidAnswers } from './answer-pieces.ts';
import type { LiveAnswers } from './live-answers.ts';

// What models say is told by the node that executes the run to those at which somebody follows it. Who
// follows says so again and again; runs that nobody follows cost nothing, and a word that is lost makes
// no run wait.

/** How often a node says which runs are followed there. */
const RENEW_MS = 5_000;
/** A run is told of for so long after a node has said that it is followed there. */
const FOLLOWED_MS = 15_000;
/** What models say is told at most so often. */
const EVERY_MS = 100;

/** The way to other nodes. */
interface OtherNodes {
  followed(runIds: readonly string[], anew: boolean): void;
  answers(word: string): Promise<void>;
}

interface AnswersOverNodesOptions {
  /** Those of this process. */
  readonly local: LiveAnswers;
  readonly nodes: OtherNodes;
  /** Tells the threads of this process that somebody reads what models of the run say. */
  readonly mark: (runId: string) => () => void;
}

/** `LiveAnswers` that reach over the nodes of a store. */
export interface AnswersOverNodes extends LiveAnswers {
  /** Another node says that these runs are followed there. */
  heardFollowed(runIds: readonly string[], anew: boolean): void;
  /** Another node says what its models say. */
  heardAnswers(word: string): void;
  close(): void;
}

interface Elsewhere {
  readonly unmark: () => void;
  readonly timer: ReturnType<typeof setTimeout>;
}

class NodeAnswers implements AnswersOverNodes {
  readonly #options: AnswersOverNodesOptions;
  /** Readers here, by run. */
  readonly #here = new Map<string, number>();
  readonly #elsewhere = new Map<string, Elsewhere>();
  readonly #said = new SaidAnswers();
  readonly #heard = new HeardAnswers();
  /** The newest of each answer that was not said yet. */
  #waiting = new Map<string, { readonly runId: string; readonly answer: LiveAnswer }>();
  /** Runs of which something was lost. */
  readonly #lost = new Set<string>();
  #saying = false;
  #renewing: ReturnType<typeof setInterval> | undefined;
  #asking: ReturnType<typeof setTimeout> | undefined;

  constructor(options: AnswersOverNodesOptions) {
    this.#options = options;
  }

  tell(runId: string, answer: LiveAnswer): void {
    this.#options.local.tell(runId, answer);
    if (!this.#elsewhere.has(runId)) return;
    this.#waiting.set(`${runId} ${answer.call_id}`, { runId, answer });
    if (!this.#saying) void this.#say();
  }

  follow(runId: string, listener: (answer: LiveAnswer) => void): () => void {
    const { local, nodes } = this.#options;
    const leave = local.follow(runId, listener);
    this.#here.set(runId, (this.#here.get(runId) ?? 0) + 1);
    nodes.followed([runId], true);
    this.#renewing ??= setInterval(() => nodes.followed([...this.#here.keys()], false), RENEW_MS);
    return () => {
      leave();
      const left = (this.#here.get(runId) ?? 1) - 1;
      if (left > 0) {
        this.#here.set(runId, left);
        return;
      }
      this.#here.delete(runId);
      this.#heard.forget(runId);
      if (this.#here.size === 0) this.#stopRenewing();
    };
  }

  heardFollowed(runIds: readonly string[], anew: boolean): void {
    for (const runId of runIds) {
      if (anew) this.#said.forget(runId);
      const known = this.#elsewhere.get(runId);
      clearTimeout(known?.timer);
      const unmark = known?.unmark ?? this.#options.mark(runId);
      const timer = setTimeout(() => this.#forget(runId), FOLLOWED_MS);
      timer.unref();
      this.#elsewhere.set(runId, { unmark, timer });
    }
  }

  heardAnswers(word: string): void {
    const { told, lost } = this.#heard.read(word, (runId) => this.#here.has(runId));
    for (const { runId, answer } of told) this.#options.local.tell(runId, answer);
    if (lost.size === 0) return;
    for (const runId of lost) this.#lost.add(runId);
    // Several words of one moment are lost together.
    this.#asking ??= setTimeout(() => {
      this.#asking = undefined;
      const runIds = [...this.#lost].filter((runId) => this.#here.has(runId));
      this.#lost.clear();
      if (runIds.length > 0) this.#options.nodes.followed(runIds, true);
    }, EVERY_MS);
  }

  close(): void {
    this.#stopRenewing();
    clearTimeout(this.#asking);
    for (const runId of [...this.#elsewhere.keys()]) this.#forget(runId);
  }

  #stopRenewing(): void {
    clearInterval(this.#renewing);
    this.#renewing = undefined;
  }

  #forget(runId: string): void {
    const known = this.#elsewhere.get(runId);
    clearTimeout(known?.timer);
    known?.unmark();
    this.#elsewhere.delete(runId);
    this.#said.forget(runId);
  }

  /** Says what waits, one word after the other; what comes meanwhile is said by its newest. */
  async #say(): Promise<void> {
    this.#saying = true;
    while (this.#waiting.size > 0) {
      const told = [...this.#waiting.values()];
      this.#waiting = new Map();
      try {
        for (const word of this.#said.words(told)) await this.#options.nodes.answers(word);
      } catch {
        // The database does not answer now: what was lost is said from its beginning.
        for (const { runId } of told) this.#said.forget(runId);
      }
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    this.#saying = false;
  }
}

export function createAnswersOverNodes(options: AnswersOverNodesOptions): AnswersOverNodes {
  return new NodeAnswers(options);
}
