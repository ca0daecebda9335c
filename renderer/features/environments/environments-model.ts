import { t } from '../../../preload/texts/t.ts';
import type { EnvironmentState, GenerationView } from '../../../server/contract/studio/bindings.ts';
import type { Tone } from '../../ui/status-badge.tsx';

/** A dialog of the page, and the alias that it is about. */
export type EnvironmentDialog =
  | { readonly kind: 'bind' }
  | { readonly kind: 'next' | 'registry'; readonly alias: string }
  | { readonly kind: 'retire'; readonly alias: string; readonly generation: number | null };

/** An alias with its generations, newest first. */
export interface AliasGroup {
  readonly alias: string;
  /** The one that answers for the alias; undefined when all are retired. */
  readonly live: GenerationView | undefined;
  readonly generations: readonly GenerationView[];
}

/** Aliases in use first, each group by name. */
export function aliasGroups(generations: readonly GenerationView[]): readonly AliasGroup[] {
  const groups = [...Map.groupBy(generations, ({ alias }) => alias)].map(([alias, list]) => ({
    alias,
    live: list.find(({ live }) => live),
    generations: list,
  }));
  return groups.toSorted(
    (a, b) =>
      Number(a.live === undefined) - Number(b.live === undefined) || a.alias.localeCompare(b.alias),
  );
}

/** What taking generations out of use means; `refused` when the service would not do it. */
export interface RetireEffect {
  readonly refused: string | undefined;
  readonly sentences: readonly string[];
}

/** What happens when a generation, or all of an alias (`null`), is retired. */
export function retireEffect(
  all: readonly GenerationView[],
  alias: string,
  generation: number | null,
): RetireEffect {
  const inUse = all.filter(({ retired_at }) => retired_at === null);
  const gone = inUse.filter(
    (row) => row.alias === alias && (generation === null || row.generation === generation),
  );
  if (gone.length === inUse.length) {
    return {
      refused: t('It is the last binding of the project. Bind another one first.'),
      sentences: [],
    };
  }
  const frozen = gone.reduce((sum, { artifacts }) => sum + artifacts, 0);
  const next = inUse.find((row) => row.alias === alias && !gone.includes(row));
  const answers = gone.some(({ live }) => live);
  const after =
    next === undefined
      ? t('Nothing new can use {alias}.', { alias })
      : t('Generation {generation} answers for {alias} again.', {
          generation: next.generation,
          alias,
        });
  return {
    refused: undefined,
    sentences: [
      ...(answers ? [after] : [t('{alias} itself stays as it is.', { alias })]),
      frozen === 0
        ? t('No artifact is frozen to it.')
        : t(
            '{count, plural, one {# artifact} other {# artifacts}} frozen to it can still be checked, run and exported there.',
            { count: frozen },
          ),
      t('It stays in the list, and cannot be taken into use again.'),
    ],
  };
}

interface StateLook {
  readonly tone: Tone;
  readonly text: string;
  /** What to do about it. */
  readonly remedy: 'rotate' | 'retry' | undefined;
}

const STATES: Readonly<Record<EnvironmentState['state'], StateLook>> = {
  reachable: { tone: 'success', text: t('Reachable'), remedy: undefined },
  unreachable: { tone: 'danger', text: t('Does not answer'), remedy: 'retry' },
  refused: { tone: 'danger', text: t('Refuses the key'), remedy: 'retry' },
  changed: { tone: 'warning', text: t('Another address'), remedy: 'rotate' },
  unavailable: { tone: 'danger', text: t('Profile missing'), remedy: 'rotate' },
};

/** How the state of a platform is shown. */
export function stateLook(state: EnvironmentState['state']): StateLook {
  return STATES[state];
}

/** What the two capability policies mean for a spec. */
export const POLICY_MEANING = {
  local: t(
    'local: code, files and addresses may be named; what cannot travel is told before export',
  ),
  strict: t('strict: code only through the registry, no files, only allowed hosts'),
} as const;
