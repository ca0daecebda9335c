import { isJsonObject, type Json, type JsonObject, setOwn } from '../../kernel/json.ts';
import type { BlockName, FieldHelp, Reference } from '../schema/field-help.ts';
import { BLOCKS } from '../schema/help.ts';
import { renames } from './pair-up.ts';

/** Kinds of named parts: where they stand, and which fields repeat their own name. */
const NAMED = [
  { kind: 'agents', path: ['components', 'agents'], names: ['name'] },
  { kind: 'workflows', path: ['components', 'workflows'], names: ['name'] },
  { kind: 'functions', path: ['components', 'functions'], names: [] },
  { kind: 'humans', path: ['components', 'humans'], names: [] },
  { kind: 'tools', path: ['tools'], names: [] },
  { kind: 'mcp_servers', path: ['mcp_servers'], names: [] },
  { kind: 'skills', path: ['skills'], names: [] },
] as const;

type NamedKind = (typeof NAMED)[number]['kind'];

/** Old name → new name, by kind of part. */
export type Renamed = Readonly<Record<NamedKind, ReadonlyMap<string, string>>>;

const STEP_KINDS: Readonly<Record<string, NamedKind>> = {
  agent: 'agents',
  guardrail: 'agents',
  function: 'functions',
  workflow: 'workflows',
  human: 'humans',
};

function mapAt(document: JsonObject, path: readonly string[]): JsonObject {
  let at: Json = document;
  for (const key of path) at = isJsonObject(at) ? (at[key] ?? {}) : {};
  return isJsonObject(at) ? at : {};
}

/** What only has another name in the later document. */
export function renamedParts(before: JsonObject, after: JsonObject): Renamed {
  const found = NAMED.map(({ kind, path, names }) => [
    kind,
    renames(mapAt(before, path), mapAt(after, path), names),
  ]);
  return Object.fromEntries(found);
}

function kindsOf(refers: Reference, block: JsonObject): readonly NamedKind[] {
  switch (refers) {
    case 'functions_or_agents':
      return ['functions', 'agents'];
    case 'step': {
      const kind = STEP_KINDS[String(block['kind'])];
      return kind === undefined ? [] : [kind];
    }
    case 'step_id':
      return [];
    default:
      return [refers];
  }
}

class Follower {
  readonly #renamed: Renamed;

  constructor(renamed: Renamed) {
    this.#renamed = renamed;
  }

  #name(name: string, kinds: readonly NamedKind[]): string {
    for (const kind of kinds) {
      const now = this.#renamed[kind].get(name);
      if (now !== undefined) return now;
    }
    return name;
  }

  #value(value: Json, field: FieldHelp, block: JsonObject): Json {
    if (Array.isArray(value)) return value.map((item) => this.#value(item, field, block));
    if (typeof value === 'string' && field.refers !== undefined) {
      return this.#name(value, kindsOf(field.refers, block));
    }
    if (!isJsonObject(value) || field.block === undefined) return value;
    if (field.holds !== 'map') return this.block(field.block, value);
    const made: JsonObject = {};
    for (const [key, item] of Object.entries(value)) {
      setOwn(made, key, this.#value(item, { ...field, holds: 'list' }, block));
    }
    return made;
  }

  block(name: BlockName, block: JsonObject): JsonObject {
    const { fields } = BLOCKS[name === 'workflow' ? workflowBlock(block) : name];
    const made: JsonObject = { ...block };
    for (const [key, field] of Object.entries(fields)) {
      const value = block[key];
      if (value !== undefined) made[key] = this.#value(value, field, block);
    }
    return made;
  }
}

/** The blocks of the types of workflow. */
export const WORKFLOWS = ['sequential', 'graph', 'concurrent', 'handoff', 'group-chat'] as const;

/** The block that describes a workflow of its type. */
export function workflowBlock(workflow: JsonObject): BlockName {
  const type = workflow['type'] === 'group_chat' ? 'group-chat' : workflow['type'];
  return WORKFLOWS.find((kind) => kind === type) ?? 'workflow';
}

/** The earlier document with every reference to a renamed part under its new name. */
export function followRenames(document: JsonObject, renamed: Renamed): JsonObject {
  if (NAMED.every(({ kind }) => renamed[kind].size === 0)) return document;
  const made = new Follower(renamed).block('root', document);
  const moved: JsonObject = { ...made };
  if (made['components'] !== undefined) moved['components'] = { ...mapAt(made, ['components']) };
  for (const { kind, path } of NAMED) {
    if (renamed[kind].size === 0) continue;
    const holder = path.length === 1 ? moved : mapAt(moved, ['components']);
    const key = path[path.length - 1] ?? '';
    const parts: JsonObject = {};
    for (const [name, part] of Object.entries(mapAt(moved, path))) {
      setOwn(parts, renamed[kind].get(name) ?? name, part);
    }
    holder[key] = parts;
  }
  return moved;
}

/** Those renames that another document, which has the old names still, can follow. */
export function renameIn(renamed: Renamed, document: JsonObject): Renamed {
  const found = NAMED.map(({ kind, path }) => {
    const parts = mapAt(document, path);
    const fits = [...renamed[kind]].filter(
      ([old, now]) => Object.hasOwn(parts, old) && !Object.hasOwn(parts, now),
    );
    return [kind, new Map(fits)];
  });
  return Object.fromEntries(found);
}
