import { type JsonObject, setOwn } from '../../../kernel/json.ts';
import type { CollapsedEdge } from '../collapse-edges.ts';
import type { DraftStep } from '../draft.ts';
import { conditionOf } from '../graph-body.ts';
import { separateArms, withOwnStarts } from './copies.ts';
import { type Arm, type Fork, readFork, readSequence } from './fork.ts';
import { putInOrder } from './in-order.ts';
import {
  excludes,
  type ForkPlace,
  groupWays,
  OUTSIDE,
  placeOf,
  plainWay,
  type Region,
  reachIn,
  stepJson,
} from './region.ts';
import { findShortcuts } from './shortcuts.ts';
import {
  CHECK_COPIES,
  CHECK_INPUT,
  CHECK_ORDER,
  CHECK_TWICE,
  IN_ORDER,
  label,
  quoted,
  SIDE_BY_SIDE,
  sayCutOff,
  sayFork,
  type Told,
  TWICE,
} from './tell-forks.ts';
import type { Writing } from './writing.ts';

function armRegion(region: Region, arm: Arm): Region {
  const steps = new Map<string, DraftStep>();
  const ways = new Map<string, CollapsedEdge[]>([[OUTSIDE, [plainWay(OUTSIDE, arm.start)]]]);
  for (const [id, step] of region.steps) {
    if (!arm.steps.has(id)) continue;
    steps.set(id, step);
    ways.set(
      id,
      (region.ways.get(id) ?? []).filter((way) => arm.steps.has(way.to)),
    );
  }
  return { steps, ways };
}

function participant(writing: Writing, region: Region, arm: Arm): JsonObject {
  for (const id of arm.steps) {
    const step = region.steps.get(id);
    if (step !== undefined) region.steps.set(id, writing.draft.withoutPause(id, step));
  }
  const first = region.steps.get(arm.start);
  const isRepeated = (region.ways.get(arm.start) ?? []).some(({ to }) => to === arm.start);
  if (arm.steps.size === 1 && first !== undefined && !isRepeated) return stepJson(first);
  const wanted = `${first?.id ?? 'arm'}_branch`;
  const name = writing.draft.claimName('workflows', wanted, 'workflow');
  const body = writeWorkflow(writing, armRegion(region, arm));
  writing.draft.addComponent('workflows', name, body ?? { type: 'sequential', steps: [] });
  return { id: name, kind: 'workflow', ref: name };
}

function removeArms(region: Region, fork: Fork): void {
  for (const arm of fork.arms) {
    for (const id of arm.steps) {
      region.steps.delete(id);
      region.ways.delete(id);
    }
  }
}

/** True for a fork of one arm that runs to its end: what comes after it is the join. */
function isChain(region: Region, { arms, joins }: Fork): boolean {
  const [arm, ...more] = arms;
  if (arm === undefined || more.length > 0 || joins.length !== 1) return false;
  return [...arm.steps].every((id) =>
    (region.ways.get(id) ?? []).every((way) => way.choices.length === 0),
  );
}

/**
 * A fork with one arm only: the arm stays in the flow, before the step that the other ways lead to.
 */
function keepInFlow(region: Region, source: string, fork: Fork): CollapsedEdge | undefined {
  const [arm] = fork.arms;
  const [join] = fork.joins;
  const entering = fork.ways.find((way) => way.to === arm?.start);
  if (arm === undefined || join === undefined || entering === undefined) return undefined;
  const gone = new Set(fork.ways.filter((way) => way !== entering));
  region.ways.set(
    source,
    (region.ways.get(source) ?? []).filter((way) => !gone.has(way)),
  );
  for (const id of arm.steps) {
    const inside = (region.ways.get(id) ?? []).filter((way) => arm.steps.has(way.to));
    region.ways.set(id, inside.length > 0 ? inside : [plainWay(id, join)]);
  }
  return entering;
}

/** Puts one step in the place of the arms: it runs them side by side. */
function replaceFork(
  writing: Writing,
  region: Region,
  source: string,
  fork: Fork,
): CollapsedEdge | undefined {
  if (isChain(region, fork)) return keepInFlow(region, source, fork);
  const { draft } = writing;
  const [model] = fork.ways;
  if (model === undefined) return undefined;
  const participants = fork.arms.map((arm) => participant(writing, region, arm));
  const before = region.steps.get(source)?.id ?? 'start';
  const name = draft.claimName('workflows', `after_${before}`, 'workflow');
  draft.addComponent('workflows', name, { type: 'concurrent', participants });
  const made = `fork:${name}`;
  const id = draft.claimStepId(name);
  region.steps.set(made, { id, kind: 'workflow', ref: name, settings: {} });
  const gone = new Set<CollapsedEdge>(fork.ways);
  const entering = { ...model, to: made };
  const left = (region.ways.get(source) ?? []).filter((way) => !gone.has(way) || way === model);
  region.ways.set(
    source,
    left.map((way) => (way === model ? entering : way)),
  );
  region.ways.set(
    made,
    fork.joins.map((join) => plainWay(made, join)),
  );
  removeArms(region, fork);
  return entering;
}

