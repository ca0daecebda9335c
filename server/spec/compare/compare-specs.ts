import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { sameJson } from '../../kernel/same-json.ts';
import type { BlockName, FieldHelp } from '../schema/field-help.ts';
import { BLOCKS } from '../schema/help.ts';
import type { Spec } from '../schema/spec-types.ts';
import { formatPath, type Path } from '../values/path.ts';
import type { ChangeKind, SpecChange, SpecComparison } from './change.ts';
import { followRenames, type Renamed, renamedParts, workflowBlock } from './follow-renames.ts';
import { keyed, pairUp } from './pair-up.ts';
import { guardrailPart, namedPart, SINGLE_PARTS, workflowPartName } from './part-names.ts';
import { tell } from './tell.ts';
import { isBehaviour, privilegeOf, type Unweighed } from './weigh.ts';
import {
  beginOf,
  edgesOf,
  followSteps,
  membersOf,
  renamedSteps,
  STEP_FIELDS,
  stepsOf,
  type WorkflowPart,
} from './workflow-parts.ts';

/** Where the comparison stands: the named part, and the places in both specs. */
interface Place {
  readonly part: string;
  readonly before: Path;
  readonly after: Path;
}

type Values = readonly [before: Json | undefined, after: Json | undefined];

function below({ part, before, after }: Place, key: string | number): Place {
  return { part, before: [...before, key], after: [...after, key] };
}

function keysOf(before: JsonObject, after: JsonObject): Set<string> {
  return new Set([...Object.keys(after), ...Object.keys(before)]);
}

