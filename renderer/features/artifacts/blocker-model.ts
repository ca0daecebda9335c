import { t } from '../../../preload/texts/t.ts';
import type { AnalysisView } from '../../../server/contract/studio/analyses.ts';
import type { Portability } from '../../../server/contract/studio/artifacts.ts';

export type Blocker = Portability['blockers'][number];

/** Where a blocker can be removed. */
export type BlockerFix = 'line' | 'registry' | 'environments';

/** A blocker in words: what holds, what to do, and the places that help. */
export interface BlockerAdvice {
  readonly what: string;
  readonly todo: string;
  readonly fixes: readonly BlockerFix[];
}

function placed(blocker: Blocker, fixes: readonly BlockerFix[]): readonly BlockerFix[] {
  return blocker.spec_ref === null ? fixes : ['line', ...fixes];
}

function fileAdvice(blocker: Blocker): BlockerAdvice {
  return blocker.spec_ref?.endsWith('.implementation') === true
    ? {
        what: t('Names code'),
        todo: t(
          'Use a step that the platform offers, or bind a platform whose registry offers this name.',
        ),
        fixes: placed(blocker, ['environments']),
      }
    : {
        what: t('Names a file of this computer'),
        todo: t('Take the file out of the spec, or put what it holds into it.'),
        fixes: placed(blocker, []),
      };
}

/** What to do about a blocker. */
export function blockerAdvice(blocker: Blocker): BlockerAdvice {
  switch (blocker.code) {
    case 'registry_reference':
      return {
        what: t('Filled from the registry'),
        todo: t('Write the value out in the draft; elsewhere the registry may hold another one.'),
        fixes: placed(blocker, ['registry']),
      };
    case 'filesystem_dependency':
      return fileAdvice(blocker);
    case 'spec_path_reference':
      return {
        what: t('Names another spec of this project'),
        todo: t('Put what that file holds into this one.'),
        fixes: placed(blocker, []),
      };
    case 'unsupported_transport':
      return blocker.spec_ref === null
        ? {
            what: t('The binding shares files with its platform'),
            todo: t('Bind the alias to a platform over the network, then make a new artifact.'),
            fixes: ['environments'],
          }
        : {
            what: t('Starts a program on this computer'),
            todo: t('Reach the tools over HTTP.'),
            fixes: placed(blocker, []),
          };
  }
}

/** A gap of an analysis that is about the place of a blocker. */
export interface BlockerGap {
  readonly analysisId: string;
  readonly gapId: string;
}

/** `components.functions.x.implementation` → `components.functions.x`. */
function elementOf(path: string): string {
  return path.replace(/\.[^.]*$/, '');
}

/** The gap that is about what a blocker names; undefined when no source left one there. */
export function gapOf(blocker: Blocker, analyses: readonly AnalysisView[]): BlockerGap | undefined {
  const { spec_ref } = blocker;
  if (spec_ref === null) {
    return undefined;
  }
  const places = new Set([spec_ref, elementOf(spec_ref)]);
  for (const { analysis_id, gaps } of analyses) {
    const found = gaps.find((gap) => gap.spec_ref !== null && places.has(gap.spec_ref));
    if (found !== undefined) {
      return { analysisId: analysis_id, gapId: found.ref.gap_id };
    }
  }
  return undefined;
}
