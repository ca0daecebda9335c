import { isObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { clearMarks, markNonTextKey, markNonTextValue } from '../values/non-text.ts';
import { parseJsonTree } from './json-nodes.ts';
import {
  createSourceMap,
  type SourceMap,
  type SourceMapping,
  type SourceNode,
} from './source-map.ts';
import { MAX_DEPTH, type SyntaxProblem, type SyntaxTree, TOO_DEEP } from './syntax.ts';
import { parseWholeYaml, parseYamlTree } from './tree.ts';

/** How a spec is written. */
export type SpecFormat = 'yaml' | 'json';

/**
 * A text that was read. `value` is undefined when the text is no document; then `diagnostics` holds
 * the E_PARSE finding. `source` covers what could be read even of a broken text, and `problems`
 * lists every fault with its extent.
 */
export interface ParsedDocument {
  readonly value: JsonObject | undefined;
  readonly diagnostics: Diagnostic[];
  readonly problems: readonly SyntaxProblem[];
  readonly source: SourceMap;
}

/** Aliases may not blow a document up beyond this many values. */
const MAX_VALUES = 500_000;

/** Characters that aliases may add to those that are written; each value counts some besides its text. */
const MAX_REPEATED_CHARS = 2_097_152;
const CHARS_OF_VALUE = 32;

const TOO_LONG = `The aliases of this document repeat more than ${MAX_REPEATED_CHARS} characters of text.`;

const TOO_MANY = `The aliases of this document make more than ${MAX_VALUES} values of it.`;

class Unreadable extends Error {}

interface Budget {
  left: number;
  depth: number;
  /** Aliases that lead to what is made now. */
  aliases: number;
  repeated: number;
}

function repeat(text: Json, budget: Budget): void {
  if (budget.aliases === 0) return;
  budget.repeated += CHARS_OF_VALUE + (typeof text === 'string' ? text.length : 0);
  if (budget.repeated > MAX_REPEATED_CHARS) throw new Unreadable(TOO_LONG);
}

function aliased<Made>(budget: Budget, make: () => Made): Made {
  budget.aliases += 1;
  const made = make();
  budget.aliases -= 1;
  return made;
}

function spend(budget: Budget): void {
  budget.left -= 1;
  if (budget.left < 0) throw new Unreadable(TOO_MANY);
  if (budget.depth > MAX_DEPTH) throw new Unreadable(TOO_DEEP);
}

function addEntries(target: JsonObject, map: SourceMapping, budget: Budget): void {
  for (let i = map.merged.length - 1; i >= 0; i -= 1) {
    const source = map.merged[i];
    const merged = source?.kind === 'alias' ? source.target : source;
    if (merged?.kind !== 'map') continue;
    budget.depth += 1;
    spend(budget);
    if (source?.kind === 'alias') aliased(budget, () => addEntries(target, merged, budget));
    else addEntries(target, merged, budget);
    budget.depth -= 1;
  }
  for (const { key, textKey, value } of map.entries) {
    repeat(key, budget);
    if (Object.hasOwn(target, key)) clearMarks(target, key);
    setOwn(target, key, toValue(value, budget));
    if (!textKey) markNonTextKey(target, key);
    if (isDate(value)) markNonTextValue(target, key);
  }
}

function isDate(node: SourceNode): boolean {
  const target = node.kind === 'alias' ? node.target : node;
  return target.kind === 'scalar' && target.type === 'date';
}

function toList(items: readonly SourceNode[], budget: Budget): Json[] {
  const list = items.map((item) => toValue(item, budget));
  items.forEach((item, index) => {
    if (isDate(item)) markNonTextValue(list, index);
  });
  return list;
}

function toValue(node: SourceNode, budget: Budget): Json {
  spend(budget);
  if (node.kind === 'alias') return aliased(budget, () => toValue(node.target, budget));
  repeat(node.kind === 'scalar' ? node.value : null, budget);
  if (node.kind === 'scalar') return node.value;
  budget.depth += 1;
  let made: Json;
  if (node.kind === 'map') {
    made = {};
    addEntries(made, node, budget);
  } else made = toList(node.items, budget);
  budget.depth -= 1;
  return made;
}

function documentValue(root: SourceNode): { value: Json } | { problem: SyntaxProblem } {
  try {
    return { value: toValue(root, { left: MAX_VALUES, depth: 0, aliases: 0, repeated: 0 }) };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { problem: { message: error.message, start: root.start, end: root.start + 1 } };
  }
}

function parseFinding(source: SourceMap, problem: SyntaxProblem): Diagnostic {
  const { line, column } = source.positionOf(problem.start);
  return {
    code: 'E_PARSE',
    severity: 'error',
    message: `Line ${line}, column ${column}: ${problem.message}`,
    path: null,
    suggestion: null,
  };
}

/** Broken JSON is read once more as YAML, which recovers, so that editors still have a tree. */
function parseTree(text: string, format: SpecFormat): SyntaxTree {
  if (format === 'yaml') return parseYamlTree(text);
  const tree = parseJsonTree(text);
  return tree.problems.length === 0
    ? tree
    : { root: parseYamlTree(text).root, problems: tree.problems };
}

const NOTHING = 'The document is empty; start with "version: v1" and an "agent".';
const NO_OBJECT =
  'A spec is a mapping of keys such as "version" and "agent", not a list or a single value.';

/**
 * As {@link parseSpecText} for whoever needs the document or the reason why there is none: of a broken
 * text nothing is read beyond its first fault, which takes a small part of the time.
 */
export function parseWholeText(text: string, format: SpecFormat): ParsedDocument {
  return readDocument(text, format === 'json' ? parseJsonTree(text) : parseWholeYaml(text));
}

/** Reads the text of a spec or overlay (spec-v1 1): JSON, or YAML with YAML 1.1 scalars. Never throws. */
export function parseSpecText(text: string, format: SpecFormat): ParsedDocument {
  return readDocument(text, parseTree(text, format));
}

/** The document of a text whose tree is known already. */
export function readDocument(text: string, tree: SyntaxTree): ParsedDocument {
  const source = createSourceMap(text, tree.root);
  const problems = [...tree.problems];
  let value: JsonObject | undefined;
  if (problems.length === 0) {
    const made = tree.root === undefined ? { value: null } : documentValue(tree.root);
    if ('problem' in made) problems.push(made.problem);
    else if (isObject(made.value)) value = made.value;
    else problems.push({ message: made.value === null ? NOTHING : NO_OBJECT, start: 0, end: 1 });
  }
  const [first] = problems;
  return {
    value,
    diagnostics: first === undefined ? [] : [parseFinding(source, first)],
    problems,
    source,
  };
}

/** The format that a file name stands for: `.json` is JSON, everything else YAML (spec-v1 1). */
export function formatOfFile(name: string): SpecFormat {
  return name.toLowerCase().endsWith('.json') ? 'json' : 'yaml';
}
