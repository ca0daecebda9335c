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

/** One answer for a value and all in it. */
export function whole(
  what: LedgerWhat,
  decide: (value: Value) => Verdict,
  facts: { owner?: Owner; label?: string } = {},
): Plan {
  const plan: Plan = { what, decide, child: () => plan, ...facts };
  return plan;
}

/** What is kept as a note; empty values say nothing. */
export function noted(what: LedgerWhat, verdict: Verdict): Plan {
  return whole(what, (value) => (isEmptyLeaf(value) ? EMPTY : verdict));
}

/** The plans of the members of a mapping, or of the items of a list. */
export function members(
  what: LedgerWhat,
  child: (key: string | number, value: Value) => Plan,
  facts: { owner?: Owner } = {},
): Plan {
  return {
    what,
    decide: (value) => {
      if (isEmptyLeaf(value)) return EMPTY;
      return isLeaf(value) ? LEFT : undefined;
    },
    child,
    ...facts,
  };
}

/** How the settings of one element are looked at. */
export interface DataGround extends ClaimGround {
  readonly what: LedgerWhat;
  /** Cards of credentials that were left out. */
  readonly secrets: readonly number[];
  /** What else is known of a setting; `beside` is what it stands in, an item has the name of its list. */
  readonly rule: (key: string, value: Value, beside: Value) => Verdict | undefined;
}

interface Mirror {
  readonly json: Json | undefined;
  readonly place: Place;
  /** True: something in it differs, so its parts are compared one by one. */
  readonly differs: boolean;
}

function partOf(json: Json | undefined, key: string | number): Json | undefined {
  if (Array.isArray(json)) return typeof key === 'number' ? json[key] : undefined;
  return isJsonObject(json) && Object.hasOwn(json, key) ? json[key] : undefined;
}

/** Settings of an element: claimed by a reader, mirrored in the draft, of no meaning, or left. */
export class DataPlan implements Plan {
  readonly what: LedgerWhat;
  readonly owner?: Owner;
  private readonly ground: DataGround;
  private readonly claims: ClaimTree | undefined;
  private readonly key: string;
  private readonly beside: Value;
  private mirror: Mirror | undefined;
  private value: Value = null;

  constructor(
    ground: DataGround,
    claims: ClaimTree | undefined,
    mirror: { json: Json | undefined; place: Place } | undefined,
    at: { owner?: Owner; key?: string; beside?: Value; differs?: boolean } = {},
  ) {
    this.what = ground.what;
    this.ground = ground;
    this.claims = claims;
    this.mirror = mirror && { ...mirror, differs: at.differs === true };
    this.key = at.key ?? '';
    this.beside = at.beside ?? null;
    if (at.owner !== undefined) this.owner = at.owner;
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
    const { ground, claims, mirror, value } = this;
    const name = typeof key === 'number' ? this.key : key;
    const written = typeof key === 'number' ? key : ground.scene.protector.scrub(key);
    const inner = mirror && {
      json: partOf(mirror.json, written),
      place: mirror.place.below(written),
    };
    const differs = mirror?.differs === true;
    return new DataPlan(ground, claims?.child(key), inner, { key: name, beside: value, differs });
  }

  private mirrored(value: Value): Verdict | undefined {
    const { mirror, ground, key } = this;
    if (mirror === undefined || (mirror.differs && !isLeaf(value))) return undefined;
    const like = ground.scene.like(value, mirror.json, key);
    if (like === 'same') return { fate: 'carried', form: 'same', draft: mirror.place };
    if (like === 'redacted' && isLeaf(value)) {
      const cards = ground.secrets;
      return { fate: 'carried', form: 'redacted', draft: mirror.place, cards };
    }
    this.mirror = { ...mirror, differs: true };
    return undefined;
  }
}
