import type { ClaimTree, TextReading } from '../ledger/claims.ts';
import { DataPlan, none } from '../ledger/plans.ts';
import type { LedgerScene } from '../ledger/scene.ts';
import type { Owner, Plan, Verdict } from '../ledger/survey.ts';
import { type Wire, type WiredElement, Wires } from '../ledger/wires.ts';
import type { Value } from '../value.ts';
import type { ElementDocument } from './document.ts';

/** Told by cards, when there are any. */
export function told(cards: readonly number[]): Verdict | undefined {
  return cards.length > 0 ? { fate: 'noted', cards } : undefined;
}

/** What an element is: a part of the draft, else its gaps name it. */
export function identity(ledger: LedgerScene, id: string): Verdict {
  const [draft] = ledger.placesOf(id);
  if (draft !== undefined) return { fate: 'carried', form: 'translated', draft };
  return told(ledger.cardsOf(id)) ?? none('display_cache');
}

/** How the settings of an element are accounted for. */
export interface SettingsFacts {
  readonly claims: ClaimTree;
  readonly read: (text: string) => TextReading;
  readonly rule: (key: string, value: Value, beside: Value) => Verdict | undefined;
  readonly owner?: Owner;
}

/** Settings of one element: claimed, held by the function in its place, known to a rule, or left. */
export function settingsPlan(ledger: LedgerScene, id: string, facts: SettingsFacts): Plan {
  const places = ledger.placesOf(id);
  const kept = places[0]?.at(['input_schema', 'default']);
  const json = kept === undefined ? undefined : ledger.at(kept);
  const mirror = json === undefined || kept === undefined ? undefined : { json, place: kept };
  const ground = {
    what: 'parameter' as const,
    scene: ledger,
    places,
    read: facts.read,
    rule: facts.rule,
    computed: ledger.cardsOf(id, ['expression', 'run_input'], 'prompt'),
    secrets: ledger.cardsOf(id, ['inline_secret']),
  };
  const owner = facts.owner === undefined ? {} : { owner: facts.owner };
  return new DataPlan(ground, facts.claims, { mirror, ...owner });
}

/** The wires of a document, to be looked for in the flow of the draft. */
export function wiresOf(
  ledger: LedgerScene,
  doc: ElementDocument,
  isEntry: (type: string) => boolean,
): { readonly wires: Wires; readonly wireOf: (index: number) => Wire | undefined } {
  const all = doc.wires.map(
    ({ source, target, output }): Wire => ({
      source,
      target,
      names: [String(output)],
      passes: true,
    }),
  );
  const elements = new Map(
    doc.elements.map(({ id, ref, type }): [string, WiredElement] => [
      id,
      { ref, isEntry: isEntry(type), isOff: false },
    ]),
  );
  return { wires: new Wires(ledger, elements, all), wireOf: (index) => all[index] };
}
