import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts';
import type { Card, CardTopic } from '../gaps/gap-stream.ts';
import { isWritable } from '../json-of.ts';
import { keptText } from '../kept-data.ts';
import type { Lowered } from '../lowering/lower.ts';
import type { Protector } from '../secrets.ts';
import type { Value } from '../value.ts';
import { DraftFlow } from './draft-flow.ts';
import { DRAFT, type Place } from './place.ts';

/** How a value of the source stands in the draft. */
export type Likeness = 'same' | 'redacted' | 'other';

const NO_CARDS: readonly number[] = [];

/** What a ledger is made from: the finished draft, its cards, and where each element went. */
export class LedgerScene {
  readonly cards: Card[];
  readonly protector: Protector;
  private readonly spec: JsonObject;
  private readonly lowered: Lowered;
  private readonly byElement = new Map<string, number[]>();
  private drawn: DraftFlow | undefined;

  constructor(lowered: Lowered, cards: readonly Card[], protector: Protector) {
    this.lowered = lowered;
    this.spec = lowered.spec;
    this.protector = protector;
    this.cards = [];
    for (const card of cards) this.tell(card);
  }

  /** Which step runs after which; read when it is asked for, as a flow of items mostly is not. */
  get flow(): DraftFlow {
    this.drawn ??= new DraftFlow(this.spec);
    return this.drawn;
  }

  /** Adds a card; answers its number. */
  tell(card: Card): number {
    const index = this.cards.push(card) - 1;
    const list = this.byElement.get(card.ref.source_id);
    if (list === undefined) this.byElement.set(card.ref.source_id, [index]);
    else list.push(index);
    return index;
  }

  /** Numbers of the cards of an element, those of some kinds or about something if asked for. */
  cardsOf(id: string, kinds?: readonly string[], about?: CardTopic): readonly number[] {
    const all = this.byElement.get(id);
    if (all === undefined) return NO_CARDS;
    if (kinds === undefined && about === undefined) return [...all];
    return all.filter((index) => {
      const card = this.cards[index];
      if (card === undefined) return false;
      return kinds?.includes(card.kind) === true || (about !== undefined && card.about === about);
    });
  }

  /** Where an element's components stand in the draft. */
  placesOf(id: string): readonly Place[] {
    return this.lowered.placesOf(id).map((keys) => DRAFT.at(keys));
  }

  /** What the step of an element runs; undefined for an element without a step. */
  runsOf(id: string): string | undefined {
    return this.lowered.runsOf(id);
  }

  /** In a flow of items: where the draft says what the step of an element is in the source. */
  entryOf(id: string): Place | undefined {
    const path = this.lowered.items?.entryOf(id) ?? this.lowered.toolEntryOf?.(id);
    return path && DRAFT.at(path);
  }

  /** In a flow of items: where the draft has a wire. */
  edgeOf(source: string, output: number, target: string, input: number): Place | undefined {
    const path = this.lowered.items?.edgeOf(source, output, target, input);
    return path && DRAFT.at(path);
  }

  at(place: Place): Json | undefined {
    if (place.parent === null) return this.spec;
    const above = this.at(place.parent);
    if (Array.isArray(above)) return typeof place.key === 'number' ? above[place.key] : undefined;
    if (!isJsonObject(above) || !Object.hasOwn(above, place.key)) return undefined;
    return above[place.key];
  }

  /** Compares a value with what the draft has in its place. */
  like(value: Value, json: Json | undefined, key: string): Likeness {
    if (json === undefined) return 'other';
    if (value instanceof Map) return this.likeMap(value, json);
    if (Array.isArray(value)) return this.likeList(value, json, key);
    if (typeof value === 'number' && !isWritable(value)) {
      return json === String(value) ? 'same' : 'other';
    }
    if (json === value) return 'same';
    if (typeof value !== 'string') return 'other';
    return json === keptText(this.protector)(key, value) ? 'redacted' : 'other';
  }

  private likeMap(value: ReadonlyMap<string, Value>, json: Json): Likeness {
    if (!isJsonObject(json) || Object.keys(json).length !== value.size) return 'other';
    let out: Likeness = 'same';
    for (const [key, part] of value) {
      const name = this.protector.scrub(key);
      const like = Object.hasOwn(json, name) ? this.like(part, json[name], key) : 'other';
      if (like === 'other') return 'other';
      if (like === 'redacted' || name !== key) out = 'redacted';
    }
    return out;
  }

  private likeList(value: readonly Value[], json: Json, key: string): Likeness {
    if (!Array.isArray(json) || json.length !== value.length) return 'other';
    let out: Likeness = 'same';
    for (const [i, part] of value.entries()) {
      const like = this.like(part, json[i], key);
      if (like === 'other') return 'other';
      if (like === 'redacted') out = 'redacted';
    }
    return out;
  }
}
