import type { Value } from '../value.ts';
import type { LedgerForm, LedgerReason, LedgerWhat } from './ledger.ts';
import type { Place } from './place.ts';

/** What a survey says of one part, before gaps have ids. */
export type Verdict =
  | {
      readonly fate: 'carried';
      readonly form: Exclude<LedgerForm, 'note'>;
      readonly draft: Place;
      readonly cards?: readonly number[];
    }
  /** Kept as a note, and nothing to say about it. */
  | { readonly fate: 'kept' }
  /** Kept as a note, and told by cards that there are. */
  | { readonly fate: 'noted'; readonly cards: readonly number[] }
  /** Told by cards that there are. */
  | { readonly fate: 'told'; readonly cards: readonly number[] }
  /** Kept as a note, and told by the card of what is left of its owner. */
  | { readonly fate: 'left' }
  | { readonly fate: 'none'; readonly reason: LedgerReason };

/** Whose settings these are: an element, or the whole file. */
export interface Owner {
  /** Null for what is the whole file's. */
  readonly id: string | null;
  readonly label: string;
  /** Where its notes stand in the draft. */
  readonly note: Place;
}

/** How the parts of a value are looked at; the answers for a value whose plan says nothing are its parts'. */
export interface Plan {
  readonly what: LedgerWhat;
  /** The answer for the whole value; undefined: each part has its own. A leaf must be answered. */
  decide(value: Value): Verdict | undefined;
  child(key: string | number, value: Value): Plan;
  /** Set where the value belongs to somebody else than what holds it. */
  readonly owner?: Owner | undefined;
  /** Words for the eye in the place of the path; what has some is an entry of its own. */
  readonly label?: string | undefined;
}

/** A part of the document with its answer, or with parts that have different ones. */
export interface Surveyed {
  readonly key: string | number;
  readonly place: Place;
  readonly value: Value;
  readonly plan: Plan;
  readonly leaves: number;
  /** Entries that it takes in the ledger, long ones counted as several. */
  readonly entries: number;
  readonly verdict: Verdict | undefined;
  /** True: the answer is that of its parts, which have the same one. */
  readonly isJoined: boolean;
  readonly parts: readonly Surveyed[];
}

/** Calls with each part of a value; no pair is made for each, since documents have many. */
function eachPart(value: Value, visit: (key: string | number, part: Value) => void): void {
  if (value instanceof Map) {
    value.forEach((part, key) => {
      visit(key, part);
    });
  } else if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) visit(i, value[i] ?? null);
  }
}

/** True for a value without parts. */
export function isLeaf(value: Value): boolean {
  if (value instanceof Map) return value.size === 0;
  return !Array.isArray(value) || value.length === 0;
}

/** Number of leaves of a value. */
export function leavesOf(value: Value): number {
  if (typeof value !== 'object' || isLeaf(value)) return 1;
  let count = 0;
  eachPart(value, (_key, part) => {
    count += leavesOf(part);
  });
  return count;
}

/** Answers that give way to those of their neighbours: they may stand in a note as well. */
function isWeak(verdict: Verdict): boolean {
  return verdict.fate === 'none' && verdict.reason !== 'test_data';
}

function isNote(verdict: Verdict): boolean {
  return verdict.fate === 'left' || verdict.fate === 'kept' || verdict.fate === 'noted';
}

function sameCards(a: readonly number[] = [], b: readonly number[] = []): boolean {
  return a.length === b.length && a.every((card, i) => card === b[i]);
}

/** The place above, when each part is carried at the same key below it. */
function carriedTogether(parts: readonly Surveyed[]): Verdict | undefined {
  const first = parts[0]?.verdict;
  if (first?.fate !== 'carried') return undefined;
  const above = first.draft.parent;
  const isAligned = parts.every(({ key, verdict }) => {
    if (verdict?.fate !== 'carried' || verdict.form !== first.form) return false;
    const { draft, cards } = verdict;
    return draft.key === key && draft.parent === above && sameCards(cards, first.cards);
  });
  return isAligned && above !== null ? { ...first, draft: above } : undefined;
}

function isOfAnother({ plan }: Surveyed): boolean {
  return plan.owner !== undefined || plan.label !== undefined;
}

/** True when a part's answer is the leading one, or gives way to it. */
function isAsked(verdict: Verdict | undefined, lead: Verdict): boolean {
  if (verdict === undefined) return false;
  if (verdict.fate === 'none' && lead.fate === 'none') return verdict.reason === lead.reason;
  if (isWeak(verdict)) return true;
  if (verdict.fate !== lead.fate) return false;
  return verdict.fate !== 'noted' || lead.fate !== 'noted' || sameCards(verdict.cards, lead.cards);
}

/** One answer for all parts, when they have it. */
function together(parts: readonly Surveyed[]): Verdict | undefined {
  const strong = parts.find(({ verdict }) => verdict !== undefined && !isWeak(verdict));
  const lead = (strong ?? parts[0])?.verdict;
  if (lead === undefined || parts.some(isOfAnother)) return undefined;
  if (lead.fate === 'carried') return carriedTogether(parts);
  if (!isNote(lead) && lead.fate !== 'none') return undefined;
  return parts.every(({ verdict }) => isAsked(verdict, lead)) ? lead : undefined;
}

function whatsDiffer(parts: readonly Surveyed[], plan: Plan): boolean {
  return parts.some((part) => part.plan.what !== plan.what);
}

/** A usual path is shorter; one that is not counts as several entries. */
const USUAL_PATH = 400;

function weightOf(place: Place): number {
  return Math.max(1, Math.ceil(place.size / USUAL_PATH));
}

const NO_PARTS: readonly Surveyed[] = [];
const LEFT_OVER: Verdict = { fate: 'left' };

function told(
  key: string | number,
  value: Value,
  plan: Plan,
  place: Place,
  leaves: number,
  verdict: Verdict,
  isJoined: boolean,
): Surveyed {
  const entries = weightOf(place);
  return { key, place, value, plan, leaves, entries, verdict, isJoined, parts: NO_PARTS };
}

/** Looks at a value and everything in it; parts with one answer are one. */
export function survey(key: string | number, value: Value, plan: Plan, place: Place): Surveyed {
  const decided = plan.decide(value);
  if (decided !== undefined || isLeaf(value)) {
    const verdict = decided ?? LEFT_OVER;
    return told(key, value, plan, place, leavesOf(value), verdict, false);
  }
  const parts: Surveyed[] = [];
  let leaves = 0;
  let entries = 0;
  eachPart(value, (name, part) => {
    const surveyed = survey(name, part, plan.child(name, part), place.below(name));
    parts.push(surveyed);
    leaves += surveyed.leaves;
    entries += surveyed.entries;
  });
  const verdict = whatsDiffer(parts, plan) ? undefined : together(parts);
  if (verdict !== undefined) return told(key, value, plan, place, leaves, verdict, true);
  return { key, place, value, plan, leaves, entries, verdict, isJoined: false, parts };
}
