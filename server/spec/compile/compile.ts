import { type BuildNode, buildOrder } from '../build-order.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { Spec } from '../spec-types.ts';
import { isValid, validateSpec } from '../validate.ts';
import { workflowName } from '../workflow-name.ts';
import { buildRefusal } from './build-refusals.ts';

/** What a compile tells of the built spec. */
export interface CompileSummary {
  has_root_agent: boolean;
  has_root_workflow: boolean;
  component_agents: string[];
}

/** What a spec holds, by name. */
export interface ExplainSummary {
  root_agent: string | null;
  root_workflow: string | null;
  component_agents: string[];
}

/** Why a compile stops; both are HTTP 400. */
export interface CompileRefusal {
  readonly code: 'spec_invalid' | 'invalid_request';
  readonly message: string;
}

/**
 * The outcome of a compile (spec-v1 1). `ok` = nothing is an error and nothing was refused.
 * `order` is the order of building; null when a cycle forbids one.
 */
export interface CompileResult {
  readonly ok: boolean;
  readonly diagnostics: Diagnostic[];
  readonly summary: CompileSummary;
  readonly order: BuildNode[] | null;
  readonly refusal: CompileRefusal | null;
}

/** What a compile that came to nothing reports (platform.md 3.10). */
export const EMPTY_SUMMARY: CompileSummary = {
  has_root_agent: false,
  has_root_workflow: false,
  component_agents: [],
};

/**
 * Checks and orders a spec for building. `strict` refuses semantic errors; without it they are
 * reported, and only what cannot be built is refused. Handlers of code are not looked at here.
 */
export function compileSpec(spec: Spec, options: { strict?: boolean } = {}): CompileResult {
  const diagnostics = validateSpec(spec);
  const valid = isValid(diagnostics);
  const summary: CompileSummary = {
    has_root_agent: true,
    has_root_workflow: spec.workflow !== null,
    component_agents: Object.keys(spec.components.agents),
  };
  const { order } = buildOrder(spec);
  if (!valid) {
    const message = 'The spec has errors; see diagnostics.';
    const refusal = options.strict === false ? null : { code: 'spec_invalid' as const, message };
    return { ok: false, diagnostics, summary, order, refusal };
  }
  const unbuildable = buildRefusal(spec);
  if (unbuildable === undefined) return { ok: true, diagnostics, summary, order, refusal: null };
  const refusal = { code: 'invalid_request' as const, message: unbuildable };
  return { ok: false, diagnostics, summary, order, refusal };
}

/** What a compiled spec consists of, by name (spec-v1 1). */
export function explainSpec(spec: Spec): ExplainSummary {
  return {
    root_agent: spec.agent.name,
    root_workflow: spec.workflow === null ? null : workflowName(spec.workflow),
    component_agents: Object.keys(spec.components.agents),
  };
}
