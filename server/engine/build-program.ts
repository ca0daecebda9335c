import type { JsonObject } from '../kernel/json.ts';
import { redactText } from '../kernel/redact.ts';
import { buildOrder } from '../spec/graph/build-order.ts';
import type { Components, Spec, Tool } from '../spec/schema/spec-types.ts';
import { buildAgent, guardrailsOf } from './build-agent.ts';
import { buildWorkflow, StepCounters } from './build-workflow.ts';
import {
  BuildFailure,
  type Program,
  type ProgramOptions,
  type ProgramTool,
  type ToolBacking,
} from './program.ts';
import { DEFAULT_RUN_LIMITS } from './run-limits.ts';

/** Key of the root agent: no component can have it. */
const ROOT_AGENT = '';
const AGENT_TOOL_PARAMETERS: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
};

function backingOf(name: string, tool: Tool, agents: Components['agents']): ToolBacking {
  if (tool.agent !== null) {
    if (Object.hasOwn(agents, tool.agent)) return { kind: 'agent', agent: tool.agent };
    throw new BuildFailure(
      'SpecCompilationError',
      `Tool '${name}' is carried out by the unknown agent '${tool.agent}'.`,
    );
  }
  if (tool.implementation !== null)
    return { kind: 'function', implementation: tool.implementation };
  const server = tool.mcp?.['server'];
  const remote = tool.mcp?.['name'];
  if (typeof server === 'string') {
    return {
      kind: 'mcp',
      server,
      remote_name: typeof remote === 'string' && remote !== '' ? remote : name,
    };
  }
  throw new BuildFailure('SpecCompilationError', `Tool '${name}' has nothing that carries it out.`);
}

function parametersOf(tool: Tool, backing: ToolBacking): JsonObject {
  if (backing.kind === 'agent') return AGENT_TOOL_PARAMETERS;
  const empty = Object.keys(tool.parameters).length === 0;
  return backing.kind === 'mcp' && empty ? { type: 'object' } : tool.parameters;
}

function buildTool(name: string, tool: Tool, agents: Components['agents']): ProgramTool {
  const backing = backingOf(name, tool, agents);
  return {
    backing,
    offer: { name, description: tool.description, parameters: parametersOf(tool, backing) },
  };
}

function mapValues<T, R>(
  record: Readonly<Record<string, T>>,
  make: (value: T, key: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, make(value, key)]));
}

/**
 * Makes a validated spec ready to run (spec-v1 10).
 * @throws BuildFailure when something cannot be built: empty workflow, unsupported guardrail or
 * memory policy, bad numbers, unresolved references or cycles of a non-strict compile.
 */
export function buildProgram(spec: Spec, options: ProgramOptions = {}): Program {
  const { components } = spec;
  const { cycle } = buildOrder(spec);
  if (cycle !== null) {
    const names = cycle.map((node) => `${node.kind} '${node.name}'`).join(', ');
    throw new BuildFailure('SpecCompilationError', `These need one another: ${names}.`);
  }
  const counters = new StepCounters();
  const retry = options.provider_retry ?? {};
  const answers = options.rehearsal?.steps;
  return {
    root_agent: ROOT_AGENT,
    root_workflow:
      spec.workflow === null ? null : buildWorkflow(spec, spec.workflow, null, counters, answers),
    agents: {
      [ROOT_AGENT]: buildAgent(spec, spec.agent, ROOT_AGENT, 'agent', options),
      ...mapValues(components.agents, (agent, name) =>
        buildAgent(spec, agent, name, `components.agents.${name}`, options),
      ),
    },
    workflows: mapValues(components.workflows, (workflow, name) =>
      buildWorkflow(spec, workflow, name, counters, answers),
    ),
    functions: mapValues(components.functions, (item) => item.implementation),
    humans: components.humans,
    tools: mapValues(spec.tools, (tool, name) => buildTool(name, tool, components.agents)),
    workflow_guardrails: guardrailsOf(spec, spec.agent, 'agent', 'workflow'),
    token_budget: options.token_budget ?? null,
    provider_retry: {
      retries: retry.retries ?? 0,
      backoff_seconds: retry.backoff_seconds ?? 0,
      timeout_seconds: retry.timeout_seconds ?? null,
      retry_on_timeout: retry.retry_on_timeout ?? false,
    },
    retry_on_timeout: options.retry_on_timeout ?? false,
    limits: options.limits ?? DEFAULT_RUN_LIMITS,
    redactText: options.redactText ?? redactText,
  };
}
