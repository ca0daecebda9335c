import { t } from '../../../preload/texts/t.ts';
import type { ArtifactFreshnessView } from '../../../server/contract/studio/freshness.ts';
import { toApiError } from '../../data/api-error.ts';
import { OUTCOMES } from './freshness/freshness-model.ts';
import type { CheckLine } from './readiness-model.ts';

/** Outcomes after which nothing could be done about the age of an analysis. */
const FINE = new Set<ArtifactFreshnessView['outcome']>(['current', 'no_inherited_analysis']);

/** How fresh the analyses are that an artifact carries: advice, which never refuses an export. */
export function freshnessLine(query: {
  readonly data: ArtifactFreshnessView | undefined;
  readonly error: unknown;
}): CheckLine {
  const base = { id: 'freshness' as const, title: t('Freshness'), remedy: 'none' as const };
  if (query.data === undefined) {
    const failed = query.error !== null && query.error !== undefined;
    return failed
      ? {
          ...base,
          ok: false,
          advice: true,
          detail: t('Not known: {message}', { message: toApiError(query.error).message }),
        }
      : { ...base, ok: false, pending: true, advice: true, detail: t('Being read.') };
  }
  const { outcome } = query.data;
  const { about, label } = OUTCOMES[outcome];
  const titled = { ...base, title: t('Freshness: {label}', { label }) };
  return FINE.has(outcome)
    ? { ...titled, ok: true, detail: about }
    : {
        ...titled,
        ok: false,
        advice: true,
        detail: t('{about} Export does not wait for it.', { about }),
        remedy: 'freshness',
      };
}
