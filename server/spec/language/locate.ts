import type { BlockName, FieldHelp } from '../schema/field-help.ts';
import { BLOCKS } from '../schema/help.ts';
import type { Path } from '../values/path.ts';
import { entryOf, resolved, type SourceNode } from '../yaml/source-map.ts';

/** What the language says about a place of a document. */
export interface SchemaSpot {
  /** The block whose mapping stands here, if one may. */
  readonly block: BlockName | null;
  /** The field whose value stands here (or in the list or map that stands here). */
  readonly field: FieldHelp | null;
  /** The block that has the field, and the field's key. */
  readonly owner: BlockName | null;
  readonly key: string | null;
  /** True for an entry of a list or map rather than the list or map itself. */
  readonly inside: boolean;
}

const OPEN_SPOT: SchemaSpot = { block: null, field: null, owner: null, key: null, inside: false };

/** The spot of the document itself. */
export const ROOT_SPOT: SchemaSpot = { ...OPEN_SPOT, block: 'root' };

/** The text of a scalar child of a mapping. */
export function textAt(node: SourceNode | undefined, key: string): string | undefined {
  const value = node && entryOf(node, key)?.value;
  const target = value && resolved(value);
  return target?.kind === 'scalar' && typeof target.value === 'string' ? target.value : undefined;
}

const KINDS: ReadonlySet<string> = new Set(['sequential', 'graph', 'concurrent', 'handoff']);

function isKind(type: string): type is 'sequential' | 'graph' | 'concurrent' | 'handoff' {
  return KINDS.has(type);
}

/** The block of a workflow, by the type that its mapping states. */
export function workflowBlock(node: SourceNode | undefined): BlockName {
  const type = textAt(node, 'type');
  if (type === 'group-chat' || type === 'group_chat') return 'group-chat';
  return type !== undefined && isKind(type) ? type : 'workflow';
}

function refined(block: BlockName | undefined, node: SourceNode | undefined): BlockName | null {
  if (block === 'workflow') return workflowBlock(node);
  return block ?? null;
}

function childOf(node: SourceNode | undefined, segment: string | number): SourceNode | undefined {
  if (node === undefined) return undefined;
  const target = resolved(node);
  if (target.kind === 'list') return target.items[Number(segment)];
  return entryOf(target, String(segment))?.value;
}

/** The spot of a child; `child` is its node, which tells workflow kinds apart. */
export function stepTo(
  spot: SchemaSpot,
  segment: string | number,
  child: SourceNode | undefined,
): SchemaSpot {
  const holder = spot.field;
  if (holder?.holds !== undefined && !spot.inside) {
    const fits = (holder.holds === 'list') === (typeof segment === 'number');
    return fits ? { ...spot, inside: true, block: refined(holder.block, child) } : OPEN_SPOT;
  }
  if (spot.block === null || typeof segment === 'number') {
    // Shorthand: a list of tool names in place of the tool selection.
    const shorthand = spot.field?.refers !== undefined && typeof segment === 'number';
    return shorthand ? { ...spot, inside: true, block: null } : OPEN_SPOT;
  }
  const field = Object.hasOwn(BLOCKS[spot.block].fields, segment)
    ? BLOCKS[spot.block].fields[segment]
    : undefined;
  if (field === undefined) return OPEN_SPOT;
  const block = field.holds === undefined ? refined(field.block, child) : null;
  return { block, field, owner: spot.block, key: segment, inside: false };
}

/** The spot of a path; open (all null) where the language does not look. */
export function schemaAt(root: SourceNode | undefined, path: Path): SchemaSpot {
  let spot = ROOT_SPOT;
  let node = root;
  for (const segment of path) {
    node = childOf(node, segment);
    spot = stepTo(spot, segment, node);
  }
  return spot;
}
