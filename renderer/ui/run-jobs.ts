import { t } from '../../preload/texts/t.ts';
import { runAgain, stopRun, takeUpRun } from '../data/run-control.ts';
import type { BulkJob } from './bulk-dialog.tsx';
import type { BulkItem } from './bulk-work.ts';
import { shortRunId } from './short-id.ts';
import { statusText } from './status-badge.tsx';

/** Ends runs that are not over. */
export function stopJob(items: readonly BulkItem[]): BulkJob<BulkItem> {
  return {
    title: t('Stop {count, plural, one {# run} other {# runs}}?', { count: items.length }),
    about: t(
      'They end as cancelled, and open tasks of theirs disappear. This cannot be undone. Runs that are over by then stay as they are.',
    ),
    confirm: t('Stop runs'),
    isHarmful: true,
    sum: (done, all) =>
      t('{done, plural, one {# run} other {# runs}} of {all} stopped', { done, all }),
    again: (count) => t('Try {count, plural, one {# run} other {# runs}} again', { count }),
    items,
    work: async ({ id }, key) => statusText(await stopRun(id, key)),
  };
}

/** Takes failed and blocked runs up again where they stopped. */
export function continueJob(items: readonly BulkItem[]): BulkJob<BulkItem> {
  return {
    title: t('Continue {count, plural, one {# run} other {# runs}}?', { count: items.length }),
    about: t(
      'Each goes on from its last saved state: what had ended is kept, the step that failed is done again. One that waits for a person goes on with the default answer. A run that cannot go on says why.',
    ),
    confirm: t('Continue runs'),
    sum: (done, all) =>
      t('{done, plural, one {# run} other {# runs}} of {all} taken up again', { done, all }),
    again: (count) => t('Try {count, plural, one {# run} other {# runs}} again', { count }),
    items,
    work: async ({ id }, key) => statusText(await takeUpRun(id, key)),
  };
}

/** Starts runs once more with what they were given. */
export function againJob(items: readonly BulkItem[]): BulkJob<BulkItem> {
  return {
    title: t('Run {count, plural, one {# run} other {# runs}} again?', { count: items.length }),
    about: t(
      'Each starts as a new run from the first saved state of the old one, with the same input and the spec of that time. The old runs stay as they are. Steps with effects outside happen again.',
    ),
    confirm: t('Run again'),
    sum: (done, all) =>
      t('{done, plural, one {# run} other {# runs}} of {all} started again', { done, all }),
    again: (count) => t('Try {count, plural, one {# run} other {# runs}} again', { count }),
    items,
    work: async ({ id }, key) => t('as {run}', { run: shortRunId(await runAgain(id, key)) }),
  };
}
