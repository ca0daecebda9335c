import type { Card } from '../gaps/gap-stream.ts';
import type { Lowered } from '../lowering/lower.ts';
import type { Protector } from '../secrets.ts';
import { type Account, type WrittenLedger, wholeCard, writeLedger } from './account.ts';
import type { LedgerEntry } from './ledger.ts';
import type { Outline } from './outline.ts';
import type { LedgerScene } from './scene.ts';
import type { Owner } from './survey.ts';
import { cardsOf, type DraftEntry } from './write-ledger.ts';

const NO_NAME = /[^\w-]+/;
/** The last name of a place, which cards of settings list. */
const LAST_NAME = /(?:^|\.)([^.[\]]+)(?:\[\d+\])*$/;

/** The card that tells what is left of an element: of all of it, or one that names the setting. */
function cardOfLeft(scene: LedgerScene, { id }: Owner, label: string): number | undefined {
  if (id === null) return undefined;
  const whole = wholeCard(scene, id);
  if (whole !== undefined) return whole;
  const cards = scene.cardsOf(id);
  if (scene.placesOf(id).length === 0) return cards[0];
  const name = LAST_NAME.exec(label)?.[1];
  if (name === undefined) return undefined;
  const isNamed = (detail: string): boolean => detail.split(NO_NAME).includes(name);
  return cards.find((card) => isNamed(scene.cards[card]?.detail ?? ''));
}

/**
 * Accounts for a source whose draft and gaps are given by the strict conversion (importers 6, 7):
 * nothing is added to either, so that what no gap tells is `lost`.
 */
export function strictAccountFor(
  outline: Outline,
  lowered: Lowered,
  cards: readonly Card[],
  protector: Protector,
): Account {
  const toldBy = (scene: LedgerScene, draft: DraftEntry, label: string): number[] => {
    const known = cardsOf(draft).filter((card) => card < cards.length);
    const isLeft = draft.verdict.fate === 'left';
    const left = isLeft ? cardOfLeft(scene, draft.owner, label) : undefined;
    return left === undefined || left >= cards.length ? known : [...known, left];
  };
  const settled = (
    { scene, writer }: WrittenLedger,
    draft: DraftEntry,
    ids: readonly string[],
  ): LedgerEntry => {
    const entry = writer.entryOf(draft, []);
    if (entry.fate === 'no_meaning') return entry;
    const told = toldBy(scene, draft, entry.label);
    const gaps = [...new Set(told.map((card) => ids[card] ?? ''))];
    if (entry.fate === 'carried' && draft.note === undefined) return { ...entry, gaps };
    const fate = gaps.length > 0 ? 'told' : 'lost';
    return { ...entry, fate, draft: null, form: null, gaps };
  };
  return {
    cards,
    entries: (ids) => {
      const written = writeLedger(outline, lowered, cards, protector);
      return written.writer.entries.map((draft) => settled(written, draft, ids));
    },
  };
}
