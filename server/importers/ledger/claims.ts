import type { Json } from '../../kernel/json.ts';
import type { Value } from '../value.ts';
import type { Place } from './place.ts';
import type { LedgerScene } from './scene.ts';
import type { Verdict } from './survey.ts';

/** Where a reader puts a setting: places below the element's own in the draft, the first that holds it counts. */
export interface Claim {
  /** Names from the element on; `*` is any name or item. */
  readonly from: readonly string[];
  /** `$` stands for the name that the setting has. */
  readonly to: readonly (readonly string[])[];
  /** True: the reader puts it there in another form, which cannot be compared. */
  readonly vouched?: true;
}

/** One setting and the place in the draft that its reader gives it: `options.topP → extra.top_p`. */
export function claim(from: string, ...to: readonly string[]): Claim {
  return { from: keysOf(from), to: to.map(keysOf) };
}

/** {@link claim} of a setting that the draft has in another form. */
export function vouch(from: string, ...to: readonly string[]): Claim {
  return { ...claim(from, ...to), vouched: true };
}

function keysOf(path: string): string[] {
  return path === '' ? [] : path.split('.');
}

/** Claims by the way to their setting. */
export class ClaimTree {
  claim: Claim | undefined;
  private readonly children = new Map<string, ClaimTree>();

  constructor(claims: readonly Claim[] = []) {
    for (const one of claims) this.add(one, 0);
  }

  child(key: string | number): ClaimTree | undefined {
    return this.children.get(String(key)) ?? this.children.get('*');
  }

  private add(one: Claim, depth: number): void {
    const key = one.from[depth];
    if (key === undefined) {
      this.claim = one;
      return;
    }
    const child = this.children.get(key) ?? new ClaimTree();
    this.children.set(key, child);
    child.add(one, depth + 1);
  }
}

/** A text as its source reads it. */
export interface TextReading {
  /** The text, or the pieces around what is computed in it. */
  readonly pieces: readonly string[];
  readonly computed: boolean;
}

/** What claims of one element are checked against. */
export interface ClaimGround {
  readonly scene: LedgerScene;
  readonly places: readonly Place[];
  readonly read: (text: string) => TextReading;
  /** Cards that tell what its texts compute. */
  readonly computed: readonly number[];
}

function textIn(text: string, json: Json, { scene, read, computed }: ClaimGround) {
  const { pieces, computed: isComputed } = read(text);
  const words = pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
  const kept = words.map((piece) => scene.protector.scrub(piece));
  const whole = typeof json === 'string' ? json : String(json);
  if (kept.length === 0 || !kept.every((piece) => whole.includes(piece))) return undefined;
  if (isComputed) return computed.length === 0 ? undefined : ('translated' as const);
  if (kept.some((piece, i) => piece !== words[i])) return 'redacted' as const;
  const isExact = typeof json === 'string' || whole === words[0];
  return isExact ? ('translated' as const) : undefined;
}

/** True for a template that stands whole in one of the draft. */
function isPartOf(value: string, json: Json): boolean {
  const isTemplate = value.startsWith('=') && typeof json === 'string' && json.startsWith('=');
  return isTemplate && json.includes(value.slice(1));
}

/** What the draft has at a place that a reader named for a setting; undefined: not what it should. */
function checked(
  value: Value,
  key: string,
  draft: Place,
  claimed: Claim,
  ground: ClaimGround,
): Verdict | undefined {
  const json = ground.scene.at(draft);
  if (json === undefined) return undefined;
  const like = ground.scene.like(value, json, key);
  if (like !== 'other') return { fate: 'carried', form: like, draft };
  if (claimed.vouched === true) return { fate: 'carried', form: 'translated', draft };
  if (typeof value !== 'string') return undefined;
  if (isPartOf(value, json)) return { fate: 'carried', form: 'translated', draft };
  const form = textIn(value, json, ground);
  if (form === undefined) return undefined;
  const isComputed = ground.read(value).computed;
  return { fate: 'carried', form, draft, ...(isComputed ? { cards: ground.computed } : {}) };
}

/** The answer for a setting that a reader claims to have put into the draft. */
export function verify(
  claimed: Claim,
  value: Value,
  key: string,
  ground: ClaimGround,
): Verdict | undefined {
  for (const base of ground.places) {
    for (const to of claimed.to) {
      const place = base.at(to.map((name) => (name === '$' ? key : name)));
      const verdict = checked(value, key, place, claimed, ground);
      if (verdict !== undefined) return verdict;
    }
  }
  const isComputed = typeof value === 'string' && ground.read(value).computed;
  return isComputed && ground.computed.length > 0
    ? { fate: 'noted', cards: ground.computed }
    : undefined;
}
