import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts';
import type { Analysis } from '../analysis.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import { type Place, SOURCE } from '../ledger/place.ts';
import { isLeaf, leavesOf } from '../ledger/survey.ts';
import type { Value } from '../value.ts';

/** What the draft has at a path whose names are written as they are; they may hold any character. */
function inDraft(at: Json | undefined, path: string): Json | undefined {
  if (path === '' || at === undefined) return at;
  const item = /^\[(\d+)\]/.exec(path);
  if (Array.isArray(at) && item !== null) {
    return inDraft(at[Number(item[1])], path.slice(item[0].length));
  }
  if (!isJsonObject(at)) return undefined;
  const rest = path.startsWith('.') ? path.slice(1) : path;
  for (const [key, part] of Object.entries(at)) {
    if (!rest.startsWith(key) || !/^(?:$|[.[])/.test(rest.slice(key.length))) continue;
    const found = inDraft(part, rest.slice(key.length));
    if (found !== undefined) return found;
  }
  return undefined;
}

function plain(value: Value): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) {
    const isOdd =
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
    return isOdd ? String(value) : value;
  }
  return Object.fromEntries([...value].map(([key, part]) => [key, plain(part)]));
}

function equal(value: unknown, json: Json | undefined): boolean {
  return JSON.stringify(sorted(value)) === JSON.stringify(sorted(json));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => [key, sorted(part)]);
}

const MARK = '<redacted>';

/** Walks a document; every leaf must have exactly one entry at itself or above. */
class Walk {
  readonly faults: string[] = [];
  private readonly left: Map<string, LedgerEntry>;
  private readonly spec: JsonObject;
  private readonly masked: readonly (readonly [RegExp, string])[];

  constructor(entries: readonly LedgerEntry[], spec: JsonObject) {
    this.left = new Map(entries.map((entry) => [entry.locator, entry]));
    this.spec = spec;
    this.masked = [...this.left.keys()]
      .filter((locator) => locator.includes(MARK))
      .map((locator) => {
        const pieces = locator
          .split(MARK)
          .map((piece) => piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
        return [new RegExp(`^${pieces.join('.+')}$`, 'su'), locator];
      });
    if (this.left.size < entries.length) this.faults.push('two entries have one locator');
  }

  value(value: Value, place: Place): void {
    const { locator, entry } = this.find(place.text);
    if (entry !== undefined) {
      this.left.delete(locator);
      this.entry(entry, value);
    } else if (isLeaf(value)) this.faults.push(`no entry for ${locator}`);
    if (isLeaf(value)) return;
    if (entry !== undefined) {
      for (const inner of this.left.keys()) {
        if (inner.startsWith(`${locator}.`) || inner.startsWith(`${locator}[`)) {
          this.faults.push(`${inner} stands in ${locator}`);
        }
      }
      return;
    }
    const parts = value instanceof Map ? value : Array.isArray(value) ? value.entries() : [];
    for (const [key, part] of parts) this.value(part, place.below(key));
  }

  /** The entry of a place; one that names a secret has a mark in its place. */
  private find(text: string): { locator: string; entry: LedgerEntry | undefined } {
    const entry = this.left.get(text);
    if (entry !== undefined) return { locator: text, entry };
    const masked = this.masked.find(
      ([pattern, locator]) => this.left.has(locator) && pattern.test(text),
    );
    const locator = masked?.[1] ?? text;
    return { locator, entry: this.left.get(locator) };
  }

  end(): string[] {
    for (const locator of this.left.keys()) this.faults.push(`${locator} is not in the source`);
    return this.faults;
  }

  private entry(entry: LedgerEntry, value: Value): void {
    const { locator, draft, form } = entry;
    if (entry.leaves !== leavesOf(value)) this.faults.push(`leaves of ${locator}`);
    if (draft === null) return;
    const json = inDraft(this.spec, draft);
    if (json === undefined) this.faults.push(`${locator}: ${draft} is not in the draft`);
    if (form !== 'same' && form !== 'note') return;
    if (!equal(plain(value), json)) this.faults.push(`${locator} is not the same at ${draft}`);
  }
}

function ofEntry(entry: LedgerEntry, gaps: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  const { fate, draft, form, reason } = entry;
  if (fate === 'told' && entry.gaps.length === 0) faults.push('is told by no gap');
  if (fate === 'carried' && (draft === null || form === null)) faults.push('is carried nowhere');
  if ((fate === 'no_meaning') !== (reason !== null)) faults.push('has the wrong reason');
  if (fate === 'lost' && entry.gaps.length > 0) faults.push('is told, and lost');
  if ((draft === null) !== (form === null)) faults.push('has a place without a form');
  for (const id of entry.gaps) if (!gaps.has(id)) faults.push(`names the gap ${id}`);
  return faults.map((fault) => `${entry.locator} ${fault}`);
}

/** What is wrong with the ledger of a conversion of this document; nothing, when it is complete. */
export function ledgerFaults(root: Value, { ledger, gaps, spec }: Analysis): string[] {
  if (ledger === null) return ['there is no ledger'];
  const walk = new Walk(ledger, spec);
  walk.value(root, SOURCE);
  const ids = new Set(gaps.map((gap) => gap.gap_id));
  return [...ledger.flatMap((entry) => ofEntry(entry, ids)), ...walk.end()];
}
