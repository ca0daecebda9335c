import type { TraceChunk } from './trace-chunk.ts';
import type { SpanClock } from './trace-view.ts';

const LANES = 4;
/** Pages that were asked for last are kept whether or not a reader holds them. */
const KEPT_BYTES = 2 * 1024 * 1024;

/** A page that is read for readers who are behind, and the clock after it. */
export interface TracePageRead {
  readonly chunk: TraceChunk;
  readonly clock: SpanClock;
  /** What is after its events is on the next page, not missing from this one. */
  readonly isFull: boolean;
}

/** What pages belong to. */
type Owner = object;

/**
 * The pages that readers who are behind are given, each once however many are given it: those of the
 * last moments, and those that some reader still holds because it does not read on. Few are read at
 * once, since a page is held in several forms meanwhile.
 */
export class PageShelf {
  readonly #lanes: Promise<unknown>[] = Array.from({ length: LANES }, () => Promise.resolve());
  #next = 0;
  readonly #reading = new WeakMap<Owner, Map<number, Promise<TracePageRead>>>();
  readonly #held = new WeakMap<Owner, Map<number, WeakRef<TracePageRead>>>();
  /** In the order of their last use. */
  readonly #kept = new Set<TracePageRead>();
  #bytes = 0;

  /** The page of an owner that begins at a place; read once for whoever asks meanwhile. */
  page(owner: Owner, from: number, read: () => Promise<TracePageRead>): Promise<TracePageRead> {
    const kept = this.kept(owner, from);
    if (kept !== undefined) return Promise.resolve(kept);
    const reading = this.#reading.get(owner) ?? new Map<number, Promise<TracePageRead>>();
    this.#reading.set(owner, reading);
    const known = reading.get(from);
    if (known !== undefined) return known;
    const page = this.#inTurn(read).then((found) => {
      this.#keep(owner, from, found);
      return found;
    });
    reading.set(from, page);
    const over = (): void => void reading.delete(from);
    page.then(over, over);
    return page;
  }

  /** A page that was read before and is still here. */
  kept(owner: Owner, from: number): TracePageRead | undefined {
    const page = this.#held.get(owner)?.get(from)?.deref();
    if (page !== undefined) this.#use(page);
    return page;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const lane = this.#next;
    this.#next = (lane + 1) % LANES;
    const turn = Promise.resolve(this.#lanes[lane]).then(work);
    // Whoever asked hears of a failure; the lane goes on.
    this.#lanes[lane] = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }

  /** A page that is not full grows, so the next reader reads it anew. */
  #keep(owner: Owner, from: number, page: TracePageRead): void {
    if (!page.isFull) return;
    const held = this.#held.get(owner) ?? new Map<number, WeakRef<TracePageRead>>();
    this.#held.set(owner, held);
    held.set(from, new WeakRef(page));
    this.#use(page);
  }

  #use(page: TracePageRead): void {
    if (!this.#kept.delete(page)) this.#bytes += page.chunk.bytes;
    this.#kept.add(page);
    for (const oldest of this.#kept) {
      if (this.#bytes <= KEPT_BYTES) return;
      this.#kept.delete(oldest);
      this.#bytes -= oldest.chunk.bytes;
    }
  }
}
