import { isJsonObject, type Json } from '../../kernel/json.ts';
import type { Value } from '../value.ts';
import { type ClaimGround, type ClaimTree, verify } from './claims.ts';
import type { LedgerReason, LedgerWhat } from './ledger.ts';
import type { Place } from './place.ts';
import { isLeaf, type Owner, type Plan, type Verdict } from './survey.ts';

/** True for what says nothing: null, an empty text, list or mapping. */
export function isEmptyLeaf(value: Value): boolean {
  return value === null || value === '' || (typeof value === 'object' && isLeaf(value));
}

export const EMPTY: Verdict = { fate: 'none', reason: 'empty' };
export const LEFT: Verdict = { fate: 'left' };
export const KEPT: Verdict = { fate: 'kept' };

const NONE = new Map<LedgerReason, Verdict>();

/** No run could use it, for a reason of the closed list. */
export function none(reason: LedgerReason): Verdict {
  const known = NONE.get(reason);
  if (known !== undefined) return known;
  const made: Verdict = { fate: 'none', reason };
  NONE.set(reason, made);
  return made;
}

interface Facts {
  readonly owner?: Owner;
  readonly label?: string;
}

class WholePlan implements Plan {
  readonly what: LedgerWhat;
  readonly owner: Owner | undefined;
  readonly label: string | undefined;
  readonly decide: (value: Value) => Verdict;

  constructor(what: LedgerWhat, decide: (value: Value) => Verdict, facts: Facts | undefined) {
    this.what = what;
    this.decide = decide;
    this.owner = facts?.owner;
    this.label = facts?.label;
  }

  child(): Plan {
    return this;
  }
}

/** One answer for a value and all in it. */
export function whole(what: LedgerWhat, decide: (value: Value) => Verdict, facts?: Facts): Plan {
  return new WholePlan(what, decide, facts);
}

class DecidedPlan implements Plan {
  readonly what: LedgerWhat;
  private readonly verdict: Verdict;

  constructor(what: LedgerWhat, verdict: Verdict) {
    this.what = what;
    this.verdict = verdict;
  }

  decide(): Verdict {
    return this.verdict;
  }

  child(): Plan {
    return this;
  }
}

/** An answer that is known when the plan is made. */
export function decided(what: LedgerWhat, verdict: Verdict): Plan {
  return new DecidedPlan(what, verdict);
}

/** What is kept as a note; empty values say nothing. */
export function noted(what: LedgerWhat, verdict: Verdict): Plan {
  return whole(what, (value) => (isEmptyLeaf(value) ? EMPTY : verdict));
}

type ChildPlan = (key: string | number, value: Value) => Plan;

class MembersPlan implements Plan {
  readonly what: LedgerWhat;
  readonly owner: Owner | undefined;
  readonly child: ChildPlan;

  constructor(what: LedgerWhat, child: ChildPlan, facts: Pick<Facts, 'owner'> | undefined) {
    this.what = what;
    this.child = child;
    this.owner = facts?.owner;
  }

  decide(value: Value): Verdict | undefined {
    if (isEmptyLeaf(value)) return EMPTY;
    return isLeaf(value) ? LEFT : undefined;
  }
}

/** The plans of the members of a mapping, or of the items of a list. */
export function members(what: LedgerWhat, child: ChildPlan, facts?: Pick<Facts, 'owner'>): Plan {
  return new MembersPlan(what, child, facts);
}

/** How the settings of one element are looked at. */
export interface DataGround extends ClaimGround {
  readonly what: LedgerWhat;
  /** Cards of credentials that were left out. */
  readonly secrets: readonly number[];
  /** What else is known of a setting; `beside` is what it stands in, an item has the name of its list. */
  readonly rule: (key: string, value: Value, beside: Value) => Verdict | undefined;
}

function partOf(json: Json | undefined, key: string | number): Json | undefined {
  if (Array.isArray(json)) return typeof key === 'number' ? json[key] : undefined;
  return isJsonObject(json) && Object.hasOwn(json, key) ? json[key] : undefined;
}

/** Where settings begin: what the draft has in their place, and whose they are. */
interface DataRoot {
  readonly mirror?: { readonly json: Json; readonly place: Place } | undefined;
  readonly owner?: Owner;
}

interface DataPart {
  readonly of: DataPlan;
  readonly key: string;
  readonly written: string | number;
}

/** Settings of an element: claimed by a reader, mirrored in the draft, of no meaning, or left. */
export class DataPlan implements Plan {
  readonly what: LedgerWhat;
  readonly owner: Owner | undefined;
  private readonly ground: DataGround;
  private readonly claims: ClaimTree | undefined;
  /** What the draft has in its place. */
  private readonly json: Json | undefined;
  private readonly key: string;
  private readonly beside: Value;
  /** Where that stands: the place itself, or the part of what holds it. */
  private readonly within: Place | DataPlan | undefined;
  private readonly written: string | number;
  /** True: something in it differs, so its parts are compared one by one. */
  private differs: boolean;
  private value: Value = null;

  constructor(ground: DataGround, claims: ClaimTree | undefined, from: DataRoot | DataPart) {
    this.what = ground.what;
    this.ground = ground;
    this.claims = claims;
    const part = 'of' in from ? from : undefined;
    this.key = part?.key ?? '';
    this.written = part?.written ?? '';
    this.beside = part?.of.value ?? null;
    this.differs = part?.of.differs ?? false;
    if ('of' in from) {
      this.within = from.of.within && from.of;
      this.json = partOf(from.of.json, from.written);
    } else {
      this.within = from.mirror?.place;
      this.json = from.mirror?.json;
      this.owner = from.owner;
    }
  }

  decide(value: Value): Verdict | undefined {
    this.value = value;
    const { ground, claims, key } = this;
    const claimed = claims?.claim && verify(claims.claim, value, key, ground);
    if (claimed !== undefined) return claimed;
    const mirrored = this.mirrored(value);
    if (mirrored !== undefined) return mirrored;
    if (isEmptyLeaf(value)) return EMPTY;
    return ground.rule(key, value, this.beside) ?? (isLeaf(value) ? LEFT : undefined);
  }

  child(key: string | number): Plan {
    const { ground, claims } = this;
    const isItem = typeof key === 'number';
    const written = isItem ? key : ground.scene.protector.scrub(key);
    const part = { of: this, key: isItem ? this.key : key, written };
    return new DataPlan(ground, claims?.child(key), part);
  }

  private mirrored(value: Value): Verdict | undefined {
    const { ground, key } = this;
    if (this.json === undefined || (this.differs && !isLeaf(value))) return undefined;
    const like = ground.scene.like(value, this.json, key);
    if (like === 'same') return { fate: 'carried', form: 'same', draft: this.place() };
    if (like === 'redacted' && isLeaf(value)) {
      return { fate: 'carried', form: 'redacted', draft: this.place(), cards: ground.secrets };
    }
    this.differs = true;
    return undefined;
  }

  /** Made when it is asked for, since most parts have no answer of their own. */
  private place(): Place {
    const { within, written } = this;
    if (within === undefined) throw new TypeError('nothing mirrors it');
    return within instanceof DataPlan ? within.placeOf(written) : within;
  }

  private placeOf(written: string | number): Place {
    this.inside ??= this.place();
    return this.inside.below(written);
  }

  /** Its place once a part asked for it, so that places of parts have one place above. */
  private inside: Place | undefined;
}