function own(holder: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** A setting of a step of an imported workflow (decision record 0024). */
const FLOW_STEP = /^metadata\.flow\.steps\.([^.]+)\.(.+)$/;

class Comparison {
  readonly changes: SpecChange[] = [];
  readonly #renamed: Renamed;

  constructor(renamed: Renamed) {
    this.#renamed = renamed;
  }

  #add(
    change: ChangeKind,
    block: BlockName,
    place: Place,
    field: string | null,
    [before, after]: Values,
  ): void {
    const [, step, setting] = FLOW_STEP.exec(field ?? '') ?? [];
    const unweighed: Unweighed = {
      change,
      block: step === undefined ? block : 'step',
      part: step === undefined ? place.part : `step "${step}"`,
      path: formatPath(change === 'removed' ? place.before : place.after),
      field: setting ?? field,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    };
    this.changes.push({
      ...unweighed,
      privilege: privilegeOf(unweighed),
      behaviour: isBehaviour(unweighed),
      text: tell(unweighed),
    });
  }

  /** A value of the author's own form: told by its smallest members that differ. */
  #free(block: BlockName, place: Place, field: string, [before, after]: Values): void {
    if (sameJson(before, after)) return;
    const [old, now] = [before ?? null, after ?? null];
    if (!isJsonObject(old) || !isJsonObject(now)) {
      this.#add('changed', block, place, field, [before, after]);
      return;
    }
    for (const key of keysOf(old, now)) {
      this.#free(block, below(place, key), `${field}.${key}`, [own(old, key), own(now, key)]);
    }
  }

  #part(block: BlockName, place: Place, [before, after]: Values): void {
    if (before === undefined || after === undefined) {
      this.#add(before === undefined ? 'added' : 'removed', block, place, null, [before, after]);
    } else if (block === 'workflow') {
      this.#workflow(place, membersOf(before), membersOf(after));
    } else this.#block(block, place, membersOf(before), membersOf(after));
  }

  /** Named parts; one that only got another name is told as that. */
  #named(block: BlockName, key: string, place: Place, [before, after]: Values): void {
    const renamed = Object.entries(this.#renamed).find(([kind]) => kind === key)?.[1];
    const oldNames = new Map([...(renamed ?? [])].map(([old, now]) => [now, old]));
    const [old, now] = [membersOf(before), membersOf(after)];
    for (const name of keysOf(old, now)) {
      const at = { ...below(place, name), part: namedPart(block, name) };
      const was = oldNames.get(name);
      const values: Values = [own(old, name), own(now, name)];
      if (was !== undefined) this.#add('renamed', block, at, null, [was, name]);
      else if (!sameJson(...values)) this.#part(block, at, values);
    }
  }

  #guardrails(stage: string, place: Place, [before, after]: Values): void {
    const byId = (list: Json | undefined) =>
      keyed(listOf(list), (guard) => String(membersOf(guard)['id'] ?? ''));
    const [old, now] = [byId(before), byId(after)];
    const [oldIds, ids] = [[...old.keys()], [...now.keys()]];
    const { removed, moved } = pairUp(oldIds, ids);
    for (const id of [...removed, ...ids]) {
      const at: Place = {
        part: guardrailPart(stage, id, place.part),
        before: [...place.before, oldIds.indexOf(id)],
        after: [...place.after, ids.indexOf(id)],
      };
      const values: Values = [old.get(id), now.get(id)];
      if (moved.has(id)) this.#add('moved', 'guardrail', at, null, values);
      if (!sameJson(...values)) this.#part('guardrail', at, values);
    }
  }

  #field(block: BlockName, key: string, field: FieldHelp, place: Place, values: Values): void {
    if (sameJson(...values)) return;
    const at = below(place, key);
    const isBlock = values.every((value) => isJsonObject(value ?? null));
    if (field.block === 'guardrail') this.#guardrails(key, at, values);
    else if (field.block !== undefined && field.holds === 'map') {
      this.#named(field.block, key, at, values);
    } else if (field.block !== undefined && field.block !== 'condition' && isBlock) {
      const part = block === 'root' ? (SINGLE_PARTS[key] ?? at.part) : at.part;
      this.#part(field.block, { ...at, part }, values);
    } else if (field.type === 'object' && isBlock) this.#free(block, at, key, values);
    else this.#add('changed', block, at, key, values);
  }

  #block(block: BlockName, place: Place, before: JsonObject, after: JsonObject): void {
    const { fields, open } = BLOCKS[block];
    for (const [key, field] of Object.entries(fields)) {
      this.#field(block, key, field, place, [own(before, key), own(after, key)]);
    }
    if (open !== true) return;
    for (const key of keysOf(before, after)) {
      if (Object.hasOwn(fields, key)) continue;
      this.#free(block, below(place, key), key, [own(before, key), own(after, key)]);
    }
  }

  #workflow(place: Place, written: JsonObject, after: JsonObject): void {
    const renamed = renamedSteps(written, after);
    const before = followSteps(written, renamed);
    const block = workflowBlock(after);
    const fields = { ...BLOCKS[workflowBlock(before)].fields, ...BLOCKS[block].fields };
    for (const [key, field] of Object.entries(fields)) {
      if (STEP_FIELDS.includes(key) || key === 'edges') continue;
      this.#field(block, key, field, place, [own(before, key), own(after, key)]);
    }
    this.#steps(place, before, after, new Map([...renamed].map(([old, now]) => [now, old])));
    this.#edges(place, before, after);
  }

  #workflowPart(
    block: 'step' | 'edge',
    name: string,
    place: Place,
    [old, now]: readonly [WorkflowPart | undefined, WorkflowPart | undefined],
    isMoved: boolean,
  ): void {
    const [before, after] = [old?.value, now?.value];
    const at: Place = {
      part: workflowPartName(block, name, after ?? before, place.part),
      before: [...place.before, ...(old?.path ?? [])],
      after: [...place.after, ...(now?.path ?? [])],
    };
    if (isMoved) this.#add('moved', block, at, null, [before, after]);
    if (!sameJson(before, after)) this.#part(block, at, [before, after]);
  }

  #steps(
    place: Place,
    before: JsonObject,
    after: JsonObject,
    oldIds: ReadonlyMap<string, string>,
  ): void {
    const [old, now] = [stepsOf(before), stepsOf(after)];
    const { removed, moved } = pairUp([...old.keys()], [...now.keys()]);
    const isOrdered = after['type'] !== 'graph' && before['type'] !== 'graph';
    for (const id of [...removed, ...now.keys()]) {
      const was = oldIds.get(id);
      const step = now.get(id);
      if (was !== undefined && step !== undefined) {
        const at = { part: `step "${id}"`, before: [], after: [...place.after, ...step.path] };
        this.#add('renamed', 'step', at, null, [was, id]);
      }
      this.#workflowPart('step', id, place, [old.get(id), step], isOrdered && moved.has(id));
    }
  }

  /** Edges are tried in their order, so one counts as moved among those of its node. */
  #edges(place: Place, before: JsonObject, after: JsonObject): void {
    const [old, now] = [edgesOf(before), edgesOf(after)];
    const begins = (edges: ReadonlyMap<string, WorkflowPart>) =>
      Map.groupBy(edges.keys(), (name) => beginOf(edges.get(name)?.value ?? null));
    const [oldBegins, newBegins] = [begins(old), begins(now)];
    for (const begin of new Set([...newBegins.keys(), ...oldBegins.keys()])) {
      const names = newBegins.get(begin) ?? [];
      const { removed, moved } = pairUp(oldBegins.get(begin) ?? [], names);
      for (const name of [...removed, ...names]) {
        this.#workflowPart('edge', name, place, [old.get(name), now.get(name)], moved.has(name));
      }
    }
  }

  whole(before: JsonObject, after: JsonObject): void {
    this.#block('root', { part: 'the spec', before: [], after: [] }, before, after);
  }
}

function plain(spec: Spec): JsonObject {
  const made: unknown = JSON.parse(JSON.stringify(spec));
  return membersOf(isJsonObject(made) ? made : {});
}

const FIRST = { gained: 0, lost: 1 } as const;

function rank({ privilege, behaviour }: SpecChange): number {
  if (privilege !== null) return FIRST[privilege];
  return behaviour ? 2 : 3;
}

/**
 * Two specs compared by what they say: spelling, order of keys, comments and defaults that are
 * written out make no difference. What gives a spec more to do, or less watching, comes first.
 */
export function compareSpecs(earlier: Spec, later: Spec): SpecComparison {
  const [before, after] = [plain(earlier), plain(later)];
  const renamed = renamedParts(before, after);
  const comparison = new Comparison(renamed);
  comparison.whole(followRenames(before, renamed), after);
  const changes = comparison.changes.toSorted((one, other) => rank(one) - rank(other));
  return { changes, sameBehaviour: changes.every(({ behaviour }) => !behaviour) };
}
