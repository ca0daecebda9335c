// How an entry is chosen in SQLite, which has one writer at a time.

/** Entries among which one is chosen. */
export const ENTRIES = 'run_queue';
/** One that is chosen is nobody else's. */
export const CHOSEN = '';
/** Begins a claim that counts what executes. */
export const COUNTING: string | undefined = undefined;
/** Takes the next entry of the queue that all are in at once, where nothing limits it. */
export const takeAtOnce = (): string | undefined => undefined;
