import { t } from '../../../preload/texts/t.ts';

/** Why a task is gone, by the status of its run; undefined where the run is not known. */
export function goneText(status: string | undefined): string {
  switch (status) {
    case undefined:
      return t('It was decided, its deadline has passed, or its run has ended.');
    case 'cancelled':
      return t('Its run was stopped, so nothing waits for an answer.');
    case 'expired':
      return t('Its deadline passed without an answer, and the run ended with it.');
    case 'timed_out':
      return t('Its run met its own deadline.');
    case 'blocked':
      return t('It was decided, and the run waits for something else now.');
    case 'failed':
      return t('It was decided, or its deadline has passed; the run failed since.');
    default:
      return t('Somebody decided it, and the run went on.');
  }
}
