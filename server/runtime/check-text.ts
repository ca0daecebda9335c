import type { CheckText } from '../engine/effect.ts';
import { checkText, type GuardFinding, looksOf } from '../engine/guard-check.ts';

/** Work between two looks at the event loop. */
const SLICE_MS = 10;

function turnOfLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Performs a guardrail's looks in slices; rejects when the step or the run that asked is over. */
export async function performCheck(effect: CheckText, signal: AbortSignal): Promise<GuardFinding> {
  // Timers that are due come first: the limit of the step counts looks as well.
  await turnOfLoop();
  const looking = checkText(looksOf(effect), effect.text, effect.steps);
  let sliceEnd = performance.now() + SLICE_MS;
  for (;;) {
    const moment = looking.next();
    if (moment.done === true) return moment.value;
    if (performance.now() < sliceEnd) continue;
    await turnOfLoop();
    signal.throwIfAborted();
    sliceEnd = performance.now() + SLICE_MS;
  }
}
