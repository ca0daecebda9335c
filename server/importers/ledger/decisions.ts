import { isJsonObject, type Json } from '../../kernel/json.ts';
import type { Value } from '../value.ts';
import type { Place } from './place.ts';
import type { LedgerScene } from './scene.ts';
import type { Verdict } from './survey.ts';

function textsOf(json: Json | undefined, out: Set<string> = new Set()): Set<string> {
  if (typeof json === 'string') out.add(json);
  else if (Array.isArray(json)) for (const item of json) textsOf(item, out);
  else if (isJsonObject(json)) for (const item of Object.values(json)) textsOf(item, out);
  return out;
}

/** The edge of the draft whose condition compares with one of these. */
function edgeWith(wanted: ReadonlySet<string>, ledger: LedgerScene): Place | undefined {
  for (const edge of ledger.flow.edges()) {
    const place = edge.below('condition');
    for (const text of textsOf(ledger.at(place))) if (wanted.has(text)) return place;
  }
  return undefined;
}

/**
 * What became of the settings of a decision without a step: conditions of edges, one of which
 * compares with one of `operands`, or its own card.
 */
export function decisionVerdict(
  id: string,
  operands: ReadonlySet<string>,
  ledger: LedgerScene,
): Verdict | undefined {
  const translated = ledger.cardsOf(id, ['condition_translated']);
  const draft = translated.length === 0 ? undefined : edgeWith(operands, ledger);
  if (draft !== undefined) return { fate: 'carried', form: 'translated', draft, cards: translated };
  const cards = ledger.cardsOf(id, ['expression']);
  return cards.length > 0 ? { fate: 'noted', cards } : undefined;
}

/** Texts under some names, wherever they stand in a value. */
export function textsUnder(
  value: Value,
  names: ReadonlySet<string>,
  read: (text: string) => string,
  out: Set<string> = new Set(),
): Set<string> {
  if (Array.isArray(value)) for (const item of value) textsUnder(item, names, read, out);
  if (!(value instanceof Map)) return out;
  for (const [key, item] of value) {
    if (typeof item !== 'string') textsUnder(item, names, read, out);
    else if (names.has(key) && read(item) !== '') out.add(read(item));
  }
  return out;
}
