import type { CounterName, Metrics } from '../probes/metrics.ts';
import type { Counts } from './execution-protocol.ts';

/** Collects what counters gain, so that many runs of one turn of the loop cost one message. */
export interface CountBuffer {
  readonly add: Metrics['add'];
  /** Sends what was collected now. */
  flush(): void;
}

/** Sends at the end of the turn of the event loop, or when told to. */
export function createCountBuffer(send: (amounts: Counts) => void): CountBuffer {
  let amounts = new Map<CounterName, number>();
  let planned = false;
  const flush = (): void => {
    const collected = amounts;
    amounts = new Map();
    if (collected.size > 0) send(collected);
  };
  return {
    add(name, amount = 1) {
      amounts.set(name, (amounts.get(name) ?? 0) + amount);
      if (planned) return;
      planned = true;
      setImmediate(() => {
        planned = false;
        flush();
      });
    },
    flush,
  };
}
