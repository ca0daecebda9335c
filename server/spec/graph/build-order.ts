import { compareCodePoints } from '../../kernel/canonical-json.ts';
import { named, plainSteps } from '../schema/elements.ts';
import type { Agent, Spec, Step } from '../schema/spec-types.ts';

/** A part that is built from other parts. */
export interface BuildNode {
  readonly kind: 'agent' | 'skill' | 'tool' | 'workflow';
  readonly name: string;
}

/** Parts in an order in which each comes after what it needs, or one cycle that forbids this. */
export type BuildOrder =
  | { readonly order: BuildNode[]; readonly cycle: null }
  | { readonly order: null; readonly cycle: BuildNode[] };

const id = (kind: BuildNode['kind'], name: string): string => `${kind} ${name}`;

/** Function or agent components that guardrails and memory of an agent name (spec-v1 18, no. 4). */
function referredAgents(spec: Spec, agent: Agent): string[] {
  const found: string[] = [];
  const add = (ref: unknown): void => {
    if (typeof ref === 'string' && named(spec.components.agents, ref) !== undefined)
      found.push(ref);
  };
  for (const items of Object.values(agent.guardrails ?? {})) {
    if (!Array.isArray(items)) continue;
    for (const item of items) {
      if (
        typeof item === 'object' &&
        item !== null &&
        !Array.isArray(item) &&
        item['type'] === 'agent'
      ) {
        add(item['ref']);
      }
    }
  }
  const summarizer = agent.memory?.['summarizer'];
  if (typeof summarizer === 'object' && summarizer !== null && !Array.isArray(summarizer)) {
    const ref = summarizer['ref'];
    if (typeof ref === 'string' && named(spec.components.functions, ref) === undefined) add(ref);
  }
  return found;
}

function needsOfAgent(spec: Spec, agent: Agent): string[] {
  return [
    ...(agent.tools?.include ?? []).map((name) => id('tool', name)),
    ...agent.skills.map((name) => id('skill', name)),
    ...(agent.as_agent === null ? [] : [id('workflow', agent.as_agent)]),
    ...referredAgents(spec, agent).map((name) => id('agent', name)),
  ];
}

function needsOfSteps(steps: readonly Step[]): string[] {
  const needs: string[] = [];
  for (const { enabled, kind, ref } of steps) {
    if (!enabled) continue;
    if (kind === 'workflow') needs.push(id('workflow', ref));
    else if (kind === 'agent' || kind === 'guardrail') needs.push(id('agent', ref));
  }
  return needs;
}

interface Part {
  readonly node: BuildNode;
  readonly needs: ReadonlySet<string>;
}

function partsOf(spec: Spec): Map<string, Part> {
  const wanted: { node: BuildNode; needs: string[] }[] = [];
  for (const [name, agent] of Object.entries(spec.components.agents)) {
    wanted.push({ node: { kind: 'agent', name }, needs: needsOfAgent(spec, agent) });
  }
  for (const name of Object.keys(spec.skills))
    wanted.push({ node: { kind: 'skill', name }, needs: [] });
  for (const [name, tool] of Object.entries(spec.tools)) {
    wanted.push({
      node: { kind: 'tool', name },
      needs: tool.agent === null ? [] : [id('agent', tool.agent)],
    });
  }
  for (const [name, workflow] of Object.entries(spec.components.workflows)) {
    wanted.push({ node: { kind: 'workflow', name }, needs: needsOfSteps(plainSteps(workflow)) });
  }
  const known = new Set(wanted.map(({ node }) => id(node.kind, node.name)));
  return new Map(
    wanted.map(({ node, needs }) => [
      id(node.kind, node.name),
      { node, needs: new Set(needs.filter((need) => known.has(need))) },
    ]),
  );
}

function byKindAndName(a: Part, b: Part): number {
  return compareCodePoints(a.node.kind, b.node.kind) || compareCodePoints(a.node.name, b.node.name);
}

/** One cycle among parts that all still need one another. */
function cycleAmong(parts: ReadonlyMap<string, Part>): BuildNode[] {
  const walk: string[] = [];
  const at = new Map<string, number>();
  const [start] = [...parts.values()].sort(byKindAndName);
  let next = start === undefined ? undefined : id(start.node.kind, start.node.name);
  while (next !== undefined) {
    const back = at.get(next);
    if (back !== undefined) return walk.slice(back).flatMap((one) => parts.get(one)?.node ?? []);
    at.set(next, walk.length);
    walk.push(next);
    next = [...(parts.get(next)?.needs ?? [])].find((need) => parts.has(need));
  }
  return [];
}

/** Part → the parts that need it. */
function usersOf(parts: ReadonlyMap<string, Part>): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const [key, { needs }] of parts) {
    for (const need of needs) {
      const known = users.get(need);
      if (known === undefined) users.set(need, [key]);
      else known.push(key);
    }
  }
  return users;
}

/**
 * Orders the parts of a spec for building (spec-v1 10); ready parts by kind, then name. Names that
 * nothing declares are left out: other rules report them.
 */
export function buildOrder(spec: Spec): BuildOrder {
  const open = partsOf(spec);
  const users = usersOf(open);
  const waiting = new Map([...open].map(([key, part]) => [key, part.needs.size]));
  const order: BuildNode[] = [];
  const freedBy = ({ node }: Part): Part[] =>
    (users.get(id(node.kind, node.name)) ?? []).flatMap((user) => {
      const left = (waiting.get(user) ?? 0) - 1;
      waiting.set(user, left);
      return left === 0 ? (open.get(user) ?? []) : [];
    });
  let ready = [...open.values()].filter(({ needs }) => needs.size === 0).sort(byKindAndName);
  while (ready.length > 0) {
    for (const { node } of ready) {
      order.push(node);
      open.delete(id(node.kind, node.name));
    }
    ready = ready.flatMap(freedBy).sort(byKindAndName);
  }
  return open.size === 0 ? { order, cycle: null } : { order: null, cycle: cycleAmong(open) };
}
