import { t } from '../../../preload/texts/t.ts';
import { filterWords, type RunFilter, readRunFilter } from './run-filter-model.ts';

/** A filter as it is saved: the words of the service, so that other clients can read it. */
export function savedOfFilter(filter: RunFilter): Record<string, string | boolean> {
  const { errors, stuck, ...words } = filterWords(filter);
  return {
    ...words,
    ...(errors === undefined ? {} : { has_error: true }),
    ...(stuck === undefined ? {} : { stuck_only: true }),
  };
}

/** The filter that was saved; what this list does not know filters nothing. */
export function filterOfSaved(saved: Readonly<Record<string, unknown>>): RunFilter {
  const { has_error, stuck_only, ...words } = saved;
  return readRunFilter({ ...words, errors: has_error, stuck: stuck_only });
}

/** Filters that are always offered. */
export const PRESETS: readonly { readonly name: string; readonly filter: RunFilter }[] = [
  { name: t('Failed in the last 24 hours'), filter: { status: 'failed', since: '24h' } },
  { name: t('Waiting for a person'), filter: { status: 'blocked' } },
  { name: t('Stuck'), filter: { stuck: true } },
  { name: t('Most tokens'), filter: { sort: 'tokens' } },
];
