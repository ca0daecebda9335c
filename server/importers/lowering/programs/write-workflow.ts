import { type JsonObject, setOwn } from '../../../kernel/json.ts';
import type { SourceRef } from '../../analysis.ts';
import type { Card } from '../../gaps/gap-stream.ts';
import type { CollapsedEdge } from '../collapse-edges.ts';
import type { Draft, DraftStep } from '../draft.ts';
import { conditionOf } from '../graph-body.ts';
import { type Arm, type Fork, readFork } from './fork.ts';
import { excludes, groupWays, OUTSIDE, type Region, reachIn, stepJson } from './region.ts';

/** What writing needs beside the region. */
export interface Writing {
  readonly draft: Draft;
  readonly refs: ReadonlyMap<string, SourceRef>;
  readonly cards: Card[];
  readonly maxSteps: number | undefined;
}

function label(writing: Writing, region: Region, id: string): string {
  return writing.refs.get(id)?.source_label ?? region.steps.get(id)?.id ?? id;
}

function plain(from: string, to: string): CollapsedEdge {
  return { from, to, labels: [], decisions: 0, conditions: [], choices: [] };
}

function armRegion(region: Region, arm: Arm): Region {
  const steps = new Map<string, DraftStep>();
  const ways = new Map<string, CollapsedEdge[]>([[OUTSIDE, [plain(OUTSIDE, arm.start)]]]);
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
  if (arm.steps.size === 1 && first !== undefined) return stepJson(first);
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

/** Puts one step in the place of the arms: it runs them side by side. */
function replaceFork(
  writing: Writing,
  region: Region,
  source: string,
  fork: Fork,
): CollapsedEdge | undefined {
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
    fork.joins.map((join) => plain(made, join)),
  );
  removeArms(region, fork);
  return entering;
}

/** Replaces what can be read as forks among the ways of one group, the innermost first. */
function resolveGroup(
  writing: Writing,
  region: Region,
  source: string,
  ways: readonly CollapsedEdge[],
): void {
  let left = ways;
  while (left.length > 1) {
    const fork = readFork(region, source, left);
    sayFork(writing, region, source, fork?.ways ?? left, fork !== undefined);
    if (fork === undefined) return;
    const entering = replaceFork(writing, region, source, fork);
    const rest = left.filter((way) => !fork.ways.includes(way));
    left = entering === undefined ? rest : [entering, ...rest];
  }
}

function sayFork(
  writing: Writing,
  region: Region,
  source: string,
  ways: readonly CollapsedEdge[],
  carried: boolean,
): void {
  const first = ways[0];
  const at = source === OUTSIDE ? first?.from : source;
  const ref = writing.refs.get(at ?? '') ?? writing.refs.get(first?.to ?? '');
  if (ref === undefined) return;
  const names = [...new Set(ways.map((way) => `"${label(writing, region, way.to)}"`))].join(', ');
  const said = `"${ref.source_label}" sends its result to ${names} at once`;
  if (carried) {
    const detail = `${said}; in the draft they run side by side and what follows runs once with all their results.`;
    const todo = 'Check the order in which the results are put together.';
    writing.cards.push({ ref, kind: 'carried_as', severity: 'manual', detail, todo });
  } else {
    const detail = `${said}; a graph follows one edge at a time.`;
    writing.cards.push({ ref, kind: 'branching_shape', detail });
  }
}

function resolveForksAt(writing: Writing, region: Region, source: string): void {
  const groups = groupWays(region.ways.get(source) ?? []);
  const clear = groups.every((a, i) => groups.slice(i + 1).every((b) => excludes(a, b)));
  if (!clear) {
    sayFork(writing, region, source, region.ways.get(source) ?? [], false);
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
    const routed = ways.some((way) => way.labels.length > 0 || way.conditions.length > 0);
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
    const key = isTold(way) ? JSON.stringify(edge) : way.to;
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

function sayCutOff(writing: Writing, region: Region, id: string): void {
  const ref = writing.refs.get(id);
  if (ref === undefined) return;
  const detail = `The start of the draft does not lead to "${label(writing, region, id)}".`;
  writing.cards.push({ ref, kind: 'branching_shape', detail });
}
