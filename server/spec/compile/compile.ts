import { type BuildNode, buildOrder } from '../graph/build-order.ts';
import { validateSpec } from '../rules/validate.ts';
import type { Spec } from '../schema/spec-types.ts';
import { workflowName } from '../schema/workflow-name.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import { buildFindings } from './build-findings.ts';

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

/** Findings that the contract answers as a build that failed: 400 `invalid_request` (platform.md 4.1). */
const BUILD_CODES: ReadonlySet<string> = new Set(['E_GUARDRAIL_TYPE', 'E_GUARDRAIL_REF']);

/** Why a checked spec cannot be built, and what the build found beside the findings of the check. */
export interface BuildCheck {
  readonly refusal: CompileRefusal | null;
  readonly findings: readonly Diagnostic[];
}

/** One finding as the message of a refusal. */
export function findingText({ code, path, message }: Diagnostic): string {
  return path === null ? `${code}: ${message}` : `${code} at ${path}: ${message}`;
}

/**
 * Whether a spec with these findings of `validateSpec` can be built. `strict` refuses semantic
 * errors; without it they are reported, and only what cannot be built is refused.
 */
export function checkBuild(
  spec: Spec,
  diagnostics: readonly Diagnostic[],
  strict: boolean,
): BuildCheck {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.some(({ code }) => !BUILD_CODES.has(code))) {
    const message = 'The spec has errors; see diagnostics.';
    return { refusal: strict ? { code: 'spec_invalid', message } : null, findings: [] };
  }
  const findings = buildFindings(spec);
  const first = errors[0] ?? findings[0];
  const refusal: CompileRefusal | null =
    first === undefined ? null : { code: 'invalid_request', message: findingText(first) };
  return { refusal, findings };
}

/** Checks and orders a spec for building. Handlers of code are not looked at here. */
export function compileSpec(spec: Spec, options: { strict?: boolean } = {}): CompileResult {
  const checked = validateSpec(spec);
  const { refusal, findings } = checkBuild(spec, checked, options.strict ?? true);
  const diagnostics = [...checked, ...findings];
  const summary: CompileSummary = {
    has_root_agent: true,
    has_root_workflow: spec.workflow !== null,
    component_agents: Object.keys(spec.components.agents),
  };
  const ok = diagnostics.every(({ severity }) => severity !== 'error');
  return { ok, diagnostics, summary, order: buildOrder(spec).order, refusal };
}

/** What a compiled spec consists of, by name (spec-v1 1). */
export function explainSpec(spec: Spec): ExplainSummary {
  return {
    root_agent: spec.agent.name,
    root_workflow: spec.workflow === null ? null : workflowName(spec.workflow),
    component_agents: Object.keys(spec.components.agents),
  };
}
