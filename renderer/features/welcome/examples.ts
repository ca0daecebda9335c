import invoiceReview from './examples/invoice-review.yaml?raw';
import researchBrief from './examples/research-brief.yaml?raw';
import supportHandoff from './examples/support-handoff.yaml?raw';

export interface Example {
  /** Name of the draft that is made from it. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly text: string;
}

/** Specs to start from; opening one makes a draft of it. */
export const EXAMPLES: readonly Example[] = [
  {
    name: 'invoice-review',
    title: 'Invoice review',
    about: 'A graph with a condition and an approval by a person',
    text: invoiceReview,
  },
  {
    name: 'research-brief',
    title: 'Research brief',
    about: 'Three agents in sequence, one with a retry',
    text: researchBrief,
  },
  {
    name: 'support-handoff',
    title: 'Support handoff',
    about: 'A conversation handed from specialist to specialist',
    text: supportHandoff,
  },
];
