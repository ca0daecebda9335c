import { t } from '../../../../preload/texts/t.ts';
import type { SourceAnalysisState } from '../../../../server/contract/studio/artifact-view.ts';
import type {
  FreshnessOffer,
  FreshnessOutcome,
  LineageFreshnessView,
} from '../../../../server/contract/studio/freshness.ts';
import type { Tone } from '../../../ui/status-badge.tsx';

interface OutcomeWords {
  readonly label: string;
  readonly tone: Tone;
  /** One sentence on what it means. */
  readonly about: string;
}

/** What each outcome says, severest first (studio.md 15). */
export const OUTCOMES: Readonly<Record<FreshnessOutcome, OutcomeWords>> = {
  invalid: {
    label: t('damaged'),
    tone: 'danger',
    about: t('What was stored of an analysis is damaged, so nothing vouches for its gaps.'),
  },
  unordered: {
    label: t('not ordered'),
    tone: 'warning',
    about: t('A version of an analysis cannot be read, so nobody can say which one is the latest.'),
  },
  frozen_history: {
    label: t('superseded'),
    tone: 'warning',
    about: t('A later analysis of the same source exists, and the artifact does not carry it.'),
  },
  newer: {
    label: t('newer analyzer'),
    tone: 'warning',
    about: t('The analysis was made by a newer analyzer than this one.'),
  },
  unknown: {
    label: t('age unknown'),
    tone: 'warning',
    about: t('The age of the analysis is not known.'),
  },
  older: {
    label: t('older analyzer'),
    tone: 'info',
    about: t('The analysis was made by an older analyzer; importing again may find more.'),
  },
  edited_revision: {
    label: t('edited'),
    tone: 'info',
    about: t('The draft was edited after it was analysed.'),
  },
  current: { label: t('current'), tone: 'success', about: t('The analysis is current.') },
  no_inherited_analysis: {
    label: t('no analysis'),
    tone: 'neutral',
    about: t('No analysis was inherited, so there is nothing that could age.'),
  },
};

/** What following an offer does. */
export const OFFERS: Readonly<
  Record<FreshnessOffer['kind'], { readonly label: string; readonly about: string }>
> = {
  re_import: {
    label: t('Import again…'),
    about: t('Analyses the source anew. Your draft stays as it is.'),
  },
  open_successor: {
    label: t('Open the later analysis'),
    about: t('Shows the gaps that the later analysis found.'),
  },
  new_artifact: {
    label: t('New artifact'),
    about: t(
      'Freezes the draft as it is now, with every analysis that applies to it. This one stays.',
    ),
  },
  quarantine_surface: {
    label: t('See what is damaged'),
    about: t('Opens the damaged analysis and says what can be done.'),
  },
};

const BLOCKING: Readonly<Partial<Record<SourceAnalysisState, string>>> = {
  blocked: t('its draft is as it was imported, with blocking gaps'),
  unknown: t('nobody has settled its source analysis'),
  stale: t('what was attested no longer stands'),
};

/** What refuses the export, which freshness never does; undefined when the analysis does not. */
export function exportHindrance(readiness: string): string | undefined {
  return Object.entries(BLOCKING).find(([state]) => state === readiness)?.[1];
}

/** `n8n/strict` → the source and how it was converted. */
export function importerOf(importer: string): {
  readonly source: string;
  readonly conversion: 'extended' | 'strict';
} {
  const [source = importer, kind] = importer.split('/');
  return { source, conversion: kind === 'strict' ? 'strict' : 'extended' };
}

/** What the election inside a lineage came to, in words. */
export function electionText(lineage: LineageFreshnessView): string {
  if (!lineage.ordered) {
    return t('None is elected: a version among its analyses cannot be read.');
  }
  if (lineage.elected_analysis_id === null) {
    return t('None is elected: every analysis of it is damaged.');
  }
  return lineage.elected_in_frozen_set
    ? t('The artifact carries the elected analysis.')
    : t('The elected analysis was made after the artifact, which does not carry it.');
}
