import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts';
import { DRAFT, type Place } from './place.ts';

/** One step where it stands in a workflow of the draft. */
interface Occurrence {
  readonly workflow: string;
  readonly id: string;
  /** Kind and component: what it runs. */
  readonly runs: string;
  readonly place: Place;
}

/** One step after another in a workflow, and what its edge calls the outputs on it. */
export interface Way {
  readonly from: string;
  readonly to: string;
  readonly place: Place;
  readonly outputs: readonly string[];
}

interface Body {
  readonly name: string;
  readonly starts: readonly string[];
  readonly steps: ReadonlyMap<string, Occurrence>;
  readonly ways: ReadonlyMap<string, readonly Way[]>;
}

/** The name of the draft's own workflow among its components. */
const ROOT = '';
const NONE: readonly string[] = [];
const OUTPUT = 'output_';

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** What a step runs, as one text. */
export function runsOf(kind: string, ref: string): string {
  return `${kind}:${ref}`;
}

function listed(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function grouped(ways: readonly Way[]): Map<string, Way[]> {
  const out = new Map<string, Way[]>();
  for (const way of ways) {
    const list = out.get(way.from);
    if (list === undefined) out.set(way.from, [way]);
    else list.push(way);
  }
  return out;
}

/** Steps of a body in their order, by id. */
function readSteps(name: string, body: JsonObject, place: Place): Map<string, Occurrence> {
  const steps = new Map<string, Occurrence>();
  const add = (step: Json, at: Place): void => {
    if (!isJsonObject(step)) return;
    const id = text(step['id']);
    const runs = runsOf(text(step['kind']), text(step['ref']));
    steps.set(id, { workflow: name, id, runs, place: at });
  };
  for (const list of ['steps', 'participants']) {
    for (const [i, step] of listed(body[list]).entries()) add(step, place.below(list).below(i));
  }
  const nodes = body['nodes'];
  if (isJsonObject(nodes)) {
    for (const [id, step] of Object.entries(nodes)) add(step, place.below('nodes').below(id));
  }
  return steps;
}

/** The outputs that an edge is for: by its condition in a flow of items, else by its label. */
function outputsOf(edge: JsonObject): readonly string[] {
  const condition = edge['condition'];
  const key = isJsonObject(condition) ? text(condition['key']) : '';
  if (key.startsWith(OUTPUT)) return [key.slice(OUTPUT.length)];
  return edge['label'] === undefined ? NONE : text(edge['label']).split('/');
}

function readWays(body: JsonObject, ids: readonly string[], place: Place): Way[] {
  const ways: Way[] = [];
  for (const [i, edge] of listed(body['edges']).entries()) {
    if (!isJsonObject(edge)) continue;
    const at = place.below('edges').below(i);
    ways.push({
      from: text(edge['from']),
      to: text(edge['to']),
      place: at,
      outputs: outputsOf(edge),
    });
  }
  if (body['type'] !== 'sequential') return ways;
  for (const [i, to] of ids.entries()) {
    const from = ids[i - 1];
    if (from !== undefined)
      ways.push({ from, to, place: place.below('steps').below(i), outputs: NONE });
  }
  return ways;
}

function readBody(name: string, body: JsonObject, place: Place): Body {
  const steps = readSteps(name, body, place);
  const ids = [...steps.keys()];
  const first = body['type'] === 'graph' ? [text(body['start'])] : ids.slice(0, 1);
  const starts = body['type'] === 'concurrent' ? ids : first;
  return { name, starts, steps, ways: grouped(readWays(body, ids, place)) };
}

type Targets = Map<string, Way[]>;

/** Which step runs right after which in a draft, through the workflows that stand in each other. */
export class DraftFlow {
  private readonly bodies = new Map<string, Body>();
  private readonly where = new Map<string, Occurrence[]>();
  private readonly after = new Map<string, ReadonlyMap<string, readonly Way[]>>();
  private readonly entering = new Map<string, readonly string[]>();

  constructor(spec: JsonObject) {
    const own = spec['workflow'];
    if (isJsonObject(own)) this.add(readBody(ROOT, own, DRAFT.below('workflow')));
    const components = spec['components'];
    const workflows = isJsonObject(components) ? components['workflows'] : undefined;
    if (!isJsonObject(workflows)) return;
    for (const [name, body] of Object.entries(workflows)) {
      const place = DRAFT.at(['components', 'workflows', name]);
      if (isJsonObject(body)) this.add(readBody(name, body, place));
    }
  }

  /** Where steps that run this stand. */
  places(runs: string): readonly Place[] {
    return (this.where.get(runs) ?? []).map((occurrence) => occurrence.place);
  }

  /** Where the edges of all workflows stand. */
  *edges(): Generator<Place> {
    for (const body of this.bodies.values()) {
      for (const ways of body.ways.values()) for (const way of ways) yield way.place;
    }
  }

  /** What runs right after these steps, and where the draft says so. */
  next(runs: string): ReadonlyMap<string, readonly Way[]> {
    const known = this.after.get(runs);
    if (known !== undefined) return known;
    const out: Targets = new Map();
    const seen = new Set<Occurrence>();
    for (const occurrence of this.where.get(runs) ?? []) this.follow(occurrence, out, seen);
    this.after.set(runs, out);
    return out;
  }

  /** True when one may run some time after the other. */
  isLater(runs: string, target: string): boolean {
    const seen = new Set([runs]);
    for (const at of seen) {
      const next = this.next(at);
      if (next.has(target)) return true;
      for (const other of next.keys()) seen.add(other);
    }
    return false;
  }

  /** Where a workflow begins with this. */
  startOf(runs: string): Place | undefined {
    for (const { workflow, place } of this.where.get(runs) ?? []) {
      const body = this.bodies.get(workflow);
      if (body?.starts.some((id) => body.steps.get(id)?.runs === runs) === true) return place;
    }
    return undefined;
  }

  private add(body: Body): void {
    this.bodies.set(body.name, body);
    for (const occurrence of body.steps.values()) {
      const list = this.where.get(occurrence.runs);
      if (list === undefined) this.where.set(occurrence.runs, [occurrence]);
      else list.push(occurrence);
    }
  }

  private follow(occurrence: Occurrence, out: Targets, seen: Set<Occurrence>): void {
    if (seen.has(occurrence)) return;
    seen.add(occurrence);
    const body = this.bodies.get(occurrence.workflow);
    for (const way of body?.ways.get(occurrence.id) ?? []) {
      const target = body?.steps.get(way.to);
      if (target === undefined) continue;
      for (const runs of this.begins(target.runs)) {
        const known = out.get(runs);
        if (known === undefined) out.set(runs, [way]);
        else known.push(way);
      }
    }
    if (occurrence.workflow === ROOT) return;
    for (const runner of this.where.get(runsOf('workflow', occurrence.workflow)) ?? []) {
      this.follow(runner, out, seen);
    }
  }

  /** A step, and what a workflow that it runs begins with. */
  private begins(runs: string): readonly string[] {
    const known = this.entering.get(runs);
    if (known !== undefined) return known;
    this.entering.set(runs, [runs]);
    const name = runs.startsWith('workflow:') ? runs.slice('workflow:'.length) : undefined;
    const body = name === undefined ? undefined : this.bodies.get(name);
    const inner = (body?.starts ?? []).flatMap((id) => {
      const step = body?.steps.get(id);
      return step === undefined ? [] : this.begins(step.runs);
    });
    const all = [...new Set([runs, ...inner])];
    this.entering.set(runs, all);
    return all;
  }
}
