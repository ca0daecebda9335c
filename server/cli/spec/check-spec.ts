import * as routes from '../../contract/platform/client-routes.ts';
import { findingsIn } from '../../contract/platform/findings.ts';
import { readerOf, required } from '../../platform-client/answers.ts';
import type { Diagnostic } from '../../spec/values/diagnostic.ts';
import { readReport } from '../answers.ts';
import type { AnswerOptions } from '../connect/choose-connection.ts';
import { withPlatform } from '../connect/open-platform.ts';
import { printDiagnostics, printFacts, printFailure, printJson, printLine } from '../output.ts';
import { isTrustedHere, localSecrets, specRootHere } from '../project/local-secrets.ts';
import {
  documentOf,
  enforceProjectPolicy,
  loadResolved,
  type ResolvedSpec,
  resolveSpec,
} from '../project/resolve-spec.ts';
import { compilation, explanation, graphOf, reportOf, validation } from './local-answers.ts';

/** Words of the commands that look at one spec. */
export interface SpecOptions extends AnswerOptions {
  readonly env?: string;
  readonly trust?: boolean;
}

type SpecRoute =
  | typeof routes.validateSpec
  | typeof routes.compileSpec
  | typeof routes.explainSpec
  | typeof routes.graphSpec
  | typeof routes.reportSpecPolicy;

/** Named outright; everything else is answered in this process (docs/contract-notes.md). */
function isRemote(options: SpecOptions): boolean {
  return options.serviceUrl !== undefined || options.profile !== undefined;
}

async function ask(
  route: SpecRoute,
  resolved: ResolvedSpec,
  options: SpecOptions,
): Promise<object> {
  const body = { spec: documentOf(resolved), environment: resolved.environment ?? null };
  const lenient = route.id === routes.compileSpec.id ? { ...body, strict: false } : body;
  return withPlatform(options, (platform) => platform.ask(route, { body: lenient }));
}

async function validationOf(file: string | undefined, options: SpecOptions) {
  const resolved = resolveSpec(file, options);
  const remote = isRemote(options) && resolved.document !== undefined;
  const answer = remote
    ? await ask(routes.validateSpec, resolved, options)
    : validation(loadResolved(resolved));
  const { valid, ...rest } = readerOf(routes.validateSpec)(answer);
  return { ...rest, valid: required(valid, 'valid'), diagnostics: findingsIn(answer) };
}

function withoutExtras(
  diagnostics: readonly Diagnostic[],
  severity: Diagnostic['severity'],
): number {
  return diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
}

/** `spec validate`: exit 1 when a finding is an error. */
export async function validate(file: string | undefined, options: SpecOptions): Promise<number> {
  const answer = await validationOf(file, options);
  if (options.json) printJson(answer);
  else {
    printDiagnostics(answer.diagnostics);
    if (answer.valid) printLine('✓ valid');
    else printFailure('not valid');
  }
  return answer.valid ? 0 : 1;
}

/** `spec lint`: exit 1 on warnings too. */
export async function lint(file: string | undefined, options: SpecOptions): Promise<number> {
  const { diagnostics } = await validationOf(file, options);
  const warning_count = withoutExtras(diagnostics, 'warning');
  const error_count = withoutExtras(diagnostics, 'error');
  const clean = warning_count + error_count === 0;
  if (options.json) printJson({ clean, warning_count, error_count, diagnostics });
  else {
    printDiagnostics(diagnostics);
    printLine(`${error_count} errors, ${warning_count} warnings`);
  }
  return clean ? 0 : 1;
}

/** `spec compile`: everything that a run needs, short of running. */
export async function compile(file: string | undefined, options: SpecOptions): Promise<number> {
  const resolved = resolveSpec(file, options);
  const loaded = loadResolved(resolved);
  enforceProjectPolicy(resolved, loaded);
  const raw = isRemote(options)
    ? await ask(routes.compileSpec, resolved, options)
    : await compilation(loaded, {
        specRoot: specRootHere(resolved.project),
        trusted: isTrustedHere(options, resolved.project),
        secrets: await localSecrets(options, resolved.project),
      });
  const ok = required(readerOf(routes.compileSpec)(raw).ok, 'ok');
  if (options.json) printJson(raw);
  else {
    printDiagnostics(findingsIn(raw));
    if (ok) printLine('✓ compiled');
    else printFailure('not compiled');
  }
  return ok ? 0 : 1;
}

/** `spec explain`: what the spec consists of, by name. */
export async function explain(file: string | undefined, options: SpecOptions): Promise<number> {
  const resolved = resolveSpec(file, options);
  const loaded = loadResolved(resolved);
  enforceProjectPolicy(resolved, loaded);
  const remote = isRemote(options);
  const raw = remote ? await ask(routes.explainSpec, resolved, options) : explanation(loaded);
  const summary = required(readerOf(routes.explainSpec)(raw).summary, 'summary');
  if (options.json) printJson(raw);
  else {
    printFacts({
      'root agent': summary.root_agent ?? 'none',
      'root workflow': summary.root_workflow ?? 'none',
      'component agents': summary.component_agents?.join(', ') || 'none',
    });
  }
  return 0;
}

/** `spec graph`: nodes and edges of the root workflow. */
export async function graph(file: string | undefined, options: SpecOptions): Promise<number> {
  const resolved = resolveSpec(file, options);
  const loaded = loadResolved(resolved);
  enforceProjectPolicy(resolved, loaded);
  const remote = isRemote(options);
  const raw = remote ? await ask(routes.graphSpec, resolved, options) : graphOf(loaded);
  const view = readerOf(routes.graphSpec)(raw);
  const nodes = required(view.nodes, 'nodes');
  if (options.json) printJson(raw);
  else {
    for (const node of nodes) printLine(`${node.id} [${node.step_kind ?? node.kind ?? 'step'}]`);
    for (const { source, target, label } of required(view.edges, 'edges')) {
      printLine(`${source} -> ${target}${label ? `: ${label}` : ''}`);
    }
    if (nodes.length === 0) printLine(`no graph (${view.workflow_kind ?? 'no workflow of steps'})`);
  }
  return 0;
}

function printReport(open: object): void {
  const { summary, human_review: review } = readReport(open);
  printFacts(summary ?? {});
  if (review) {
    printFacts({ 'human review': review.required ? 'required' : 'not required' });
    if (review.missing) printLine('! A human review is required and missing.');
  }
  printDiagnostics(findingsIn(open));
}

/** `spec policy-report`: what the spec may do and who watches over it. */
export async function policyReport(
  file: string | undefined,
  options: SpecOptions,
): Promise<number> {
  const resolved = resolveSpec(file, options);
  const remote = isRemote(options) && resolved.document !== undefined;
  const raw = remote
    ? await ask(routes.reportSpecPolicy, resolved, options)
    : reportOf(loadResolved(resolved));
  const answer = readerOf(routes.reportSpecPolicy)(raw);
  const valid = required(answer.valid, 'valid');
  const report = required(answer.report, 'report');
  if (options.json) printJson(raw);
  else {
    printReport(report);
    if (!valid) printFailure('not valid');
  }
  return valid ? 0 : 1;
}
