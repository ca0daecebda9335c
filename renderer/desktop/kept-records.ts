/**
 * Larger values of this window that survive a reload, one for each key. Where the browser offers no
 * database, or it is full, values last as long as the page: nothing here is worth an error.
 */
export interface KeptRecords {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  /** Several at once: one write for all. False where they could not be kept. */
  setAll(entries: readonly (readonly [key: string, value: unknown])[]): Promise<boolean>;
  remove(key: string): Promise<void>;
  /** Removes every key that begins so. */
  removeAll(prefix: string): Promise<void>;
  /** The values whose keys begin so. */
  entries(prefix: string): Promise<readonly (readonly [key: string, value: unknown])[]>;
}

const DATABASE = 'specwright';
const STORE = 'records';

function outcome<T>(request: IDBRequest<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  request.addEventListener('success', () => resolve(request.result));
  request.addEventListener('error', () => reject(request.error));
  return promise;
}

/** Ends when the transaction's writes are where `durability` puts them. */
function completion(transaction: IDBTransaction): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  transaction.addEventListener('complete', () => resolve());
  transaction.addEventListener('abort', () => reject(transaction.error));
  return promise;
}

function openDatabase(factory: IDBFactory): Promise<IDBDatabase> {
  const request = factory.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(STORE));
  return outcome(request);
}

function rangeOf(prefix: string): IDBKeyRange {
  return IDBKeyRange.bound(prefix, `${prefix}\uffff`);
}

function createKeptRecords(factory: IDBFactory | undefined): KeptRecords {
  let opened: Promise<IDBDatabase> | undefined;
  const within = async <T>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T | undefined> => {
    if (factory === undefined) {
      return undefined;
    }
    try {
      opened ??= openDatabase(factory);
      const database = await opened;
      // A value counts as kept once it is on disk, not once the browser knows of it.
      const transaction = database.transaction(STORE, mode, { durability: 'strict' });
      const [result] = await Promise.all([
        outcome(work(transaction.objectStore(STORE))),
        completion(transaction),
      ]);
      return result;
    } catch {
      return undefined;
    }
  };
  return {
    get: (key) => within<unknown>('readonly', (store) => store.get(key)),
    set: async (key, value) => {
      await within('readwrite', (store) => store.put(value, key));
    },
    setAll: async (entries) => {
      const [[lastKey, lastValue] = [], ...others] = entries.toReversed();
      if (lastKey === undefined) {
        return true;
      }
      const key = await within('readwrite', (store) => {
        for (const [other, value] of others) {
          store.put(value, other);
        }
        return store.put(lastValue, lastKey);
      });
      return key !== undefined;
    },
    remove: async (key) => {
      await within('readwrite', (store) => store.delete(key));
    },
    removeAll: async (prefix) => {
      await within('readwrite', (store) => store.delete(rangeOf(prefix)));
    },
    entries: async (prefix) => {
      const keys = await within('readonly', (store) => store.getAllKeys(rangeOf(prefix)));
      const values = await within('readonly', (store) => store.getAll(rangeOf(prefix)));
      return (keys ?? []).map((key, at) => [String(key), values?.[at]] as const);
    },
  };
}

/** The window's own records. */
export const keptRecords: KeptRecords = createKeptRecords(
  typeof indexedDB === 'undefined' ? undefined : indexedDB,
);