/** Leaves out ways to steps that other ways of the group lead to anyway. */
function withoutShortcuts(
  writing: Writing,
  region: Region,
  source: string,
  ways: readonly CollapsedEdge[],
): readonly CollapsedEdge[] {
  const shortcuts = findShortcuts(region, source, ways);
  const gone = new Set(shortcuts.map(({ way }) => way));
  if (gone.size === 0) return ways;
  region.ways.set(
    source,
    (region.ways.get(source) ?? []).filter((way) => !gone.has(way)),
  );
  for (const { way, over } of shortcuts) {
    const target = quoted(writing, region, way);
    const how = `; in the draft ${target} runs once, after ${quoted(writing, region, over)} and what follows it.`;
    sayFork(writing, region, source, [way, over], { how, todo: CHECK_INPUT });
  }
  return ways.filter((way) => !gone.has(way));
}

/** Keeps one of several ways of the group to the same step. */
function withoutDoubles(
  writing: Writing,
  region: Region,
  source: string,
  ways: readonly CollapsedEdge[],
): readonly CollapsedEdge[] {
  const first = new Map<string, CollapsedEdge>();
  for (const way of ways) if (!first.has(way.to)) first.set(way.to, way);
  const kept = new Set(first.values());
  const doubles = ways.filter((way) => !kept.has(way));
  if (doubles.length === 0) return ways;
  region.ways.set(
    source,
    (region.ways.get(source) ?? []).filter((way) => !doubles.includes(way)),
  );
  const told = doubles.filter((way) => !writing.gathering.has(way.to));
  if (told.length > 0) sayFork(writing, region, source, told, { how: TWICE, todo: CHECK_TWICE });
  return [...kept];
}

/** Tells what leaves the arms of a fork in several ways: one step stands for the arms from now on. */
function tellDoublesOf(writing: Writing, region: Region, fork: Fork): void {
  for (const id of fork.arms.flatMap((arm) => [...arm.steps])) {
    const plain = (region.ways.get(id) ?? []).filter((way) => way.choices.length === 0);
    withoutDoubles(writing, region, id, plain);
  }
}

/** How a group of ways can be written, and what the author reads about it. */
interface Reading {
  /** The ways of the group, as they are after steps were copied. */
  readonly group: readonly CollapsedEdge[];
  readonly fork: Fork;
  readonly told: Told;
}

function readSideBySide(region: Region, place: ForkPlace): Reading | undefined {
  const fork = readFork(region, place);
  return fork && { group: place.ways, fork, told: { how: SIDE_BY_SIDE, todo: CHECK_ORDER } };
}

/** Makes a region what another one became. */
function adopt(region: Region, trial: Region): void {
  region.steps.clear();
  for (const [id, step] of trial.steps) region.steps.set(id, step);
  region.ways.clear();
  for (const [id, ways] of trial.ways) region.ways.set(id, ways);
}

function readSeparated(writing: Writing, region: Region, place: ForkPlace): Reading | undefined {
  const trial = { steps: new Map(region.steps), ways: new Map(region.ways) };
  const separated = separateArms(writing, trial, place);
  const fork = separated && readFork(trial, placeOf(trial, place.source, separated.ways));
  if (separated === undefined || fork === undefined) return undefined;
  adopt(region, trial);
  const names = separated.shared.map((id) => `"${label(writing, region, id)}"`).join(', ');
  const how = `; in the draft they run side by side, and ${names} ${separated.shared.length === 1 ? 'stands' : 'stand'} in each arm that leads there, as the source runs a step once for each arm.`;
  return { group: separated.ways, fork, told: { how, todo: CHECK_COPIES } };
}

function readInOrder(writing: Writing, region: Region, place: ForkPlace): Reading | undefined {
  const { ways } = place;
  const fork = readSequence(region, place, (id) => writing.mayEnd(id));
  const last = ways.find((way) => way.to === fork?.joins[0]);
  if (fork === undefined || last === undefined) return undefined;
  const how = `; in the draft ${quoted(writing, region, last)} comes last, since it decides or waits before they meet.`;
  return { group: ways, fork, told: { how, todo: CHECK_INPUT } };
}

/** Says which steps a fork has copies of because other outputs lead to them too. */
function copiedNote(writing: Writing, region: Region, shared: readonly string[]): string {
  if (shared.length === 0) return '';
  const names = shared.map((id) => `"${label(writing, region, id)}"`).join(', ');
  return ` ${names} ${shared.length === 1 ? 'stands' : 'stand'} in the draft once for each output that leads there.`;
}

