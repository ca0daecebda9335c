/** What the system says of a file; a write of it changes some of that once the stamps are past. */
export interface FileState {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

interface Known extends FileState {
  readonly revision: string;
}

const MOST_FILES = 20_000;
const SECOND_NS = 1_000_000_000n;
/** Longer than the coarsest stamps are that show parts of a second. */
const FINE_NS = 100_000_000n;
/** Longer than the coarsest stamps are that there are: two seconds. */
const COARSE_NS = 3_000_000_000n;

/**
 * Whether a write from now on would give the file other stamps: one within the same tick of its file
 * system's clock would not.
 */
function isSettled({ mtimeNs, ctimeNs }: FileState, nowMs: number): boolean {
  const isFine = mtimeNs % SECOND_NS !== 0n && ctimeNs % SECOND_NS !== 0n;
  const latest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  return BigInt(nowMs) * 1_000_000n - latest > (isFine ? FINE_NS : COARSE_NS);
}

function isSame(known: FileState, seen: FileState): boolean {
  return (
    known.ctimeNs === seen.ctimeNs &&
    known.mtimeNs === seen.mtimeNs &&
    known.size === seen.size &&
    known.ino === seen.ino &&
    known.dev === seen.dev
  );
}

/** Revisions of files that need not be read again while they stand as they stood, by place. */
export class KnownRevisions {
  readonly #known = new Map<string, Known>();
  readonly #most: number;

  constructor(most = MOST_FILES) {
    this.#most = most;
  }

  /** Whether there is a use in looking at how the file stands. */
  has(place: string): boolean {
    return this.#known.has(place);
  }

  /** The revision of a file that stands so; undefined when it has to be read. */
  find(place: string, seen: FileState): string | undefined {
    const known = this.#known.get(place);
    return known !== undefined && isSame(known, seen) ? known.revision : undefined;
  }

  /**
   * Takes note of what was read, from a file seen so after `lookedAtMs` and before it was read. Not
   * of a file whose last write is so near that another may leave no trace.
   */
  keep(place: string, seen: FileState, revision: string, lookedAtMs: number): void {
    this.#known.delete(place);
    if (!isSettled(seen, lookedAtMs)) return;
    const { dev, ino, size, mtimeNs, ctimeNs } = seen;
    this.#known.set(place, { dev, ino, size, mtimeNs, ctimeNs, revision });
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#most && oldest !== undefined) this.#known.delete(oldest);
  }
}
