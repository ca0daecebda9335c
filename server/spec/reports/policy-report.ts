import { compareCodePoints } from '../../kernel/canonical-json.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { validateSpec } from '../rules/validate.ts';
import { agentsOf, stepsOf, workflowsOf } from '../schema/elements.ts';
import type { Agent, Spec, ToolPermissions, ToolSelection } from '../schema/spec-types.ts';
import type { Diagnostic } from '../values/diagnostic.ts';

/** What an agent's tools may do. */
export interface AgentToolPolicy {
  agent: string;
  include: string[];
  exclude: string[];
  permissions: ToolPermissions | null;
  unrestricted: boolean;
}

/** What a spec may do and who watches over it (spec-v1 8, platform.md 3.10). */
export interface PolicyReport {
  valid: true;
  version: 'v1';
  summary: {
    agent_count: number;
    workflow_count: number;
    tool_count: number;
    mcp_tool_count: number;
    human_reviewer_count: number;
    human_review_step_count: number;
    diagnostic_count: number;
  };
  memory: {
    agents: { agent: string; configured: boolean; policy: string | null; config: JsonObject }[];
  };
  tools: {
    declared: string[];
    mcp_imports: { name: string; config: JsonObject }[];
    agent_policies: AgentToolPolicy[];
  };
  guardrails: {
    agents: { agent: string; configured: boolean; stages: Record<string, number> }[];
  };
  human_review: {
    reviewers: string[];
    workflow_steps: { workflow: string; step_id: string; ref: string }[];
    required: boolean;
    requirements: { code: string; path: string | null; reason: string }[];
    missing: boolean;
  };
  diagnostics: Diagnostic[];
}

/** Findings for which a person must look at the spec. */
export const NEEDS_REVIEW: ReadonlySet<string> = new Set([
  'E_UNSAFE_TOOL_IMPORT',
  'E_UNSAFE_FUNCTION_IMPORT',
  'W_TOOL_NETWORK_UNRESTRICTED',
  'W_TOOL_SHELL_ALLOWED',
  'W_TOOL_FILESYSTEM_WRITE_ALLOWED',
  'W_TOOL_FILESYSTEM_READ_ALLOWED',
  'W_TOOL_POLICY_UNRESTRICTED',
]);

/** True when nothing, or too little, limits what the selected tools may touch. */
export function isUnrestricted(tools: ToolSelection | null): boolean {
  if (tools === null) return false;
  const { permissions } = tools;
  if (permissions === null) return true;
  return (
    permissions.allow_shell === true ||
    permissions.allow_filesystem_write === true ||
    permissions.allow_filesystem_read === true ||
    (permissions.allow_network === true && permissions.allowed_domains.length === 0)
  );
}

function stagesOf(agent: Agent): Record<string, number> {
  const counts: [string, number][] = [];
  for (const [stage, items] of Object.entries(agent.guardrails ?? {})) {
    if (Array.isArray(items) && items.length > 0) counts.push([stage, items.length]);
  }
  return Object.fromEntries(counts.sort(([a], [b]) => compareCodePoints(a, b)));
}

/** The enabled human steps of every workflow, orchestrations included (spec-v1 18, no. 14). */
export function humanSteps(spec: Spec): PolicyReport['human_review']['workflow_steps'] {
  return workflowsOf(spec).flatMap(({ item, path }) =>
    stepsOf(item, path)
      .filter(({ step }) => step.enabled && step.kind === 'human')
      .map(({ key, step }) => ({ workflow: path, step_id: key, ref: step.ref })),
  );
}

function requirementsOf(
  spec: Spec,
  diagnostics: readonly Diagnostic[],
): PolicyReport['human_review']['requirements'] {
  const found = diagnostics
    .filter(({ code }) => NEEDS_REVIEW.has(code))
    .map(({ code, path, message }) => ({ code, path, reason: message }));
  if (found.length > 0 || Object.keys(spec.components.humans).length === 0) return found;
  const reason = 'People are declared who can review the work of this spec.';
  return [{ code: 'I_HUMAN_REVIEW_CONFIGURED', path: 'components.humans', reason }];
}

function memoryOf(agent: string, memory: JsonObject | null): PolicyReport['memory']['agents'][0] {
  const config = memory ?? {};
  const policy = config['policy'];
  return {
    agent,
    configured: memory !== null,
    policy: typeof policy === 'string' ? policy : null,
    config,
  };
}

/** Reports on a spec that has passed the schema check; it stays valid with semantic errors. */
export function policyReport(
  spec: Spec,
  diagnostics: Diagnostic[] = validateSpec(spec),
): PolicyReport {
  const agents = agentsOf(spec);
  const steps = humanSteps(spec);
  const mcp_imports = Object.entries(spec.tools).flatMap(([name, { mcp }]) =>
    mcp === null ? [] : [{ name, config: mcp }],
  );
  const requirements = requirementsOf(spec, diagnostics);
  return {
    valid: true,
    version: 'v1',
    summary: {
      agent_count: agents.length,
      workflow_count: workflowsOf(spec).length,
      tool_count: Object.keys(spec.tools).length,
      mcp_tool_count: mcp_imports.length,
      human_reviewer_count: Object.keys(spec.components.humans).length,
      human_review_step_count: steps.length,
      diagnostic_count: diagnostics.length,
    },
    memory: { agents: agents.map(({ item, path }) => memoryOf(path, item.memory)) },
    tools: {
      declared: Object.keys(spec.tools).sort(compareCodePoints),
      mcp_imports,
      agent_policies: agents.map(({ item, path }) => ({
        agent: path,
        include: item.tools?.include ?? [],
        exclude: item.tools?.exclude ?? [],
        permissions: item.tools?.permissions ?? null,
        unrestricted: isUnrestricted(item.tools),
      })),
    },
    guardrails: {
      agents: agents.map(({ item, path }) => {
        const stages = stagesOf(item);
        return { agent: path, configured: Object.keys(stages).length > 0, stages };
      }),
    },
    human_review: {
      reviewers: Object.keys(spec.components.humans).sort(compareCodePoints),
      workflow_steps: steps,
      required: requirements.length > 0,
      requirements,
      missing: diagnostics.some(({ code }) => code === 'W_HUMAN_APPROVAL_MISSING'),
    },
    diagnostics,
  };
}
