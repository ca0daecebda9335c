import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { machineName } from '../values/machine-name.ts';
import type { Path } from '../values/path.ts';

/** A function step or a tool of a draft that has no code yet. */
export interface SketchedPart {
  readonly kind: 'function' | 'tool';
  /** Its key under `components.functions` or `tools`. */
  readonly name: string;
}

/** Code to begin with for a part of a draft. */
export interface FunctionSketch {
  /** Name of the file without its end. */
  readonly module: string;
  /** The export. */
  readonly export: string;
  /** Where the draft names the implementation. */
  readonly path: Path;
  /** The texts of the file and of its test, of a module of that name. */
  readonly code: string;
  test(module: string): string;
}

const EXPORT = 'run';
const IDENTIFIER = /^[A-Za-z_]\w*$/;

function memberAt(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let at = value;
  for (const name of path) {
    at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

/** The settings of the source's element, and its name there. */
function sourceOf(document: JsonObject, { kind, name }: SketchedPart) {
  const step =
    kind === 'tool'
      ? memberAt(document, 'metadata', 'tools', name)
      : memberAt(document, 'metadata', 'flow', 'steps', name);
  const title = memberAt(document, 'components', 'functions', name, 'input_schema', 'title');
  const own = memberAt(step, 'name') ?? title;
  const label = typeof own === 'string' ? own : name;
  const noted = memberAt(document, 'metadata', 'imported', 'elements', label, 'parameters');
  const settings = memberAt(step, 'parameters') ?? noted;
  return { label, settings: isJsonObject(settings) ? settings : {} };
}

/** A TypeScript type that a value has. */
function typeOf(value: Json | undefined, indent: string): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) {
    const kinds = [...new Set(value.map((item) => typeOf(item, indent)))];
    return kinds.length === 0 ? 'unknown[]' : `(${kinds.join(' | ')})[]`;
  }
  if (typeof value !== 'object') return typeof value;
  const deeper = `${indent}  `;
  const members = Object.entries(value).map(([name, item]) => {
    const key = IDENTIFIER.test(name) ? name : JSON.stringify(name);
    return `${deeper}${key}: ${typeOf(item, deeper)};\n`;
  });
  return members.length === 0 ? 'Record<string, unknown>' : `{\n${members.join('')}${indent}}`;
}

/** A text that cannot end the comment that it stands in. */
function commented(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,:;!?()'"_-]/gu, ' ').trim();
}

function settingsText(settings: JsonObject): string {
  if (Object.keys(settings).length === 0) return '';
  return `/** The settings of the source. */
export interface Settings ${typeOf(settings, '')}

export const SETTINGS: Settings = ${JSON.stringify(settings, null, 2)};

`;
}

const STEP = `/** What goes from step to step. */
export type Item = Record<string, unknown>;

/** The items that the step gets: the run hands them over as JSON, one item of a text as that text. */
export function itemsOf(text: string): Item[] {
  try {
    const value: unknown = JSON.parse(text);
    const list: unknown[] = Array.isArray(value) ? value : [value];
    return list.map((item) => (typeof item === 'object' && item !== null ? { ...item } : { value: item }));
  } catch {
    return [{ text }];
  }
}

/** Gives the items that go on; so far those that came in. Write here what the source did with them. */
export function run(text: string): Item[] {
  return itemsOf(text);
}
`;

function toolText(parameters: Json | undefined): string {
  const properties = memberAt(parameters, 'properties');
  const names = isJsonObject(properties) ? Object.entries(properties) : [];
  const types: Readonly<Record<string, string>> = {
    string: 'string',
    number: 'number',
    integer: 'number',
    boolean: 'boolean',
  };
  const members = names.map(([name, schema]) => {
    const said = memberAt(schema, 'type');
    const type = typeof said === 'string' && Object.hasOwn(types, said) ? types[said] : 'unknown';
    return `  ${IDENTIFIER.test(name) ? name : JSON.stringify(name)}?: ${type};\n`;
  });
  return `/** What the model gives. */
export interface Arguments {
${members.join('')}  [name: string]: unknown;
}

/** Answers the model; so far with what it gave. Write here what the source did with it. */
export function run(given: Arguments): unknown {
  return { ...given };
}
`;
}

function testText({ kind }: SketchedPart, label: string): (module: string) => string {
  const title = JSON.stringify(label);
  return (module) => {
    const head = `// Run with: node --test functions/
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from './${module}.ts';

test(${title}, () => {
`;
    return kind === 'tool'
      ? `${head}  assert.deepEqual(run({ id: 7 }), { id: 7 });\n});\n`
      : `${head}  const given = [{ id: 1 }, { id: 2 }];
  assert.deepEqual(run(JSON.stringify(given)), given);
});
`;
  };
}

function moduleOf(name: string): string {
  const made = machineName(name).slice(0, 60);
  return IDENTIFIER.test(made) ? made : `step_${made}`;
}

/**
 * Code to begin with for a function step or tool of a draft: the source's settings as a type, a sketch
 * that hands on what it gets, and a test. Undefined where the draft has no such part.
 */
export function sketchFunction(
  document: JsonObject,
  part: SketchedPart,
): FunctionSketch | undefined {
  const place =
    part.kind === 'tool' ? ['tools', part.name] : ['components', 'functions', part.name];
  if (typeof memberAt(document, ...place, 'implementation') !== 'string') return undefined;
  const { label, settings } = sourceOf(document, part);
  const body = part.kind === 'tool' ? toolText(memberAt(document, ...place, 'parameters')) : STEP;
  return {
    module: moduleOf(part.name),
    export: EXPORT,
    path: [...place, 'implementation'],
    code: `// ${commented(label)}\n\n${settingsText(settings)}${body}`,
    test: testText(part, label),
  };
}
