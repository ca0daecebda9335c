import { modals } from '@mantine/modals';
import { useEffect, useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import {
  type CompositionPlace,
  keepComposition,
  readComposition,
} from '../../../desktop/kept-compositions.ts';
import { type Composing, sameComposing } from './compose-model.ts';

/** What a page composes; kept until it is frozen, discarded, or again as the page began. */
export interface ComposingState {
  readonly composing: Composing;
  /** Whether something of it would be lost with it. */
  readonly changed: boolean;
  /** Grows when the texts of the page are replaced as a whole. */
  readonly round: number;
  change(next: (now: Composing) => Partial<Composing>): void;
  /** Goes back to how the page began, once that was confirmed. */
  discard(): void;
  /** It is frozen: there is nothing to keep any more. */
  finish(): void;
}

/** The composition of a page that begins as `beginning`, or goes on where somebody left it. */
export function useComposing(place: CompositionPlace, beginning: Composing): ComposingState {
  const { projectId, base, from } = place;
  const [composing, setComposing] = useState(() => readComposition(place) ?? beginning);
  const [finished, setFinished] = useState(false);
  const [round, setRound] = useState(0);
  const changed = !sameComposing(composing, beginning);
  useEffect(() => {
    const page = { projectId, base, from };
    const kept = finished || !changed ? null : composing;
    keepComposition(page, kept);
    const onLeave = (): void => keepComposition(page, kept, true);
    window.addEventListener('pagehide', onLeave);
    return () => window.removeEventListener('pagehide', onLeave);
  }, [projectId, base, from, composing, changed, finished]);
  return {
    composing,
    changed,
    round,
    change: (next) => setComposing((now) => ({ ...now, ...next(now) })),
    discard: () =>
      modals.openConfirmModal({
        title: t('Discard this composition?'),
        children: t(
          'Overlays, their order and overrides go back to how this page began. No file is changed.',
        ),
        labels: { confirm: t('Discard composition'), cancel: t('Keep composing') },
        confirmProps: { color: 'red' },
        onConfirm: () => {
          setComposing(beginning);
          setRound((now) => now + 1);
        },
      }),
    finish: () => {
      keepComposition({ projectId, base, from }, null);
      setFinished(true);
    },
  };
}
