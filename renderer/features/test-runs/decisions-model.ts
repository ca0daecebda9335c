/** A decision that a person can take on a task, with its exact effect (HumanResume of the platform). */
export interface Decision {
  readonly decision: 'approved' | 'rejected' | 'edited' | 'selected' | 'provided';
  readonly title: string;
  readonly effect: string;
  readonly main: boolean;
}

const APPROVE: Decision = {
  decision: 'approved',
  title: 'Approve',
  effect: 'The run goes on with the text that waits, unchanged.',
  main: true,
};
const REJECT: Decision = {
  decision: 'rejected',
  title: 'Reject',
  effect: 'The run goes on with “Rejected by human reviewer” and your text; it does not fail.',
  main: false,
};
const EDIT: Decision = {
  decision: 'edited',
  title: 'Send edited text',
  effect: 'The run goes on with your text, or with the one that waits when yours is empty.',
  main: false,
};
const SELECT: Decision = {
  decision: 'selected',
  title: 'Choose option',
  effect: 'The run goes on with the chosen option.',
  main: true,
};
const PROVIDE: Decision = {
  decision: 'provided',
  title: 'Send text',
  effect: 'The run goes on with your text, or with the one that waits when yours is empty.',
  main: true,
};

/** The decisions that fit a request type; an unknown type takes the ones of an approval. */
export function decisionsOf(requestType: string | null): readonly Decision[] {
  switch (requestType) {
    case 'selection':
      return [SELECT, REJECT];
    case 'freeform':
      return [PROVIDE, REJECT];
    case 'correction':
      return [{ ...EDIT, main: true }, REJECT];
    default:
      return [APPROVE, REJECT, EDIT];
  }
}
