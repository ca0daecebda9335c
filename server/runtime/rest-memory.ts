import { performance } from 'node:perf_hooks';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';

// V8 collects when something is allocated. After a load nothing is, so garbage and the large young
// space would stay for as long as the process rests.

/** How the memory of a thread is watched. */
interface RestOptions {
  readonly lookMs: number;
  /** So many quiet looks one after the other are rest. */
  readonly quietLooks: number;
  /** Less than this is not worth a collection. */
  readonly worthMib: number;
  /** From one collection to the next, at least. */
  readonly betweenMs: number;
}

const USUAL: RestOptions = { lookMs: 2_000, quietLooks: 5, worthMib: 24, betweenMs: 30_000 };
/** The part of the time in which a quiet thread computes: what is left over from a load may go on. */
const QUIET = 0.3;
const MIB = 1024 * 1024;

type Collect = (options: { readonly type: 'major'; readonly execution: 'async' }) => Promise<void>;

function isCollect(value: unknown): value is Collect {
  return typeof value === 'function';
}

/** V8 gives its collector to a context that is made while the flag is set. */
function findCollect(): Collect | undefined {
  v8.setFlagsFromString('--expose-gc');
  const found: unknown = runInNewContext('gc');
  v8.setFlagsFromString('--no-expose-gc');
  return isCollect(found) ? found : undefined;
}

const heapMib = (): number => v8.getHeapStatistics().total_heap_size / MIB;

/**
 * Collects the garbage of this thread when it comes to rest after work, once for every growth of its
 * heap; V8 gives the freed pages back to the system some seconds later. The thread stands still for
 * it as in every whole collection. Answers what ends the watch.
 */
export function freeMemoryAtRest(options: RestOptions = USUAL): () => void {
  let before = performance.eventLoopUtilization();
  let quiet = 0;
  let kept = options.worthMib;
  let collect: Collect | undefined;
  let collecting = false;
  let last = Number.NEGATIVE_INFINITY;

  const free = async (): Promise<void> => {
    collect ??= findCollect();
    collecting = true;
    try {
      await collect?.({ type: 'major', execution: 'async' });
    } finally {
      kept = heapMib();
      last = performance.now();
      collecting = false;
    }
  };

  const look = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    quiet = utilization < QUIET ? quiet + 1 : 0;
    if (collecting || quiet < options.quietLooks) return;
    if (performance.now() - last < options.betweenMs) return;
    if (heapMib() - kept >= options.worthMib) void free();
  };

  const timer = setInterval(look, options.lookMs);
  timer.unref();
  return () => clearInterval(timer);
}
