import { isJsonObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import type { SourceRef } from '../analysis.ts';
import type { Card } from '../gaps/gap-stream.ts';
import type { Lowered } from '../lowering/lower.ts';
import type { Protector } from '../secrets.ts';
import { withinBounds } from './bounds.ts';
import type { LedgerEntry } from './ledger.ts';
import type { Outline } from './outline.ts';
import { SOURCE } from './place.ts';
import { LedgerScene } from './scene.ts';
import { type Owner, survey } from './survey.ts';
import { cardsOf, type DraftEntry, LedgerWriter, type LeftOver } from './write-ledger.ts';

const MOST_NAMES = 12;
const LONGEST_NAME = 80;
/** Kinds that tell an element as a whole, so that what is left of it belongs into the same card. */
const WHOLE: ReadonlySet<string> = new Set([
  'entry_mechanism_not_carried',
  'deactivated_node',
  'tool_without_backing',
  'external_service',
  'memory',
  'containment_not_carried',
  'deterministic_tool',
  'proprietary_node',
  'ambiguous_binding',
]);

/** The account of a source, and what it adds to draft and cards. */
export interface Account {
  /** All cards: those that there were, some of them longer, and those of what is left. */
  readonly cards: readonly Card[];
  /** What the draft keeps as notes; undefined when it keeps none. */
  readonly imported?: JsonObject;
  /** The ledger, once each card has its gap. */
  entries(gapIds: readonly string[]): LedgerEntry[];
}

function cut(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1)}…`.toWellFormed();
}

function namesOf({ names }: LeftOver): string {
  const shown = names.slice(0, MOST_NAMES).map(cut).join(', ');
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}

/** The card that tells an element as a whole, when it asks for something. */
export function wholeCard(scene: LedgerScene, id: string): number | undefined {
  return scene.cardsOf(id).find((index) => {
    const card = scene.cards[index];
    if (card === undefined) return false;
    const { kind, severity, about } = card;
    const isManual = kind === 'carried_as' && severity === 'manual' && about === undefined;
    return WHOLE.has(kind) || isManual;
  });
}

/**
 * Adds what is left of an owner to its own card, or tells it by one more. The card of a call is told
 * anew when the called workflow is found, so it stays as it is.
 */
function tellLeft(scene: LedgerScene, left: LeftOver, ref: SourceRef, isCall: boolean): number {
  const { owner } = left;
  const kept = owner.note.shown.text;
  const index = owner.id === null || isCall ? undefined : wholeCard(scene, owner.id);
  const card = index === undefined ? undefined : scene.cards[index];
  if (index !== undefined && card !== undefined) {
    const detail = `${card.detail} No run uses its settings ${namesOf(left)}; they are kept under ${kept}.`;
    scene.cards[index] = {
      ...card,
      detail,
      settings: [...(card.settings ?? []), ...left.settings],
    };
    return index;
  }
  const whose = owner.id === null ? 'the workflow' : `"${owner.label}"`;
  const detail = `No run uses these settings of ${whose}: ${namesOf(left)}. They are kept under ${kept}.`;
  const { settings } = left;
  const kind = 'parameters_not_carried';
  return scene.tell({ ref, kind, provenance: 'authored', detail, settings });
}

function refOf(owner: Owner, outline: Outline): SourceRef {
  if (owner.id === null) return outline.file;
  return outline.refOf(owner.id);
}

/** Puts the notes of each owner where its entries say they are. */
function notesOf(writer: LedgerWriter, outline: Outline): JsonObject {
  const imported: JsonObject = { from: outline.source };
  for (const [owner, json] of writer.notes) {
    const section = String(owner.note.parent?.key ?? '');
    const head = owner.id === null ? {} : outline.headOf(owner.id);
    const note: Json = isJsonObject(json) ? { ...head, ...json } : json;
    if (owner.id === null) setOwn(imported, String(owner.note.key), note);
    else {
      const known = imported[section];
      const block: JsonObject = isJsonObject(known) ? known : {};
      setOwn(block, String(owner.note.key), note);
      imported[section] = block;
    }
  }
  return imported;
}

/** What became of each part of a source, as far as draft and cards say. */
export interface WrittenLedger {
  readonly scene: LedgerScene;
  readonly writer: LedgerWriter;
}

/** Looks for every part of a source in its finished draft. */
export function writeLedger(
  outline: Outline,
  lowered: Lowered,
  cards: readonly Card[],
  protector: Protector,
): WrittenLedger {
  const scene = new LedgerScene(lowered, cards, protector);
  const plan = outline.plan(scene);
  const surveyed = withinBounds(survey('', outline.root, plan, SOURCE), scene);
  const writer = new LedgerWriter(scene);
  const owner = plan.owner;
  if (owner === undefined) throw new TypeError('a document belongs to somebody');
  const json = writer.write(surveyed, owner, SOURCE, owner.note);
  if (json !== undefined) writer.notes.set(owner, json);
  return { scene, writer };
}

/** Accounts for every part of a source in its finished draft. */
export function accountFor(
  outline: Outline,
  lowered: Lowered,
  cards: readonly Card[],
  protector: Protector,
): Account {
  const { scene, writer } = writeLedger(outline, lowered, cards, protector);
  const calls = new Set<string | null>(lowered.calls.map((call) => call.source_id));
  const leftCards = new Map<Owner, number>();
  for (const left of writer.left.values()) {
    const index = tellLeft(scene, left, refOf(left.owner, outline), calls.has(left.owner.id));
    leftCards.set(left.owner, index);
  }
  const gapsOf = (entry: DraftEntry, gapIds: readonly string[]): string[] => {
    const own = entry.verdict.fate === 'left' ? leftCards.get(entry.owner) : undefined;
    const cards = own === undefined ? cardsOf(entry) : [own];
    return cards.length === 0 ? [] : [...new Set(cards.map((card) => gapIds[card] ?? ''))];
  };
  return {
    cards: scene.cards,
    imported: notesOf(writer, outline),
    entries: (gapIds) =>
      writer.entries.map((draft) => writer.entryOf(draft, gapsOf(draft, gapIds))),
  };
}
