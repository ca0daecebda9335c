/** Small values that belong to this window and survive a restart. Keys start with `sw:`. */
export interface LocalStore {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
  keys(): string[];
}

const PREFIX = 'sw:';

/** A store over `localStorage`; where it is missing or full, values last as long as the page. */
function createLocalStore(storage: Storage | undefined): LocalStore {
  const memory = new Map<string, string>();
  return {
    get: (key) => memory.get(key) ?? storage?.getItem(PREFIX + key) ?? null,
    set(key, value) {
      try {
        if (storage === undefined) {
          memory.set(key, value);
        } else {
          storage.setItem(PREFIX + key, value);
          memory.delete(key);
        }
      } catch {
        memory.set(key, value);
      }
    },
    remove(key) {
      memory.delete(key);
      storage?.removeItem(PREFIX + key);
    },
    keys() {
      const stored = Array.from({ length: storage?.length ?? 0 }, (_, i) => storage?.key(i) ?? '')
        .filter((key) => key.startsWith(PREFIX))
        .map((key) => key.slice(PREFIX.length));
      return [...new Set([...stored, ...memory.keys()])];
    },
  };
}

/** In safe mode the window begins without what it kept, and leaves it as it is. */
function ownStorage(): Storage | undefined {
  if (typeof window === 'undefined') return undefined;
  return new URLSearchParams(window.location.search).has('safe') ? undefined : window.localStorage;
}

/** The window's own store. */
export const localStore: LocalStore = createLocalStore(ownStorage());

/** Reads a JSON value written by `writeJson`; the fallback when absent, broken or of another shape. */
export function readJson<T>(key: string, isShape: (value: unknown) => value is T, fallback: T): T {
  const text = localStore.get(key);
  if (text === null) {
    return fallback;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isShape(value) ? value : fallback;
  } catch {
    return fallback;
  }
}

/** Stores a JSON value. */
export function writeJson(key: string, value: unknown): void {
  localStore.set(key, JSON.stringify(value));
}
