import { t } from '../../../preload/texts/t.ts';
import invoiceReview from './examples/invoice-review.yaml?raw';
import refundDesk from './examples/refund-desk.n8n.json?raw';
import researchBrief from './examples/research-brief.yaml?raw';
import supportHandoff from './examples/support-handoff.yaml?raw';

export interface Example {
  /** Name of the draft that is made from it. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly text: string;
}

/** An export of n8n to try an import with, as its editor saves it. */
export const SAMPLE_EXPORT = {
  name: 'refund-desk.json',
  size: refundDesk.length,
  text: refundDesk,
  problem: null,
} as const;

/** Specs to start from; opening one makes a draft of it. */
export const EXAMPLES: readonly Example[] = [
  {
    name: 'invoice-review',
    title: t('Invoice review'),
    about: t('A graph with a condition; a person decides at its end'),
    text: invoiceReview,
  },
  {
    name: 'research-brief',
    title: t('Research brief'),
    about: t('Two agents in sequence, then an editor'),
    text: researchBrief,
  },
  {
    name: 'support-handoff',
    title: t('Support handoff'),
    about: t('A conversation handed on, closed by the shift lead'),
    text: supportHandoff,
  },
];
