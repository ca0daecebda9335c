import { DRAFT } from './place.ts';
import type { LedgerScene } from './scene.ts';
import type { Surveyed, Verdict } from './survey.ts';

/** Entries of a ledger; a file that needs more has parts told together. */
const MOST_ENTRIES = 20_000;
/** Parts of more entries than these are told as one, the first limit that is enough. */
const LIMITS = [200, 20, 1] as const;
const MOST_CARDS = 20;

function isWired(part: Surveyed): boolean {
  return part.plan.what === 'output' || part.plan.what === 'attachment';
}

function holdsOwner(part: Surveyed): boolean {
  return part.parts.some((inner) => inner.plan.owner !== undefined || holdsOwner(inner));
}

function cardsIn(part: Surveyed, out: Set<number>): Set<number> {
  const { verdict } = part;
  if (out.size >= MOST_CARDS) return out;
  if (verdict !== undefined && 'cards' in verdict) {
    for (const card of verdict.cards ?? []) if (out.size < MOST_CARDS) out.add(card);
  }
  for (const inner of part.parts) cardsIn(inner, out);
  return out;
}

/** One answer for wires with several: told by their cards when one is, else carried by the flow. */
function wiredVerdict(part: Surveyed, scene: LedgerScene): Verdict {
  const cards = [...cardsIn(part, new Set())];
  if (cards.length > 0) return { fate: 'told', cards };
  const draft = DRAFT.below('workflow');
  if (scene.at(draft) === undefined) return { fate: 'left' };
  return { fate: 'carried', form: 'translated', draft };
}

function grouped(part: Surveyed, limit: number, scene: LedgerScene): Surveyed {
  if (part.parts.length === 0 || part.entries <= limit) return part;
  if (!holdsOwner(part) && part.place.parent !== null) {
    const inner = isWired(part) ? wiredVerdict(part, scene) : ({ fate: 'left' } as const);
    const parts = part.parts.map((one) => grouped(one, limit, scene));
    const entries = parts.reduce((sum, one) => sum + one.entries, 0);
    if (entries <= limit) return { ...part, parts, entries };
    return { ...part, parts: [], entries: 1, verdict: inner };
  }
  const parts = part.parts.map((one) => grouped(one, limit, scene));
  return { ...part, parts, entries: parts.reduce((sum, one) => sum + one.entries, 0) };
}

/** A survey in bounds: where parts have too many different answers, they are kept as a note whole. */
export function withinBounds(part: Surveyed, scene: LedgerScene): Surveyed {
  let out = part;
  for (const limit of LIMITS) {
    if (out.entries <= MOST_ENTRIES) return out;
    out = grouped(out, limit, scene);
  }
  return out;
}
