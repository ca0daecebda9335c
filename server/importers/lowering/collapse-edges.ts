import type { Condition } from '../../spec/schema/spec-types.ts';
import { DECISION_ROLES, type Flow } from './flow.ts';

/** A way from one step to the next, with what was crossed between them. */
export interface CollapsedEdge {
  readonly from: string;
  readonly to: string;
  /** Labels of the outputs passed, in order. */
  readonly labels: readonly string[];
  /** Decisions passed (importers 6.5). */
  readonly decisions: number;
  /** Conditions of the decisions passed that could be translated, in order. */
  readonly conditions: readonly Condition[];
  /** Routers passed and the outputs taken there, in order. */
  readonly choices: readonly Choice[];
}

/** An output taken at an element that decides. */
export interface Choice {
  readonly router: string;
  readonly position: number;
}

interface Way {
  readonly before: Way | undefined;
  readonly at: string;
  readonly labels: readonly string[];
  readonly decisions: number;
  readonly conditions: readonly Condition[];
  readonly choices: readonly Choice[];
}

function extend(flow: Flow, way: Way, label: string | null, position: number, to: string): Way {
  const output = flow.outputAt(way.at, position);
  const decides = DECISION_ROLES.has(output?.role ?? 'undeclared');
  const condition = output?.condition;
  return {
    before: way,
    at: to,
    labels: label === null ? way.labels : [...way.labels, label],
    decisions: way.decisions + (decides ? 1 : 0),
    conditions: condition === undefined ? way.conditions : [...way.conditions, condition],
    choices: flow.decides(way.at) ? [...way.choices, { router: way.at, position }] : way.choices,
  };
}

/** Beyond this many ways from one element only a few are kept for each target. */
const MANY_WAYS = 2000;
const FEW_PER_TARGET = 2;

/**
 * Collects ways. Of a source that is made to have endlessly many it keeps what the rules look at:
 * targets and decisions.
 */
class Ways {
  readonly list: CollapsedEdge[] = [];
  /** How often each target is in the list; counted only when the list is long. */
  private counts: Map<string, number> | undefined;
  private decided = false;

  add(edge: CollapsedEdge): void {
    if (this.list.length >= MANY_WAYS && this.isEnough(edge)) return;
    this.decided ||= edge.decisions > 1;
    this.list.push(edge);
  }

  private isEnough(edge: CollapsedEdge): boolean {
    this.counts ??= this.count();
    const count = this.counts.get(edge.to) ?? 0;
    const first = edge.decisions > 1 && !this.decided;
    if (count >= FEW_PER_TARGET && !first) return true;
    this.counts.set(edge.to, count + 1);
    return false;
  }

  private count(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { to } of this.list) counts.set(to, (counts.get(to) ?? 0) + 1);
    return counts;
  }
}

/** What is crossed on the ways from one element: each thing once. */
class Crossed {
  private readonly seen = new Set<string>();

  isNew(way: Way): boolean {
    if (this.seen.has(way.at)) return false;
    this.seen.add(way.at);
    return true;
  }
}

/** Beyond this many choices that lead to one element the rest is told, not drawn. */
const MOST_CHOICES = 16;

/** A second arrival by the same choice tells that what follows runs several times. */
const MOST_ARRIVALS = 2;

/** What is crossed on the ways from one element, for every choice that leads there. */
class CrossedByChoice {
  /** Elements that more choices lead to than are followed. */
  readonly crowded = new Set<string>();
  private readonly seen = new Map<string, Map<string, number>>();

  isNew(way: Way): boolean {
    for (let at = way.before; at !== undefined; at = at.before) if (at.at === way.at) return false;
    const choices = this.seen.get(way.at) ?? new Map<string, number>();
    const key = way.choices.map(({ router, position }) => `${position} ${router}`).join('\n');
    const arrivals = choices.get(key) ?? 0;
    if (arrivals >= MOST_ARRIVALS) return false;
    if (arrivals === 0 && choices.size >= MOST_CHOICES) {
      this.crowded.add(way.at);
      return false;
    }
    this.seen.set(way.at, choices.set(key, arrivals + 1));
    return true;
  }
}

function collapse(flow: Flow, start: string, crossed: Crossed | CrossedByChoice): CollapsedEdge[] {
  const out = new Ways();
  const first = { before: undefined, at: start, labels: [], decisions: 0, conditions: [] };
  const queue: Way[] = [{ ...first, choices: [] }];
  for (let i = 0; i < queue.length; i += 1) {
    const way = queue[i];
    if (way === undefined) break;
    for (const { target, label, position } of flow.from.get(way.at) ?? []) {
      const next = extend(flow, way, label, position, target);
      if (flow.steps.has(target)) {
        const { labels, decisions, conditions, choices } = next;
        out.add({ from: start, to: target, labels, decisions, conditions, choices });
      } else if (crossed.isNew(next)) queue.push(next);
    }
  }
  return out.list;
}

/** The ways from one element to the steps it leads to, breadth first. */
export function collapseFrom(flow: Flow, start: string): CollapsedEdge[] {
  return collapse(flow, start, new Crossed());
}

/** The ways from one element to the steps behind each of the outputs that are taken on the way. */
export function collapseByChoice(
  flow: Flow,
  start: string,
): { ways: CollapsedEdge[]; crowded: ReadonlySet<string> } {
  const crossed = new CrossedByChoice();
  return { ways: collapse(flow, start, crossed), crowded: crossed.crowded };
}

/** All ways between steps, in node order of their source (importers 6.5). */
export function collapseEdges(flow: Flow): CollapsedEdge[] {
  return flow.stepOrder.flatMap((step) => collapseFrom(flow, step));
}

/** Entries in the order of their first connection, then all other elements. */
function startOrder(flow: Flow): Iterable<string> {
  const entries = new Set(flow.graph.entries.map((entry) => entry.id));
  const connected = [...flow.from.keys()].filter((id) => entries.has(id));
  return new Set([...connected, ...flow.ids]);
}

/** The step at which the draft starts (importers 6.5); undefined without steps. */
export function findStart(flow: Flow, edges: readonly CollapsedEdge[]): string | undefined {
  for (const id of startOrder(flow)) {
    if (flow.incoming.has(id)) continue;
    if (flow.steps.has(id)) return id;
    const [first] = collapseFrom(flow, id);
    if (first !== undefined) return first.to;
  }
  const fed = new Set(edges.map((edge) => edge.to));
  return flow.stepOrder.find((step) => !fed.has(step)) ?? flow.stepOrder[0];
}

/** Steps reached from the start over collapsed edges, the start included. */
export function reachedSteps(
  start: string | undefined,
  edges: readonly CollapsedEdge[],
): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const edge of edges) next.set(edge.from, [...(next.get(edge.from) ?? []), edge.to]);
  const seen = new Set<string>(start === undefined ? [] : [start]);
  const queue = [...seen];
  for (let i = 0; i < queue.length; i += 1) {
    for (const to of next.get(queue[i] ?? '') ?? []) {
      if (seen.has(to)) continue;
      seen.add(to);
      queue.push(to);
    }
  }
  return seen;
}
