import { t } from '../../../preload/texts/t.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import type { Portability } from '../../../server/contract/studio/artifacts.ts';

/** The one thing that removes a hindrance. */
export type Remedy =
  | 'open_gaps'
  | 'acknowledge'
  | 'assert_not_applicable'
  | 'new_artifact'
  | 'environments'
  | 'stages'
  | 'preflight'
  | 'freshness'
  | 'none';

/** A line of the export checklist. */
export interface CheckLine {
  readonly id:
    | 'analysis'
    | 'blocking'
    | 'manual'
    | 'portability'
    | 'environment'
    | 'governance'
    | 'credentials'
    | 'freshness';
  readonly ok: boolean;
  /** Good to know, and no hindrance. */
  readonly advice?: true;
  /** Not known yet. */
  readonly pending?: true;
  readonly title: string;
  readonly detail: string;
  readonly remedy: Remedy;
}

function analysisLine(artifact: AuthoredArtifact): CheckLine {
  const base = { id: 'analysis' as const, title: t('Source analysis') };
  switch (artifact.source_analysis_state) {
    case 'clear':
      return {
        ...base,
        ok: true,
        detail: t('The source left nothing blocking.'),
        remedy: 'none',
      };
    case 'attested':
      return { ...base, ok: true, detail: t('Every blocking gap is attested.'), remedy: 'none' };
    case 'not_applicable':
      return {
        ...base,
        ok: true,
        detail: t('Written here, so no source to analyse.'),
        remedy: 'none',
      };
    case 'blocked':
      return {
        ...base,
        ok: false,
        detail: t(
          'The draft is as it was imported; its blocking gaps want an edit and an attestation.',
        ),
        remedy: 'open_gaps',
      };
    case 'stale':
      return {
        ...base,
        ok: false,
        detail: t('What was attested no longer stands. Create a new artifact.'),
        remedy: 'new_artifact',
      };
    case 'unknown':
      return artifact.analysis_ids.length === 0
        ? {
            ...base,
            ok: false,
            detail: t('No analysis is known. Say that none is needed, then create a new artifact.'),
            remedy: 'assert_not_applicable',
          }
        : {
            ...base,
            ok: false,
            detail: t(
              'The draft was edited after its import; attest the remaining gaps, then create a new artifact.',
            ),
            remedy: 'open_gaps',
          };
  }
}

function portabilityText(portability: Portability | undefined): string {
  const blockers = portability?.blockers.length;
  if (blockers === undefined) {
    return t('Not known yet.');
  }
  return blockers === 0
    ? t('Nothing ties the spec to this computer; its platform offers every step that it names.')
    : t(
        '{count, plural, one {# place ties} other {# places tie}} the spec to this project. A bundle takes along what it can.',
        { count: blockers },
      );
}

/** What stands between an artifact and its export, in the order of the gate (studio.md 9.5). */
export function exportChecklist(
  artifact: AuthoredArtifact,
  portability: Portability | undefined,
): readonly CheckLine[] {
  const blocking = artifact.unresolved_blocking_gaps.length;
  const manual = artifact.unacknowledged_manual_gaps.length;
  const blockers = portability?.blockers ?? [];
  return [
    analysisLine(artifact),
    {
      id: 'blocking',
      ok: blocking === 0,
      title: t('Blocking gaps'),
      detail:
        blocking === 0
          ? t('None is open.')
          : t(
              '{count, plural, one {# gap is} other {# gaps are}} open. Fix each in the draft, attest it, then create a new artifact.',
              { count: blocking },
            ),
      remedy: blocking === 0 ? 'none' : 'open_gaps',
    },
    {
      id: 'manual',
      ok: manual === 0,
      title: t('Gaps to review'),
      detail:
        manual === 0
          ? t('All are acknowledged.')
          : t('{count, plural, one {# gap waits} other {# gaps wait}} for an acknowledgement.', {
              count: manual,
            }),
      remedy: manual === 0 ? 'none' : 'acknowledge',
    },
    {
      id: 'portability',
      ok: portability !== undefined && blockers.length === 0,
      title: t('Portability'),
      detail: portabilityText(portability),
      remedy: 'none',
    },
  ];
}

/** The first hindrance; undefined when export will be tried. */
export function firstHindrance(lines: readonly CheckLine[]): CheckLine | undefined {
  return lines.find(({ ok, advice }) => !ok && advice !== true);
}
