import { NO_REHEARSAL } from '../../contract/platform/rehearsals.ts';
import type {
  PolicyReport,
  SpecGraph,
  SpecInput,
  StrictSpecInput,
} from '../../contract/platform/specs.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import type { Secrets } from '../../runtime/secrets.ts';
import {
  type CompileResult,
  type CompileSummary,
  compileSpec as compile,
  EMPTY_SUMMARY,
  type ExplainSummary,
  explainSpec as explain,
} from '../../spec/compile/compile.ts';
import { graphView } from '../../spec/graph/graph-view.ts';
import type { LoadedSpec } from '../../spec/load/load-spec.ts';
import { listedFindings } from '../../spec/reports/listed-findings.ts';
import { policyReport } from '../../spec/reports/policy-report.ts';
import { isValid, validateSpec } from '../../spec/rules/validate.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';
import type { Diagnostic } from '../../spec/values/diagnostic.ts';
import { enforcePolicy } from '../policies/enforce-policy.ts';
import { refuse } from '../refuse.ts';
import { makeProgram } from './build-run.ts';
import type { CheckPlaces } from './check-places.ts';
import { credentialFindings } from './credential-findings.ts';
import { readSkills, type SkillReadings, skillsRefused } from './freeze-skills.ts';
import { frozenSpecOf, loadFrozenSpec } from './frozen-spec.ts';
import { handlerFindings } from './handler-findings.ts';
import { missingSecret, secretMessage } from './missing-secret.ts';
import { modelFindings } from './model-findings.ts';
import { prepareSpec, specInvalid } from './prepare-spec.ts';
import { secretFindings } from './secret-findings.ts';
import { applySkillDefaults } from './skill-defaults.ts';

interface Validated {
  readonly valid: boolean;
  readonly diagnostics: Diagnostic[];
}

/** Up to the semantic check; never code, skills or connections (spec-v1 1). */
export async function validateRequest(places: CheckPlaces, input: SpecInput): Promise<Validated> {
  const preparation = await prepareSpec(places.specRoot, input);
  if (!preparation.ok)
    return { valid: false, diagnostics: listedFindings(preparation.diagnostics) };
  const { loaded } = preparation.prepared;
  if (loaded.spec === undefined) {
    return { valid: false, diagnostics: listedFindings(loaded.diagnostics) };
  }
  const diagnostics = [...loaded.diagnostics, ...validateSpec(loaded.spec)];
  return { valid: isValid(diagnostics), diagnostics: listedFindings(diagnostics) };
}

interface Compiled {
  ok: boolean;
  valid: boolean;
  diagnostics: Diagnostic[];
  summary: CompileSummary;
}

function compiledOf(ok: boolean, diagnostics: readonly Diagnostic[], summary: CompileSummary) {
  return { ok, valid: ok, diagnostics: listedFindings(diagnostics), summary };
}

function unbuildable({ refusal, diagnostics }: CompileResult): Error {
  const message = refusal?.message ?? 'The spec cannot be built.';
  return refuse('invalid_request', {
    message,
    details: { diagnostics: listedFindings(diagnostics) },
  });
}

/** Makes the program as a run would, so that what compiles can run. @throws Refusal */
function tryProgram(
  places: CheckPlaces,
  project: string | null,
  spec: Spec,
  { contents }: SkillReadings,
  diagnostics: readonly Diagnostic[],
): void {
  const texts = Object.entries(contents);
  const skills = Object.fromEntries(texts.map(([name, { instructions }]) => [name, instructions]));
  const defaults = Object.fromEntries(texts.map(([name, content]) => [name, content.defaults]));
  const frozen = { skills, recording: undefined, rehearsal: NO_REHEARSAL, project };
  const built = makeProgram(places, applySkillDefaults(spec, defaults), frozen, diagnostics);
  if (built.ok) return;
  const { type, message } = built.problem;
  if (type === 'SpecCompilationError') throw specInvalid(diagnostics, message);
  throw refuse('invalid_request', {
    message,
    details: { diagnostics: listedFindings(diagnostics) },
  });
}

type OfProject = { readonly project?: string | null };

/** Findings about the code that the spec calls in the folder of its project. */
function codeFindings(places: CheckPlaces, project: string | null, spec: Spec) {
  const tree = places.trees.find(project);
  return handlerFindings({ handlers: places.handlers, tree }, spec);
}

/** @throws Refusal invalid_request for a server's client key that nobody has. */
function refuseMissing(spec: Spec, secrets: Secrets, others: readonly Diagnostic[]): void {
  const missing = missingSecret(spec, secrets);
  if (missing === undefined) return;
  const details = { diagnostics: [...listedFindings(others), missing] };
  throw refuse('invalid_request', { message: secretMessage(missing), details });
}

/**
 * Everything that a run needs, short of running (contract/platform.md 3.10): an invalid file answers
 * `ok: false`, an invalid inline spec is refused, `strict: false` reports semantic errors.
 * @throws Refusal spec_invalid, invalid_request, environment_policy_blocked.
 */
