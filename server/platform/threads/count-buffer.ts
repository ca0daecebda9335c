import type { CounterName, Metrics } from '../probes/metrics.ts';
import type { Counts, Timing } from './execution-protocol.ts';

/** Collects what metrics gain, so that many runs of one turn of the loop cost one message. */
export interface CountBuffer extends Pick<Metrics, 'add' | 'observe'> {
  /** Sends what was collected now. */
  flush(): void;
}

/** Sends at the end of the turn of the event loop, or when told to. */
export function createCountBuffer(
  send: (amounts: Counts, timings: readonly Timing[]) => void,
): CountBuffer {
  let amounts = new Map<CounterName, number>();
  let timings: Timing[] = [];
  let planned = false;
  const flush = (): void => {
    const [counted, timed] = [amounts, timings];
    amounts = new Map();
    timings = [];
    if (counted.size + timed.length > 0) send(counted, timed);
  };
  const plan = (): void => {
    if (planned) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      flush();
    });
  };
  return {
    add(name, amount = 1) {
      amounts.set(name, (amounts.get(name) ?? 0) + amount);
      plan();
    },
    observe(...timing) {
      timings.push(timing);
      plan();
    },
    flush,
  };
}
