import { isObject, type Json } from '../../kernel/json.ts';
import { agentsOf, type Placed, stepsOf, workflowsOf } from '../schema/elements.ts';
import type { Agent, Spec, Workflow } from '../schema/spec-types.ts';

/** Maps whose names are referred to. */
export type NameKind =
  | 'agent'
  | 'workflow'
  | 'function'
  | 'human'
  | 'tool'
  | 'skill'
  | 'mcp_server'
  | 'step';

/** A name that something declares, and where. `scope` is the workflow path of a step, else null. */
export interface Definition {
  readonly kind: NameKind;
  readonly name: string;
  readonly path: string;
  readonly scope: string | null;
}

/** A place that uses a name. */
export interface Use {
  readonly kind: NameKind;
  readonly name: string;
  readonly path: string;
  readonly scope: string | null;
}

/** Names and where they are used. */
export interface References {
  readonly definitions: Definition[];
  readonly uses: Use[];
}

const STEP_TARGET = {
  agent: 'agent',
  guardrail: 'agent',
  function: 'function',
  human: 'human',
  workflow: 'workflow',
} as const;

type Add = (kind: NameKind, name: string, path: string, scope?: string) => void;

function refAt(value: Json | undefined): string | undefined {
  const ref = isObject(value) ? value['ref'] : undefined;
  return typeof ref === 'string' ? ref : undefined;
}

function componentKind(spec: Spec, name: string): NameKind {
  return Object.hasOwn(spec.components.agents, name) &&
    !Object.hasOwn(spec.components.functions, name)
    ? 'agent'
    : 'function';
}

function usesOfGuardrails(spec: Spec, agent: Agent, path: string, use: Add): void {
  for (const [stage, items] of Object.entries(agent.guardrails ?? {})) {
    if (!Array.isArray(items)) continue;
    items.forEach((item, index) => {
      const ref = refAt(item);
      if (ref === undefined) return;
      const kind = isObject(item) && item['type'] === 'agent' ? 'agent' : componentKind(spec, ref);
      use(kind, ref, `${path}.guardrails.${stage}[${index}].ref`);
    });
  }
}

function usesOfAgent(spec: Spec, { item, path }: Placed<Agent>, use: Add): void {
  item.tools?.include.forEach((name, i) => {
    use('tool', name, `${path}.tools.include[${i}]`);
  });
  item.tools?.exclude.forEach((name, i) => {
    use('tool', name, `${path}.tools.exclude[${i}]`);
  });
  item.skills.forEach((name, i) => {
    use('skill', name, `${path}.skills[${i}]`);
  });
  if (item.as_agent !== null) use('workflow', item.as_agent, `${path}.as_agent`);
  for (const part of ['summarizer', 'retriever']) {
    const ref = refAt(item.memory?.[part]);
    if (ref !== undefined) use(componentKind(spec, ref), ref, `${path}.memory.${part}.ref`);
  }
  usesOfGuardrails(spec, item, path, use);
}

function usesOfWorkflow({ item, path }: Placed<Workflow>, define: Add, use: Add): void {
  for (const placed of stepsOf(item, path)) {
    const { step } = placed;
    define('step', placed.key, item.type === 'graph' ? placed.path : `${placed.path}.id`, path);
    use(STEP_TARGET[step.kind], step.ref, `${placed.path}.ref`);
    if (step.fallback_ref !== null)
      use('step', step.fallback_ref, `${placed.path}.fallback_ref`, path);
  }
  if (item.type === 'graph') {
    use('step', item.start, `${path}.start`, path);
    item.edges.forEach((edge, i) => {
      use('step', edge.from, `${path}.edges[${i}].from`, path);
      use('step', edge.to, `${path}.edges[${i}].to`, path);
    });
  }
  if (item.type === 'handoff') {
    item.selector.sequence.forEach((id, i) => {
      use('step', id, `${path}.selector.sequence[${i}]`, path);
    });
  }
}

function defineNames(spec: Spec, define: Add): void {
  const maps: [NameKind, string, object][] = [
    ['agent', 'components.agents', spec.components.agents],
    ['workflow', 'components.workflows', spec.components.workflows],
    ['function', 'components.functions', spec.components.functions],
    ['human', 'components.humans', spec.components.humans],
    ['tool', 'tools', spec.tools],
    ['mcp_server', 'mcp_servers', spec.mcp_servers],
    ['skill', 'skills', spec.skills],
  ];
  for (const [kind, path, map] of maps) {
    for (const name of Object.keys(map)) define(kind, name, `${path}.${name}`);
  }
}

/** Every name that a spec declares and every place that uses one, with document paths. */
export function referencesOf(spec: Spec): References {
  const definitions: Definition[] = [];
  const uses: Use[] = [];
  const define: Add = (kind, name, path, scope) => {
    definitions.push({ kind, name, path, scope: scope ?? null });
  };
  const use: Add = (kind, name, path, scope) => {
    uses.push({ kind, name, path, scope: scope ?? null });
  };
  defineNames(spec, define);
  for (const placed of agentsOf(spec)) usesOfAgent(spec, placed, use);
  for (const placed of workflowsOf(spec)) usesOfWorkflow(placed, define, use);
  for (const [name, tool] of Object.entries(spec.tools)) {
    if (tool.agent !== null) use('agent', tool.agent, `tools.${name}.agent`);
    const server = tool.mcp?.['server'];
    if (typeof server === 'string') use('mcp_server', server, `tools.${name}.mcp.server`);
  }
  return { definitions, uses };
}
