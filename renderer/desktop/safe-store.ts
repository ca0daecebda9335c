import { keptRecords } from './kept-records.ts';
import { localStore, readJson } from './local-store.ts';

/**
 * What must survive a killed window. The browser writes `localStorage` to disk when it finds the
 * time; records of its database are there when their write has ended. So a value goes to the
 * database, and to `localStorage` too when the page goes, where nothing can be waited for.
 */
interface Kept {
  readonly at: number;
  /** null = removed; kept, so that an older copy elsewhere does not come back. */
  readonly value: unknown;
}

const PREFIX = 'safe:';
const kept = new Map<string, Kept>();

/** What another window keeps is known here at once. */
const others = typeof indexedDB === 'undefined' ? undefined : new BroadcastChannel('safe-store');

function isKept(value: unknown): value is Kept {
  return (
    typeof value === 'object' &&
    value !== null &&
    'at' in value &&
    typeof value.at === 'number' &&
    'value' in value
  );
}

function isKeptOrNull(value: unknown): value is Kept | null {
  return value === null || isKept(value);
}

function takeNewer(key: string, entry: unknown): void {
  if (isKept(entry) && entry.at > (kept.get(key)?.at ?? Number.NEGATIVE_INFINITY)) {
    kept.set(key, entry);
  }
}

/** Reads what the previous window left. Await this before anything asks for a value. */
export async function loadSafeStore(): Promise<void> {
  others?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const [key, entry]: unknown[] = Array.isArray(data) ? data : [];
    if (typeof key === 'string') {
      takeNewer(key, entry);
    }
  });
  for (const [key, entry] of await keptRecords.entries(PREFIX)) {
    takeNewer(key.slice(PREFIX.length), entry);
  }
  for (const key of localStore.keys().filter((name) => name.startsWith(PREFIX))) {
    takeNewer(key.slice(PREFIX.length), readJson(key, isKeptOrNull, null));
  }
}

/** A kept value; undefined when there is none. */
export function readSafe(key: string): unknown {
  return kept.get(key)?.value ?? undefined;
}

/** The keys of kept values that begin so. */
export function safeKeys(prefix: string): string[] {
  return [...kept].flatMap(([key, { value }]) =>
    value !== null && key.startsWith(prefix) ? [key] : [],
  );
}

/**
 * Keeps a value; null removes it. With `leaving` it is also written where a page that is being left
 * can still write.
 */
export function writeSafe(key: string, value: unknown, leaving = false): void {
  if (value === null && kept.get(key)?.value === null) {
    return;
  }
  const entry: Kept = { at: Date.now(), value };
  kept.set(key, entry);
  void keptRecords.set(PREFIX + key, entry);
  others?.postMessage([key, entry]);
  if (leaving) {
    localStore.set(PREFIX + key, JSON.stringify(entry));
  }
}
