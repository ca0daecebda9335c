import type { JsonObject } from '../../kernel/json.ts';
import { sameJson } from '../../kernel/same-json.ts';
import { followRenames, type Renamed, renamedParts, renameIn } from '../compare/follow-renames.ts';
import { loadSpec } from '../load/load-spec.ts';
import { validateSpec } from '../rules/validate.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { parseWholeText, type SpecFormat } from '../yaml/parse-yaml.ts';
import type { SourceNode } from '../yaml/source-map.ts';
import { eolOf } from '../yaml/text-layout.ts';
import type { MergeConflict, Sides } from './conflict.ts';
import {
  type Marks,
  markDifferences,
  mergeLines,
  mergeLinesFor,
  PLAIN_MARKS,
} from './merge-lines.ts';
import { type Choices, mergeValues } from './merge-values.ts';
import { type NewNameOf, rewriteText } from './rewrite-text.ts';

export interface MergeOptions {
  readonly format?: SpecFormat;
  /** Conflicts that are settled already. */
  readonly choices?: Choices;
  readonly marks?: Marks;
}

/** What two texts make of a third one. */
export interface SpecMerge {
  /** The merged text; what is open is as in ours. Merged by lines, it holds marks. */
  readonly text: string;
  /** The merged text with both sides between marks, as git writes them, where something is open. */
  readonly marked: string;
  /** Things of the language that both sides changed; none when it was merged by lines. */
  readonly conflicts: readonly MergeConflict[];
  /** Places that are open. */
  readonly open: number;
  /** By lines when one of the texts cannot be read, or the merge cannot be written. */
  readonly by: 'meaning' | 'lines';
  /** What is wrong in the merged text though neither side has it. */
  readonly faults: readonly Diagnostic[];
}

function documentOf(text: string, format: SpecFormat): JsonObject | undefined {
  return parseWholeText(text, format).value;
}

function repeatsKeys(node: SourceNode | undefined): boolean {
  if (node?.kind === 'list') return node.items.some(repeatsKeys);
  if (node?.kind !== 'map') return false;
  const keys = new Set(node.entries.map(({ key }) => key));
  return keys.size < node.entries.length || node.entries.some(({ value }) => repeatsKeys(value));
}

function errorsOf(document: JsonObject): readonly Diagnostic[] | undefined {
  const { spec } = loadSpec({ base: document });
  return spec && validateSpec(spec).filter(({ severity }) => severity === 'error');
}

/** Errors of the merged document that neither side has. */
function newErrors({ ours, theirs }: Sides<JsonObject>, merged: JsonObject): readonly Diagnostic[] {
  if (sameJson(merged, ours) || sameJson(merged, theirs)) return [];
  const [mine, other] = [errorsOf(ours), errorsOf(theirs)];
  if (mine === undefined || other === undefined) return [];
  const said = new Set([...mine, ...other].map(({ message }) => message));
  const errors = errorsOf(merged) ?? loadSpec({ base: merged }).diagnostics;
  return errors.filter(({ message }) => !said.has(message));
}

/** The three documents with what one side only renamed under its new name in all of them. */
function followed(given: Sides<JsonObject>): { sides: Sides<JsonObject>; theirs: Renamed } {
  const mine = renameIn(renamedParts(given.base, given.ours), given.theirs);
  const base = followRenames(given.base, mine);
  const theirs = followRenames(given.theirs, mine);
  const other = renameIn(renamedParts(base, theirs), given.ours);
  const sides = {
    base: followRenames(base, other),
    ours: followRenames(given.ours, other),
    theirs,
  };
  return { sides, theirs: other };
}

function newNames(renamed: Renamed): NewNameOf {
  return (holder, key) => {
    const kind = Object.entries(renamed).find(([name]) => name === holder.at(-1));
    return holder.length <= 2 ? kind?.[1].get(key) : undefined;
  };
}

function wholeMerge(text: string): SpecMerge {
  return { text, marked: text, conflicts: [], open: 0, by: 'meaning', faults: [] };
}

function byLines(sides: Sides<string>, marks: Marks): SpecMerge {
  const { text, conflicts } = mergeLines(sides.base, sides.ours, sides.theirs, marks);
  return { text, marked: text, conflicts: [], open: conflicts, by: 'lines', faults: [] };
}

const COMMENT = /(?:^|\s)#/;

/** Whether a text was written anew, as programs do: its comments, or most of its lines, are gone. */
function isWrittenAnew(base: string, text: string): boolean {
  const [before, after] = [base.split('\n'), text.split('\n')];
  if (before.some((line) => COMMENT.test(line)) && !after.some((line) => COMMENT.test(line))) {
    return true;
  }
  const left = new Set(after);
  return before.filter((line) => left.has(line)).length * 2 < before.length;
}

/** Texts that the merged one is made of, the best first: with what both wrote beside the language. */
function startsOf(sides: Sides<string>, format: SpecFormat): readonly string[] {
  if (isWrittenAnew(sides.base, sides.theirs)) return [sides.ours];
  const { text } = mergeLinesFor(sides.base, sides.ours, sides.theirs, 'mine');
  const { value, source } = parseWholeText(text, format);
  return value === undefined || repeatsKeys(source.root) ? [sides.ours] : [text, sides.ours];
}

function byMeaning(
  texts: Sides<string>,
  documents: Sides<JsonObject>,
  { format = 'yaml', choices = {}, marks = PLAIN_MARKS }: MergeOptions,
): SpecMerge | undefined {
  const { sides, theirs } = followed(documents);
  const { value, conflicts } = mergeValues(sides, choices);
  const names = newNames(theirs);
  for (const start of startsOf(texts, format)) {
    const text = rewriteText(start, value, format, names);
    if (text === undefined) continue;
    const open = conflicts.filter(({ chosen }) => chosen === null).length;
    const made = { text, conflicts, open, by: 'meaning', faults: newErrors(sides, value) } as const;
    if (open === 0) return { ...made, marked: text };
    const other = rewriteText(text, mergeValues(sides, choices, 'theirs').value, format);
    if (other !== undefined) return { ...made, marked: markDifferences(text, other, marks) };
  }
  return undefined;
}

/**
 * Merges what two writers made of one text by what the texts say. Comments and layout of ours stay,
 * changes of theirs are minimal edits; a conflict is one thing of the language. Texts that cannot be
 * read are merged by lines. Never throws.
 */
export function mergeSpecs(given: Sides<string>, options: MergeOptions = {}): SpecMerge {
  const { format = 'yaml', marks = PLAIN_MARKS } = options;
  if (given.base === given.theirs || given.ours === given.theirs) return wholeMerge(given.ours);
  if (given.base === given.ours) return wholeMerge(given.theirs);
  const eol = eolOf(given.ours);
  const alike = (text: string): string => text.replaceAll(/\r?\n/g, eol);
  const texts = { base: alike(given.base), ours: given.ours, theirs: alike(given.theirs) };
  const base = texts.base.trim() === '' ? {} : documentOf(texts.base, format);
  const [ours, theirs] = [documentOf(texts.ours, format), documentOf(texts.theirs, format)];
  if (base === undefined || ours === undefined || theirs === undefined) {
    return byLines(texts, marks);
  }
  return byMeaning(texts, { base, ours, theirs }, options) ?? byLines(texts, marks);
}
