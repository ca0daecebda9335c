import type { Loss } from '../../graph-ir.ts';
import { at, listOf, type Value } from '../../value.ts';
import { BASE, type N8nNode } from '../document.ts';
import type { Scene } from '../scene.ts';

const COMPARE = `${BASE}compareDatasets`;
/** From which version on a type has conditions of the newer form, and where they stand. */
const CONDITIONS: ReadonlyMap<string, { since: number; find: (node: N8nNode) => Value[] }> =
  new Map([
    [`${BASE}if`, { since: 2, find: ownConditions }],
    [`${BASE}filter`, { since: 2, find: ownConditions }],
    [`${BASE}switch`, { since: 3, find: ruleConditions }],
  ]);

function ownConditions({ parameters }: N8nNode): Value[] {
  return [parameters.get('conditions') ?? null];
}

function ruleConditions({ parameters }: N8nNode): Value[] {
  return listOf(at(parameters, 'rules', 'values')).map((rule) => at(rule, 'conditions') ?? null);
}

/** True for what the source does not take for conditions. */
function isPartial(conditions: Value): boolean {
  if (!(conditions instanceof Map)) return true;
  return !['conditions', 'options', 'combinator'].every((key) => conditions.has(key));
}

function enabled({ doc }: Scene): readonly N8nNode[] {
  return doc.nodes.filter((node) => !node.disabled);
}

/** Conditions without their options or how they are combined hold for every item in the source. */
export function partialConditions(scene: Scene): Loss[] {
  return enabled(scene).flatMap((node): Loss[] => {
    const row = CONDITIONS.get(node.type);
    if (row === undefined || node.version < row.since) return [];
    if (!row.find(node).some(isPartial)) return [];
    const detail = `Conditions of "${node.name}" lack their options or how they are combined: the source lets every item pass there, and so does the draft.`;
    const todo = 'Write the conditions anew if they are to decide.';
    return [{ ref: node.ref, kind: 'carried_as', severity: 'manual', detail, todo }];
  });
}

const RESUME_ADDRESS = /\$execution\s*\.\s*resume(?:Form)?Url/;

function readsAddress(value: Value): boolean {
  if (typeof value === 'string') return RESUME_ADDRESS.test(value);
  if (value instanceof Map) {
    for (const part of value.values()) if (readsAddress(part)) return true;
    return false;
  }
  return Array.isArray(value) && value.some(readsAddress);
}

/** Nothing here can be called while a run waits, so that the address for it is empty. */
export function emptyAddresses(scene: Scene): Loss[] {
  return enabled(scene).flatMap((node): Loss[] => {
    if (!readsAddress(node.parameters)) return [];
    const detail = `"${node.name}" reads the address at which a waiting run is called to go on; here it is empty.`;
    const todo = 'Let a person answer, or leave the address out.';
    return [{ ref: node.ref, kind: 'carried_as', severity: 'manual', detail, todo }];
  });
}

/** Compare Datasets that mixes items changes those of an earlier step in the source. */
export function mixedInPlace(scene: Scene): Loss[] {
  return enabled(scene).flatMap((node) => {
    const { parameters } = node;
    if (node.type !== COMPARE || parameters.get('resolve') !== 'mix') return [];
    const changed = parameters.get('preferWhenMix') === 'input2' ? 1 : 0;
    const feeding = (scene.mainTo.get(node.id) ?? []).filter(({ index }) => index === changed);
    return feeding.map(({ source }): Loss => {
      const detail = `"${node.name}" changes the items of "${source.name}" in the source while it mixes them, and whoever reads them later sees that; here they stay as they were.`;
      const todo = `Check expressions that read "${source.name}" behind "${node.name}".`;
      return { ref: source.ref, kind: 'carried_as', severity: 'manual', detail, todo };
    });
  });
}