/** Replaces what can be read as forks among the ways of one group, the innermost first. */
function resolveGroup(
  writing: Writing,
  region: Region,
  source: string,
  ways: readonly CollapsedEdge[],
): void {
  if (ways.length < 2) return;
  const distinct = withoutDoubles(writing, region, source, ways);
  const needed = withoutShortcuts(writing, region, source, distinct);
  if (needed.length < 2) return;
  const own = withOwnStarts(writing, region, placeOf(region, source, needed));
  let left = own.ways;
  let note = copiedNote(writing, region, own.shared);
  while (left.length > 1) {
    const place = placeOf(region, source, left);
    const reading =
      readSideBySide(region, place) ??
      readSeparated(writing, region, place) ??
      readInOrder(writing, region, place);
    if (reading === undefined) {
      const isOrdered = putInOrder(region, place);
      const told = { how: IN_ORDER, todo: CHECK_INPUT };
      sayFork(writing, region, source, left, isOrdered ? told : undefined, note);
      return;
    }
    sayFork(writing, region, source, reading.fork.ways, reading.told, note);
    note = '';
    const { group, fork } = reading;
    tellDoublesOf(writing, region, fork);
    const entering = replaceFork(writing, region, source, fork);
    const rest = group.filter((way) => !fork.ways.includes(way));
    left = entering === undefined ? rest : [entering, ...rest];
  }
}

function resolveForksAt(writing: Writing, region: Region, source: string): void {
  const out = region.ways.get(source) ?? [];
  if (out.length < 2) return;
  const groups = groupWays(out);
  const clear = groups.every((a, i) => groups.slice(i + 1).every((b) => excludes(a, b)));
  if (!clear) {
    sayFork(writing, region, source, out, undefined);
    return;
  }
  for (const { ways } of groups) resolveGroup(writing, region, source, ways);
}

function resolveForks(writing: Writing, region: Region): void {
  const done = new Set<string>();
  const queue = [OUTSIDE];
  for (let i = 0; i < queue.length; i += 1) {
    const source = queue[i] ?? OUTSIDE;
    if (done.has(source)) continue;
    done.add(source);
    resolveForksAt(writing, region, source);
    for (const { to } of region.ways.get(source) ?? []) queue.push(to);
  }
}

function chain(region: Region, start: string): DraftStep[] | undefined {
  const order: DraftStep[] = [];
  const seen = new Set<string>();
  for (let id: string | undefined = start; id !== undefined; ) {
    const step = region.steps.get(id);
    const ways: readonly CollapsedEdge[] = region.ways.get(id) ?? [];
    const routed = ways.some((way) => way.labels.length > 0 || way.decisions > 0);
    if (step === undefined || seen.has(id) || ways.length > 1 || routed) return undefined;
    seen.add(id);
    order.push(step);
    id = ways[0]?.to;
  }
  return order.length === region.steps.size ? order : undefined;
}

/** True when everything that was decided on the way is a condition of the edge. */
function isTold(way: CollapsedEdge): boolean {
  return way.decisions > 0 && way.conditions.length >= way.decisions;
}

function edgeOf(step: DraftStep, target: DraftStep, way: CollapsedEdge): JsonObject {
  const edge: JsonObject = { from: step.id, to: target.id };
  if (way.labels.length > 0 || way.conditions.length > 0) edge['condition'] = conditionOf(way);
  if (way.labels.length > 0) edge['label'] = way.labels.join('/');
  return edge;
}

/** Edges of one step: those with conditions first, since the first that matches is taken. */
function edgesFrom(region: Region, id: string, step: DraftStep): JsonObject[] {
  const ways = region.ways.get(id) ?? [];
  const seen = new Set<string>();
  const out: JsonObject[] = [];
  for (const way of [...ways.filter(isTold), ...ways.filter((w) => !isTold(w))]) {
    const target = region.steps.get(way.to);
    if (target === undefined) continue;
    const edge = edgeOf(step, target, way);
    const key = JSON.stringify(edge);
    if (seen.has(key)) continue;
    seen.add(key);
    out.push(edge);
  }
  return out;
}

function edgesOf(region: Region): JsonObject[] {
  return [...region.steps].flatMap(([id, step]) => edgesFrom(region, id, step));
}

/** The workflow of a region: a chain, or a graph; forks become steps that run side by side. */
export function writeWorkflow(writing: Writing, region: Region): JsonObject | undefined {
  resolveForks(writing, region);
  const start = region.ways.get(OUTSIDE)?.[0]?.to;
  if (start === undefined) return undefined;
  const reached = reachIn(region, start);
  for (const id of [...region.steps.keys()]) {
    if (!reached.has(id)) sayCutOff(writing, region, id);
  }
  const order = chain(region, start);
  if (order !== undefined) return { type: 'sequential', steps: order.map(stepJson) };
  const nodes: JsonObject = {};
  for (const step of region.steps.values()) setOwn(nodes, step.id, stepJson(step));
  const first = region.steps.get(start)?.id ?? '';
  const body: JsonObject = { type: 'graph', start: first, nodes, edges: edgesOf(region) };
  if (writing.maxSteps !== undefined) body['max_steps'] = writing.maxSteps;
  return body;
}
