import path from 'node:path';
import { readPlatformConfig } from '../../platform/config.ts';
import type { Diagnostic } from '../../spec/diagnostic.ts';
import {
  compileAnswer,
  explainAnswer,
  graphAnswer,
  reportAnswer,
  validationAnswer,
} from '../answers.ts';
import type { ConnectionOptions } from '../connect/choose-connection.ts';
import { withPlatform } from '../connect/open-platform.ts';
import { printDiagnostics, printFacts, printFailure, printJson, printLine } from '../output.ts';
import { localSecrets } from '../project/local-secrets.ts';
import {
  documentOf,
  enforceProjectPolicy,
  loadResolved,
  type ResolvedSpec,
  resolveSpec,
} from '../project/resolve-spec.ts';
import { readAnswer } from '../read-answer.ts';
import { compilation, explanation, graphOf, reportOf, validation } from './local-answers.ts';

/** Words of the commands that look at one spec. */
export interface SpecOptions extends ConnectionOptions {
  readonly json?: boolean;
  readonly env?: string;
  readonly trust?: boolean;
}

type SpecWord = 'validate' | 'compile' | 'explain' | 'graph' | 'policy-report';

/** Named outright; everything else is answered in this process (docs/contract-notes.md). */
function isRemote(options: SpecOptions): boolean {
  return options.serviceUrl !== undefined || options.profile !== undefined;
}

async function ask(word: SpecWord, resolved: ResolvedSpec, options: SpecOptions): Promise<unknown> {
  const body = { spec: documentOf(resolved), environment: resolved.environment ?? null };
  const lenient = word === 'compile' ? { ...body, strict: false } : body;
  return withPlatform(options, (platform) => platform.post(`/specs/${word}`, lenient));
}

/** Folder in which paths and functions of a spec are looked for. */
function specRoot({ project }: ResolvedSpec): string {
  const { specRoot: configured } = readPlatformConfig(process.env);
  return path.resolve(configured ?? project?.root ?? process.cwd());
}

async function validationOf(file: string | undefined, options: SpecOptions) {
  const resolved = resolveSpec(file, options);
  const remote = isRemote(options) && resolved.document !== undefined;
  const answer = remote
    ? await ask('validate', resolved, options)
    : validation(loadResolved(resolved));
  return readAnswer(validationAnswer, answer);
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
    ? await ask('compile', resolved, options)
    : await compilation(loaded, {
        specRoot: specRoot(resolved),
        trusted: options.trust ?? false,
        secrets: localSecrets(options, resolved.project?.config),
      });
  const answer = readAnswer(compileAnswer, raw);
  if (options.json) printJson(raw);
  else {
    printDiagnostics(answer.diagnostics);
    if (answer.ok) printLine('✓ compiled');
    else printFailure('not compiled');
  }
  return answer.ok ? 0 : 1;
}

/** `spec explain`: what the spec consists of, by name. */
export async function explain(file: string | undefined, options: SpecOptions): Promise<number> {
  const resolved = resolveSpec(file, options);
  const loaded = loadResolved(resolved);
  enforceProjectPolicy(resolved, loaded);
  const raw = isRemote(options) ? await ask('explain', resolved, options) : explanation(loaded);
  const { summary } = readAnswer(explainAnswer, raw);
  if (options.json) printJson(raw);
  else {
    printFacts({
      'root agent': summary.root_agent ?? 'none',
      'root workflow': summary.root_workflow ?? 'none',
      'component agents': summary.component_agents.join(', ') || 'none',
    });
  }
  return 0;
}

/** `spec graph`: nodes and edges of the root workflow. */
export async function graph(file: string | undefined, options: SpecOptions): Promise<number> {
  const resolved = resolveSpec(file, options);
  const loaded = loadResolved(resolved);
  enforceProjectPolicy(resolved, loaded);
  const raw = isRemote(options) ? await ask('graph', resolved, options) : graphOf(loaded);
  const view = readAnswer(graphAnswer, raw);
  if (options.json) printJson(raw);
  else {
    for (const node of view.nodes)
      printLine(`${node.id} [${node.step_kind ?? node.kind ?? 'step'}]`);
    for (const { source, target, label } of view.edges) {
      printLine(`${source} -> ${target}${label ? `: ${label}` : ''}`);
    }
    if (view.nodes.length === 0)
      printLine(`no graph (${view.workflow_kind ?? 'no workflow of steps'})`);
  }
  return 0;
}

/** `spec policy-report`: what the spec may do and who watches over it. */
export async function policyReport(
  file: string | undefined,
  options: SpecOptions,
): Promise<number> {
  const resolved = resolveSpec(file, options);
  const remote = isRemote(options) && resolved.document !== undefined;
  const raw = remote
    ? await ask('policy-report', resolved, options)
    : reportOf(loadResolved(resolved));
  const { valid, report } = readAnswer(reportAnswer, raw);
  if (options.json) printJson(raw);
  else {
    printFacts(report.summary);
    const review = report.human_review;
    if (review !== undefined) {
      printFacts({ 'human review': review.required ? 'required' : 'not required' });
      if (review.missing) printLine('! A human review is required and missing.');
    }
    printDiagnostics(report.diagnostics);
    if (!valid) printFailure('not valid');
  }
  return valid ? 0 : 1;
}
