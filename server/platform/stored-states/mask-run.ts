import { growthOf } from '../../kernel/grown-text.ts';
import { isJsonObject, isObject, type Json, type JsonObject } from '../../kernel/json.ts';
import {
  maskAuthoredSecrets,
  maskSecretMember,
  maskSecrets,
  maskText,
} from '../../kernel/mask-secrets.ts';
import type { ResumePointsTable, RunsTable } from '../../store/platform-tables.ts';
import { readMessages, storedMessages } from '../run-record/stored-messages.ts';
import { isPooled, type PooledText, pooled, unpooled } from '../stored-forms/text-pool.ts';

/** What a run's row holds of its texts. */
export type RunTexts = Pick<
  RunsTable,
  'input_text' | 'output_text' | 'messages' | 'error' | 'created_metadata' | 'run_metadata'
>;

/** Members of a create's metadata that are documents of an author. */
const DOCUMENTS: ReadonlySet<string> = new Set(['frozen_spec', 'overrides', 'skills_overlay']);

function isJson(value: unknown): value is Json {
  return value !== undefined;
}

/** The text again, made of the masked value where that is another. */
function maskedJson(text: string, mask: (value: Json) => Json = maskSecrets): string {
  const value: unknown = JSON.parse(text);
  if (!isJson(value)) return text;
  const kept = mask(value);
  return kept === value ? text : JSON.stringify(kept);
}

function maskedMetadata(value: Json): Json {
  if (!isJsonObject(value)) return maskSecrets(value);
  let same = true;
  const entries = Object.entries(value).map(([name, item]): [string, Json] => {
    const kept = DOCUMENTS.has(name) ? maskAuthoredSecrets(item) : maskSecretMember(name, item);
    same &&= kept === item;
    return [name, kept];
  });
  return same ? value : Object.fromEntries(entries);
}

function maskedMessages(text: string): string {
  const messages = readMessages(text);
  const kept = maskSecrets(messages);
  return kept === messages
    ? text
    : storedMessages(Array.isArray(kept) ? kept.filter(isJsonObject) : []);
}

/** The texts of a run without credentials; a text that holds none is the very same. */
function maskRunTexts(row: RunTexts): RunTexts {
  const text = (value: string | null): string | null => (value === null ? null : maskText(value));
  return {
    input_text: text(row.input_text),
    output_text: text(row.output_text),
    messages: maskedMessages(row.messages),
    error: row.error === null ? null : maskedJson(row.error),
    created_metadata: maskedJson(row.created_metadata, maskedMetadata),
    run_metadata: maskedJson(row.run_metadata),
  };
}

/** Masks the pooled texts of one leg after another, each read whole. */
class MaskedPool {
  #before: string[] = [];
  #after: string[] = [];

  restart(): void {
    this.#before = [];
    this.#after = [];
  }

  mask(kept: unknown): PooledText {
    const whole = this.#whole(kept);
    const after = maskText(whole);
    this.#before.push(whole);
    this.#after.push(after);
    if (!isObject(kept)) return after;
    const of = Number(kept['of']);
    const growth = growthOf(after, this.#after[of] ?? '');
    return growth === undefined ? after : { of, ...growth };
  }

  #whole(kept: unknown): string {
    if (!isObject(kept)) return String(kept);
    const base = this.#before[Number(kept['of'])] ?? '';
    return `${String(kept['before'])}${base}${String(kept['after'])}`;
  }
}

/** Masks the stored resume points of one run, piece after piece in their order. */
export class PointMask {
  readonly #pool = new MaskedPool();

  /** The points without credentials; only those that change. */
  mask(points: readonly ResumePointsTable[]): ResumePointsTable[] {
    return points.flatMap((point) => {
      const change = this.#masked(point.change);
      return change === point.change ? [] : [{ ...point, change }];
    });
  }

  #masked(change: string): string {
    const stored: unknown = JSON.parse(change);
    if (!isJsonObject(stored)) return change;
    const { texts, ...rest } = stored;
    if (rest['full'] !== undefined) this.#pool.restart();
    const list = Array.isArray(texts) ? { texts: texts.map((text) => this.#pool.mask(text)) } : {};
    return JSON.stringify({ ...list, ...pointParts(rest) });
  }
}

function pointParts(parts: JsonObject): JsonObject {
  const kept = maskSecrets(parts);
  return isJsonObject(kept) ? kept : {};
}

/** A stored state of the engine without credentials; null when it holds none. */
function maskStoredState(text: string): string | null {
  const stored: unknown = JSON.parse(text);
  const state = isPooled(stored) ? unpooled(stored) : stored;
  const kept = isJson(state) ? maskSecrets(state) : null;
  return kept === state ? null : JSON.stringify(pooled(kept));
}

/** How a run is known to be the one that was read. */
export type RunRead = Pick<RunsTable, 'id' | 'status' | 'updated_at'>;

/** A run that is over, as it is before its masking. */
export type EndedRun = RunTexts & RunRead;

/** Where a run that is over is read. */
export interface EndedRuns {
  read(runId: string): EndedRun | undefined;
  state(runId: string): string | undefined;
}

/** What a run left beside its trace, checkpoints and resume points, without credentials. */
export interface MaskedRun {
  readonly run: RunRead;
  /** Null when the row stays as it is. */
  readonly row: RunTexts | null;
  /** Null when the state stays as it is. */
  readonly state: string | null;
}

function isSame(before: RunTexts, after: RunTexts): boolean {
  return (
    before.input_text === after.input_text &&
    before.output_text === after.output_text &&
    before.messages === after.messages &&
    before.error === after.error &&
    before.created_metadata === after.created_metadata &&
    before.run_metadata === after.run_metadata
  );
}

/** Null when the run is gone. */
export function maskStored(stored: EndedRuns, runId: string): MaskedRun | null {
  const found = stored.read(runId);
  if (found === undefined) return null;
  const { id, status, updated_at, ...row } = found;
  const kept = maskRunTexts(row);
  const state = stored.state(runId);
  return {
    run: { id, status, updated_at },
    row: isSame(row, kept) ? null : kept,
    state: state === undefined ? null : maskStoredState(state),
  };
}

/** Metadata of creates that were found to hold none: runs of one workflow bring the same. */
const CLEAN: string[] = [];
const MOST_CLEAN = 8;
/** Longer texts are looked through beside the run, not before it ends. */
export const MAX_LOOKED_THROUGH = 16_384;

function isClean(createdMetadata: string): boolean {
  if (CLEAN.includes(createdMetadata)) return true;
  if (maskedJson(createdMetadata, maskedMetadata) !== createdMetadata) return false;
  if (CLEAN.length >= MOST_CLEAN) CLEAN.shift();
  CLEAN.push(createdMetadata);
  return true;
}

/** Whether texts that a run leaves may hold anything to mask; most have nothing. */
export function mayHoldSecrets(row: RunTexts): boolean {
  const { input_text: input, output_text: output, messages, error } = row;
  const texts = [input, output, messages, error, row.created_metadata, row.run_metadata];
  if (texts.some((text) => (text?.length ?? 0) > MAX_LOOKED_THROUGH)) return true;
  const clean =
    isClean(row.created_metadata) &&
    (input === null || maskText(input) === input) &&
    (output === null || maskText(output) === output) &&
    maskedMessages(messages) === messages &&
    (error === null || maskedJson(error) === error) &&
    maskedJson(row.run_metadata) === row.run_metadata;
  return !clean;
}
