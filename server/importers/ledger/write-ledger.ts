import { type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import { holdsSecret, secretsInText } from '../../kernel/secrets-in-text.ts';
import { findHiddenSecrets } from '../hidden-secrets.ts';
import { jsonOf } from '../json-of.ts';
import { keptText } from '../kept-data.ts';
import { type Protector, protectorOf } from '../secrets.ts';
import { toldValue } from '../told-value.ts';
import type { Value } from '../value.ts';
import type { LedgerEntry } from './ledger.ts';
import type { Place } from './place.ts';
import { isEmptyLeaf } from './plans.ts';
import type { LedgerScene } from './scene.ts';
import type { Owner, Surveyed, Verdict } from './survey.ts';

/** A part that has an entry, before anything is written of it. */
export interface DraftEntry {
  readonly part: Surveyed;
  readonly verdict: Verdict;
  readonly owner: Owner;
  readonly top: Place;
  /** Set where only a note of the draft holds it: where that stands, and how. */
  readonly note: { readonly place: Place; readonly form: 'note' | 'redacted' } | undefined;
}

/** What of an entry its verdict says: its fate, and where and how the draft holds it. */
type Facts = Pick<LedgerEntry, 'fate' | 'draft' | 'form' | 'reason'>;

const TOLD: Facts = { fate: 'told', draft: null, form: null, reason: null };

/** The numbers of the cards that tell an entry. */
export function cardsOf({ verdict }: DraftEntry): readonly number[] {
  return ('cards' in verdict ? verdict.cards : undefined) ?? [];
}

/** What is left of an owner: the names of settings that no run uses. */
export interface LeftOver {
  readonly owner: Owner;
  readonly names: string[];
  /** The numbers among them, which an edit of the draft may take up. */
  readonly settings: { name: string; value: number }[];
}

/** Settings of one owner that are looked at for its card. */
const MOST_NAMED = 200;
const LONGEST_LABEL = 300;
/** Members of an element that hold its settings; their name says nothing. */
const OF_EDITOR: ReadonlySet<string> = new Set(['__rl', 'cachedResultName', 'cachedResultUrl']);
const BLOCKS: ReadonlySet<string> = new Set(['parameters', 'data']);

/** The value of a setting, for the card of what is left. */
function shown(key: string | number, value: Value): string {
  if (typeof value === 'object' || holdsSecret(String(key))) return '';
  const text = String(value);
  if (text.length > 60 || secretsInText(text).length > 0) return '';
  const told = toldValue(text);
  return told === undefined ? '' : ` = ${told}`;
}

/** Names a setting, and each one in it, with its value where that is short. */
function addSettings(left: LeftOver, name: string, key: string | number, value: Value): void {
  if (left.names.length >= MOST_NAMED || isEmptyLeaf(value) || OF_EDITOR.has(String(key))) return;
  if (value instanceof Map) {
    for (const [inner, part] of value) {
      addSettings(left, name === '' ? inner : `${name}.${inner}`, inner, part);
    }
    return;
  }
  left.names.push(`${name}${shown(key, value)}`);
  if (typeof value === 'number' && typeof key === 'string')
    left.settings.push({ name: key, value });
}

/** Writes the entries of a survey, and the notes that they speak of. */
export class LedgerWriter {
  readonly entries: DraftEntry[] = [];
  readonly left = new Map<Owner, LeftOver>();
  /** Notes by owner, in the order of the document. */
  readonly notes = new Map<Owner, Json>();
  private readonly scene: LedgerScene;

  constructor(scene: LedgerScene) {
    this.scene = scene;
  }

  /** Writes a part that belongs to an owner and stands at `note` among its notes; answers the note. */
  write(part: Surveyed, owner: Owner, top: Place, note: Place): Json | undefined {
    const own = part.plan.owner;
    if (own !== undefined && own !== owner) {
      const json = this.part(part, own, part.place, own.note);
      if (json !== undefined) this.notes.set(own, json);
      return undefined;
    }
    return this.part(part, owner, top, note);
  }

  private part(part: Surveyed, owner: Owner, top: Place, note: Place): Json | undefined {
    const { verdict } = part;
    if (verdict !== undefined) return this.decided(part, verdict, owner, top, note);
    return Array.isArray(part.value)
      ? this.list(part, owner, top, note)
      : this.mapping(part, owner, top, note);
  }

  private list(part: Surveyed, owner: Owner, top: Place, note: Place): Json | undefined {
    const out: Json[] = [];
    for (const inner of part.parts) {
      const json = this.write(inner, owner, top, note.below(out.length));
      if (json !== undefined) out.push(json);
    }
    return out.length === 0 ? undefined : out;
  }

  private mapping(part: Surveyed, owner: Owner, top: Place, note: Place): Json | undefined {
    const out: JsonObject = {};
    for (const inner of part.parts) {
      const name = this.freeName(out, String(inner.key));
      const json = this.write(inner, owner, top, note.below(name));
      if (json !== undefined) setOwn(out, name, json);
    }
    return Object.keys(out).length === 0 ? undefined : out;
  }

  private freeName(taken: JsonObject, key: string): string {
    const name = this.scene.protector.scrub(key);
    let free = name;
    for (let i = 2; Object.hasOwn(taken, free); i += 1) free = `${name}_${i}`;
    return free;
  }

  private decided(
    part: Surveyed,
    verdict: Verdict,
    owner: Owner,
    top: Place,
    note: Place,
  ): Json | undefined {
    switch (verdict.fate) {
      case 'none':
      case 'told':
      case 'carried':
        this.entries.push({ part, verdict, owner, top, note: undefined });
        return undefined;
      default:
        return this.noted(part, verdict, owner, top, note);
    }
  }

  /** Parts that stand together may stand beside others in the draft. */
  private formOf(part: Surveyed, verdict: Extract<Verdict, { fate: 'carried' }>) {
    const isCut = verdict.draft.shown !== verdict.draft;
    if (verdict.form === 'translated' || isCut) return 'translated';
    if (verdict.form === 'same' && !part.isJoined) return 'same';
    const like = this.scene.like(part.value, this.scene.at(verdict.draft), String(part.key));
    return like === 'other' ? 'translated' : like;
  }

  private noted(
    part: Surveyed,
    verdict: Extract<Verdict, { fate: 'left' | 'kept' | 'noted' }>,
    owner: Owner,
    top: Place,
    note: Place,
  ): Json | undefined {
    const [json, form] = this.noteOf(part);
    this.entries.push({ part, verdict, owner, top, note: { place: note, form } });
    if (verdict.fate === 'left') {
      const left = this.left.get(owner) ?? { owner, names: [], settings: [] };
      const isBlock = part.place.parent === top && BLOCKS.has(String(part.key));
      addSettings(left, isBlock ? '' : this.label(part, owner, top), part.key, part.value);
      this.left.set(owner, left);
    }
    return json;
  }

  /** The value as it is kept, and whether something was taken out of it. */
  private noteOf({ value, key }: Surveyed): readonly [Json, 'note' | 'redacted'] {
    const found = findHiddenSecrets(value, '').map((hit) => hit.text);
    const inKeys = typeof key === 'string' ? secretsInText(key) : [];
    const more = found.length + inKeys.length > 0 ? protectorOf([...found, ...inKeys]) : undefined;
    const scrub = (text: string): string => {
      const safe = this.scene.protector.scrub(text);
      return more === undefined ? safe : more.scrub(safe);
    };
    let isRedacted = false;
    const protector: Pick<Protector, 'scrub'> = {
      scrub: (text) => {
        const safe = scrub(text);
        isRedacted ||= safe !== text;
        return safe;
      },
    };
    const kept = keptText({ ...this.scene.protector, ...protector });
    const rule = (name: string, text: string): string | undefined => {
      const safe = kept(name, text);
      isRedacted ||= safe !== text;
      return safe;
    };
    const json = jsonOf(value, rule, String(key), protector.scrub);
    return [json ?? null, isRedacted ? 'redacted' : 'note'];
  }

  private label(part: Surveyed, owner: Owner, top: Place): string {
    if (part.plan.label !== undefined) return part.plan.label;
    const path = part.place.textBelow(top);
    for (const block of BLOCKS) {
      if (path.startsWith(block) && path[block.length] === '.') return path.slice(block.length + 1);
    }
    return path === '' ? owner.label : path;
  }

  private factsOf({ part, verdict, note }: DraftEntry): Facts {
    if (note !== undefined) {
      const fate = verdict.fate === 'kept' ? 'carried' : 'told';
      return { fate, draft: note.place.shown.text, form: note.form, reason: null };
    }
    if (verdict.fate === 'none') return { ...TOLD, fate: 'no_meaning', reason: verdict.reason };
    if (verdict.fate !== 'carried') return TOLD;
    const form = this.formOf(part, verdict);
    return { fate: 'carried', draft: verdict.draft.shown.text, form, reason: null };
  }

  /** The entry as the ledger has it, told by these gaps. */
  entryOf(draft: DraftEntry, gaps: string[]): LedgerEntry {
    const { part, owner, top } = draft;
    const { idle, scrub } = this.scene.protector;
    const label = this.label(part, owner, top);
    const shown =
      label.length <= LONGEST_LABEL ? label : label.slice(0, LONGEST_LABEL).toWellFormed();
    const { fate, draft: place, form, reason } = this.factsOf(draft);
    return {
      locator: idle ? part.place.text : scrub(part.place.text),
      what: part.plan.what,
      element: owner.id,
      label: idle ? shown : scrub(shown),
      fate,
      draft: place,
      form,
      gaps,
      reason,
      leaves: part.leaves,
    };
  }
}