export async function compileRequest(
  places: CheckPlaces,
  input: StrictSpecInput & OfProject,
): Promise<Compiled> {
  const preparation = await prepareSpec(places.specRoot, input);
  if (!preparation.ok) return compiledOf(false, preparation.diagnostics, EMPTY_SUMMARY);
  const { prepared } = preparation;
  enforcePolicy(places, prepared);
  const { byPath } = prepared.documents;
  const { spec } = prepared.loaded;
  if (spec === undefined) {
    if (byPath) return compiledOf(false, prepared.loaded.diagnostics, EMPTY_SUMMARY);
    throw specInvalid(prepared.loaded.diagnostics);
  }
  const result = compile(spec, { strict: input.strict });
  if (result.refusal?.code === 'invalid_request') throw unbuildable(result);
  const skills = await readSkills(places.specRoot, result.ok ? spec : undefined);
  if (skills.findings.length > 0) throw skillsRefused(skills.findings, result.diagnostics);
  const project = input.project ?? null;
  const secrets = places.secrets.of(project);
  await secrets.ready();
  const refused = [
    ...(await codeFindings(places, project, spec)),
    ...secretFindings(spec, secrets),
  ];
  const builds = result.ok && refused.length === 0;
  if (builds) refuseMissing(spec, secrets, result.diagnostics);
  const warnings = [...modelFindings(spec, secrets), ...credentialFindings(spec, secrets)];
  const diagnostics = [...result.diagnostics, ...refused, ...warnings];
  if (builds) tryProgram(places, project, spec, skills, diagnostics);
  if (builds || !input.strict) return compiledOf(builds, diagnostics, result.summary);
  if (byPath) return compiledOf(false, diagnostics, EMPTY_SUMMARY);
  throw specInvalid(diagnostics);
}

/** A spec that builds. @throws Refusal spec_invalid, invalid_request, environment_policy_blocked. */
async function buildable(places: CheckPlaces, input: SpecInput): Promise<Spec> {
  const preparation = await prepareSpec(places.specRoot, input);
  if (!preparation.ok) throw specInvalid(preparation.diagnostics);
  enforcePolicy(places, preparation.prepared);
  return compiledSpec(preparation.prepared.loaded.spec, preparation.prepared.loaded.diagnostics);
}

/** The spec when it compiles strictly. @throws Refusal spec_invalid or invalid_request. */
function compiledSpec(spec: Spec | undefined, diagnostics: readonly Diagnostic[]): Spec {
  if (spec === undefined) throw specInvalid(diagnostics);
  const result = compile(spec, { strict: true });
  if (result.refusal?.code === 'invalid_request') throw unbuildable(result);
  if (!result.ok) throw specInvalid(result.diagnostics);
  return spec;
}

/** Names of the parts of a spec. */
export async function explainRequest(
  places: CheckPlaces,
  input: SpecInput,
): Promise<{ summary: ExplainSummary }> {
  return { summary: explain(await buildable(places, input)) };
}

/** Nodes and edges of a spec. */
export async function graphRequest(places: CheckPlaces, input: SpecInput): Promise<SpecGraph> {
  return graphView(await buildable(places, input));
}

/** A report of a loaded spec as it goes over the wire. */
function reportView(spec: Spec): PolicyReport {
  const made = policyReport(spec);
  const report: unknown = { ...made, diagnostics: listedFindings(made.diagnostics) };
  return { valid: true, report: isJsonObject(report) ? report : {} };
}

/** The report of a spec that does not load. */
function invalidReport(diagnostics: readonly Diagnostic[]): PolicyReport {
  const report: JsonObject = {
    valid: false,
    diagnostics: listedFindings(diagnostics).map((item) => ({ ...item })),
  };
  return { valid: false, report };
}

/** Policy report; stays valid with semantic errors (spec-v1 8). */
export async function reportRequest(places: CheckPlaces, input: SpecInput): Promise<PolicyReport> {
  const preparation = await prepareSpec(places.specRoot, { ...input, environment: null });
  if (!preparation.ok) return invalidReport(preparation.diagnostics);
  const { loaded } = preparation.prepared;
  return loaded.spec === undefined ? invalidReport(loaded.diagnostics) : reportView(loaded.spec);
}

/** The spec of a run as it was frozen, from the metadata that the run was created with. @throws Refusal invalid_request. */
function loadFrozen(createdMetadata: string): LoadedSpec {
  const frozen = frozenSpecOf(createdMetadata);
  if (frozen === undefined) {
    throw refuse('invalid_request', { message: 'The run has no spec of its own.' });
  }
  const loaded = loadFrozenSpec(frozen);
  if (loaded.spec === undefined && loaded.refusal !== null) {
    throw refuse('invalid_request', { message: loaded.refusal.message });
  }
  return loaded;
}

/** The graph of a run's own spec. @throws Refusal spec_invalid, invalid_request. */
export function frozenGraph(createdMetadata: string): SpecGraph {
  const { spec, diagnostics } = loadFrozen(createdMetadata);
  return graphView(compiledSpec(spec, diagnostics));
}

/** The policy report of a run's own spec. @throws Refusal invalid_request. */
export function frozenReport(createdMetadata: string): PolicyReport {
  const { spec, diagnostics } = loadFrozen(createdMetadata);
  return spec === undefined ? invalidReport(diagnostics) : reportView(spec);
}
