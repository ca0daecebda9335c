import { t } from '../../../preload/texts/t.ts';
import type { ActivityEntry } from '../../../server/contract/studio/activity.ts';
import { csvText } from '../../ui/csv-text.ts';

/** Which rows of the activity are shown; what is empty decides nothing. */
export interface ActivityFilter {
  readonly actor: string;
  readonly action: string;
  readonly outcome: '' | ActivityEntry['outcome'];
  /** Hours back from now. */
  readonly hours: string;
}

export const NO_FILTER: ActivityFilter = { actor: '', action: '', outcome: '', hours: '' };

export const TIMES = [
  { value: '', label: t('at any time') },
  { value: '1', label: t('in the last hour') },
  { value: '24', label: t('in the last 24 hours') },
  { value: '168', label: t('in the last 7 days') },
  { value: '720', label: t('in the last 30 days') },
];

const HOUR_MS = 3_600_000;

/** The filter as the service reads it. */
export function activityQuery({ actor, action, outcome, hours }: ActivityFilter, nowMs: number) {
  return {
    ...(actor === '' ? {} : { actor }),
    ...(action === '' ? {} : { action }),
    ...(outcome === '' ? {} : { outcome }),
    ...(hours === '' ? {} : { since: new Date(nowMs - Number(hours) * HOUR_MS).toISOString() }),
  };
}

/** Rows as a file: all of each, with names beside the ids. */
export function activityText(
  entries: readonly ActivityEntry[],
  nameOf: (id: string) => string,
  format: 'csv' | 'jsonl',
): Promise<string> {
  if (format === 'jsonl') {
    const lines = entries.map((entry) =>
      JSON.stringify({ ...entry, display_name: nameOf(entry.principal_id) }),
    );
    return Promise.resolve(lines.map((line) => `${line}\n`).join(''));
  }
  return csvText(
    ['id', 'at', 'who', 'principal_id', 'action', 'outcome', 'run_id', 'detail'],
    entries.map((entry) => [
      entry.id,
      entry.at,
      nameOf(entry.principal_id),
      entry.principal_id,
      entry.action,
      entry.outcome,
      entry.run_id,
      JSON.stringify(entry.detail),
    ]),
  );
}

/** True when the filter leaves something out. */
export function isFiltered(filter: ActivityFilter): boolean {
  return Object.values(filter).some((value) => value !== '');
}
