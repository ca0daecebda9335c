import type { SpecGraph } from '../../contract/platform/specs.ts';
import { credentialFindings } from '../../platform/specs/credential-findings.ts';
import { handlerFindings } from '../../platform/specs/handler-findings.ts';
import { modelFindings } from '../../platform/specs/model-findings.ts';
import { secretFindings } from '../../platform/specs/secret-findings.ts';
import { handlerRegistry } from '../../runtime/handler-registry.ts';
import type { Secrets } from '../../runtime/secrets.ts';
import {
  type CompileSummary,
  compileSpec,
  EMPTY_SUMMARY,
  type ExplainSummary,
  explainSpec,
} from '../../spec/compile/compile.ts';
import { graphView } from '../../spec/graph/graph-view.ts';
import type { LoadedSpec } from '../../spec/load/load-spec.ts';
import { type PolicyReport, policyReport } from '../../spec/reports/policy-report.ts';
import { isValid, validateSpec } from '../../spec/rules/validate.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';
import type { Diagnostic } from '../../spec/values/diagnostic.ts';
import { CommandFailure } from '../command-failure.ts';
import { printDiagnostics, printNote } from '../output.ts';

/** Answers of platform.md 3.10, made in this process. */

/** What POST /specs/validate answers. */
export interface Validation {
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

function findingsOf(loaded: LoadedSpec): readonly Diagnostic[] {
  return loaded.spec === undefined ? loaded.diagnostics : validateSpec(loaded.spec);
}

/** The findings of a spec that was read. */
export function validation(loaded: LoadedSpec): Validation {
  const diagnostics = findingsOf(loaded);
  return { valid: loaded.spec !== undefined && isValid(diagnostics), diagnostics };
}

/** What POST /specs/compile answers. */
export interface Compilation extends Validation {
  readonly ok: boolean;
  readonly summary: CompileSummary;
}

/** Where the code of a spec is looked for. */
export interface CodePlace {
  readonly specRoot: string;
  readonly trusted: boolean;
  readonly secrets: Secrets;
}

/** Builds a spec and looks for its code and its models. @throws CommandFailure */
export async function compilation(loaded: LoadedSpec, place: CodePlace): Promise<Compilation> {
  const { spec } = loaded;
  if (spec === undefined) {
    return { ok: false, valid: false, diagnostics: loaded.diagnostics, summary: EMPTY_SUMMARY };
  }
  const compiled = compileSpec(spec, { strict: false });
  if (compiled.refusal?.code === 'invalid_request') {
    throw new CommandFailure(compiled.refusal.message);
  }
  const code = await handlerFindings(
    {
      tree: { root: place.specRoot, trusted: place.trusted },
      handlers: handlerRegistry(),
    },
    spec,
  );
  const refused = [...code, ...secretFindings(spec, place.secrets)];
  const { secrets } = place;
  const warnings = [...modelFindings(spec, secrets), ...credentialFindings(spec, secrets)];
  const diagnostics = [...compiled.diagnostics, ...refused, ...warnings];
  const ok = compiled.ok && refused.length === 0;
  return { ok, valid: ok, diagnostics, summary: compiled.summary };
}

/** The spec of a document that builds. @throws CommandFailure after the findings were printed. */
export function builtSpec(loaded: LoadedSpec): Spec {
  const { valid, diagnostics } = validation(loaded);
  if (loaded.spec === undefined || !valid) {
    printDiagnostics(diagnostics, printNote);
    throw new CommandFailure('The spec is not valid.');
  }
  const { refusal } = compileSpec(loaded.spec, { strict: true });
  if (refusal !== null) throw new CommandFailure(refusal.message);
  return loaded.spec;
}

/** What POST /specs/explain answers. @throws CommandFailure unless the spec builds */
export function explanation(loaded: LoadedSpec): { readonly summary: ExplainSummary } {
  return { summary: explainSpec(builtSpec(loaded)) };
}

/** What POST /specs/graph answers. @throws CommandFailure unless the spec builds */
export function graphOf(loaded: LoadedSpec): SpecGraph {
  return graphView(builtSpec(loaded));
}

/** What POST /specs/policy-report answers. */
export type Report =
  | { readonly valid: true; readonly report: PolicyReport }
  | {
      readonly valid: false;
      readonly report: { readonly valid: false; readonly diagnostics: readonly Diagnostic[] };
    };

/** Stays valid with semantic errors (spec-v1 8). */
export function reportOf(loaded: LoadedSpec): Report {
  if (loaded.spec !== undefined) return { valid: true, report: policyReport(loaded.spec) };
  return { valid: false, report: { valid: false, diagnostics: loaded.diagnostics } };
}
