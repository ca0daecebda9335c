import { runAgain, stopRun, takeUpRun } from '../data/run-control.ts';
import type { BulkJob } from './bulk-dialog.tsx';
import type { BulkItem } from './bulk-work.ts';
import { countText } from './count-text.ts';
import { shortRunId } from './short-id.ts';

function statusWords(status: string): string {
  return status.replaceAll('_', ' ');
}

function titleOf(verb: string, items: readonly BulkItem[], after = ''): string {
  return `${verb} ${countText(items.length, 'run')}${after}?`;
}

/** Ends runs that are not over. */
export function stopJob(items: readonly BulkItem[]): BulkJob<BulkItem> {
  return {
    title: titleOf('Stop', items),
    about:
      'They end as cancelled, and open tasks of theirs disappear. This cannot be undone. Runs that are over by then stay as they are.',
    confirm: 'Stop runs',
    isHarmful: true,
    noun: 'run',
    past: 'stopped',
    items,
    work: async ({ id }, key) => statusWords(await stopRun(id, key)),
  };
}

/** Takes failed and blocked runs up again where they stopped. */
export function continueJob(items: readonly BulkItem[]): BulkJob<BulkItem> {
  return {
    title: titleOf('Continue', items),
    about:
      'Each goes on from its last saved state: what had ended is kept, the step that failed is done again. One that waits for a person goes on with the default answer. A run that cannot go on says why.',
    confirm: 'Continue runs',
    noun: 'run',
    past: 'taken up again',
    items,
    work: async ({ id }, key) => statusWords(await takeUpRun(id, key)),
  };
}

/** Starts runs once more with what they were given. */
export function againJob(items: readonly BulkItem[]): BulkJob<BulkItem> {
  return {
    title: titleOf('Run', items, ' again'),
    about:
      'Each starts as a new run from the first saved state of the old one, with the same input and the spec of that time. The old runs stay as they are. Steps with effects outside happen again.',
    confirm: 'Run again',
    noun: 'run',
    past: 'started again',
    items,
    work: async ({ id }, key) => `as ${shortRunId(await runAgain(id, key))}`,
  };
}
