import { useState } from 'react';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { notifyError } from '../../ui/notify.tsx';
import { composeStore } from '../../workbench/compose-request.ts';
import { writeOutput } from '../../workbench/output-store.ts';
import { attestHindrance, type GapCard, type GapContext } from './gap-model.ts';
import { acknowledge, adjudicate } from './gap-queries.ts';

export interface GapActions {
  readonly busy: boolean;
  acknowledge(card: GapCard): void;
  attest(card: GapCard): void;
  retract(card: GapCard): void;
  openEditor(card: GapCard): void;
  /** Opens the dialog that makes an artifact of the draft. */
  createArtifact(): void;
}

/** What can be done with a gap; each does nothing for a card that it does not fit. */
export function useGapActions(projectId: string, context: GapContext): GapActions {
  const [busy, setBusy] = useState(false);
  const { draft, artifact } = context;
  const perform = async (what: string, work: () => Promise<void>): Promise<void> => {
    if (busy) {
      return;
    }
    setBusy(true);
    try {
      await work();
      writeOutput({ level: 'info', message: what });
    } catch (error) {
      notifyError(`Not done: ${what}`, error);
    } finally {
      setBusy(false);
    }
  };
  const adjudicateAs = (card: GapCard, event: 'attest' | 'retract', what: string): void => {
    const revision = draft?.revision;
    if (draft !== undefined && revision !== null && revision !== undefined) {
      void perform(what, () =>
        adjudicate(projectId, card.gap, { path: draft.path, revision }, event),
      );
    }
  };
  return {
    busy,
    createArtifact: () => {
      if (draft?.revision !== undefined && draft.revision !== null) {
        composeStore.set({
          projectId,
          baseRef: draft.path,
          baseRevision: draft.revision,
          onCreated: ({ id }) =>
            navigateTo(
              paths.gaps(projectId, context.analysis.analysis_id, {
                ref: draft.path,
                artifact: id,
              }),
              { replace: true },
            ),
        });
      }
    },
    acknowledge: (card) => {
      if (card.gap.severity === 'manual' && card.standing === 'open' && artifact !== undefined) {
        void perform(`Acknowledged: ${card.gap.title}`, () =>
          acknowledge(projectId, artifact.id, card.gap),
        );
      }
    },
    attest: (card) => {
      const fits = card.gap.severity === 'blocking' && card.standing === 'open';
      if (fits && attestHindrance(draft) === undefined) {
        adjudicateAs(card, 'attest', `Attested: ${card.gap.title}`);
      }
    },
    retract: (card) => {
      if (card.standing === 'attested') {
        adjudicateAs(card, 'retract', `Retracted: ${card.gap.title}`);
      }
    },
    openEditor: (card) => {
      if (draft !== undefined) {
        navigateTo(
          paths.draft(projectId, draft.path, {
            ...(card.gap.spec_ref === null ? {} : { path: card.gap.spec_ref }),
          }),
        );
      }
    },
  };
}
