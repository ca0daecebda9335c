import type { LedgerReason } from '../../ledger/ledger.ts';
import { decided, KEPT, members, none, noted } from '../../ledger/plans.ts';
import type { Plan } from '../../ledger/survey.ts';

/** A note on the canvas: its text is kept, its looks are not. */
export function notePlan(): Plan {
  const looks: Readonly<Record<string, LedgerReason>> = {
    color: 'colour',
    width: 'canvas_position',
    height: 'canvas_position',
  };
  return members('note', (key) => {
    const reason = looks[key];
    return reason === undefined ? noted('note', KEPT) : decided('note', none(reason));
  });
}
