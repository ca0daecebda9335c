import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { WORKFLOWS, workflowBlock } from '../compare/follow-renames.ts';
import type { BlockName, FieldHelp } from '../schema/field-help.ts';
import { BLOCKS } from '../schema/help.ts';

/** How a value of the language is taken apart: where it ends, a conflict is one thing. */
export type Shape =
  | { readonly kind: 'block'; readonly block: BlockName }
  /** Named parts. */
  | { readonly kind: 'parts'; readonly block: BlockName }
  /** Steps, edges or guardrails in a list. */
  | { readonly kind: 'items'; readonly block: BlockName; readonly ordered: boolean }
  /** A list that is read as a set. */
  | { readonly kind: 'names' }
  /** Settings of the author's own form. */
  | { readonly kind: 'free' }
  | { readonly kind: 'whole' };

/** Lists of words that grant or refuse; the order of the others counts. */
const SETS: ReadonlySet<string> = new Set([
  ...['tool_selection.include', 'tool_selection.exclude', 'agent.skills'],
  ...['permissions.allowed_domains', 'permissions.denied_domains'],
  ...['guardrail_config.keywords', 'guardrail_config.patterns'],
]);

/** Lists whose order a run follows. */
const ORDERED: ReadonlySet<string> = new Set([
  ...['sequential.steps', 'handoff.participants', 'group-chat.participants', 'graph.edges'],
]);

const ITEMS: ReadonlySet<BlockName> = new Set(['step', 'edge', 'guardrail']);

const FREE: Shape = { kind: 'free' };
const WHOLE: Shape = { kind: 'whole' };

function shapeOf(holder: BlockName, key: string, field: FieldHelp): Shape {
  const { block, holds } = field;
  if (SETS.has(`${holder}.${key}`)) return { kind: 'names' };
  if (block === 'condition') return WHOLE;
  if (block !== undefined && holds === 'map') return { kind: 'parts', block };
  if (block !== undefined && ITEMS.has(block) && holds === 'list') {
    return { kind: 'items', block, ordered: ORDERED.has(`${holder}.${key}`) };
  }
  if (block !== undefined) return { kind: 'block', block };
  return field.type === 'object' || field.type === 'any' || holds === 'map' ? FREE : WHOLE;
}

/** The shapes of a block's fields; other keys are the author's own. */
export function fieldShapes(block: BlockName, ours: JsonObject, theirs: JsonObject) {
  // Steps are steps in a workflow of any type, also of one that there is not.
  const kinds =
    block === 'workflow' ? [...WORKFLOWS, workflowBlock(theirs), workflowBlock(ours)] : [block];
  const shapes = new Map<string, Shape>();
  for (const kind of kinds) {
    for (const [key, field] of Object.entries(BLOCKS[kind].fields)) {
      shapes.set(key, shapeOf(kind, key, field));
    }
  }
  return (key: string): Shape => shapes.get(key) ?? FREE;
}

/** Blocks that only hold others: what two sides put into a new one goes together. */
export function isHolder(shape: Shape): boolean {
  if (shape.kind === 'block') {
    return ['root', 'components', 'guardrails', 'defaults'].includes(shape.block);
  }
  return shape.kind === 'parts' || shape.kind === 'free';
}

/** A list without repetitions; undefined for another value, also for one that is not there. */
export function setOf(value: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const names = value.filter((item) => typeof item === 'string');
  return names.length === value.length && new Set(names).size === names.length ? names : undefined;
}

/** The own member of a mapping. */
export function memberOf(holder: Json | undefined, key: string): Json | undefined {
  if (holder === undefined || !isJsonObject(holder)) return undefined;
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}
