import { AsyncLocalStorage } from 'node:async_hooks';

/** Where a call stands in a trace, as headers of W3C Trace Context; empty = in none. */
export type TraceHeaders = Readonly<Record<string, string>>;

const NONE: TraceHeaders = {};
const current = new AsyncLocalStorage<TraceHeaders>();

/** Makes a call whose requests to the outside tell where they stand in a trace. */
export function withTrace<T>(headers: TraceHeaders, call: () => T): T {
  return current.run(headers, call);
}

/** What a request to the outside tells of its trace. */
export function traceHeaders(): TraceHeaders {
  return current.getStore() ?? NONE;
}
