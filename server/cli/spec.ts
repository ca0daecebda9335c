import { compileSpec, explainSpec } from '../spec/compile/compile.ts';
import type { Diagnostic } from '../spec/diagnostic.ts';
import { graphView } from '../spec/graph-view.ts';
import { formatOfFile } from '../spec/parse-yaml.ts';
import type { Spec } from '../spec/spec-types.ts';
import { validateText } from '../spec/validate.ts';
import { CommandFailure } from './command-failure.ts';
import { printDiagnostics, printFailure, printJson, printLine } from './output.ts';
import { readTextFile } from './read-text-file.ts';

export interface SpecOptions {
  readonly json?: boolean;
  readonly env?: string;
}

interface CheckedSpec {
  readonly valid: boolean;
  readonly diagnostics: Diagnostic[];
  readonly spec: Spec | undefined;
}

function check(file: string, options: SpecOptions): CheckedSpec {
  const layers = options.env === undefined ? {} : { environment: options.env };
  const checked = validateText(readTextFile(file), formatOfFile(file), layers);
  const diagnostics = checked.diagnostics.map(({ code, severity, message, path, suggestion }) => ({
    code,
    severity,
    message,
    path,
    suggestion,
  }));
  return { valid: checked.valid, diagnostics, spec: checked.spec };
}

function needSpec(checked: CheckedSpec): Spec {
  if (checked.spec !== undefined && checked.valid) return checked.spec;
  printDiagnostics(checked.diagnostics);
  throw new CommandFailure('The spec is not valid.');
}

function count(diagnostics: readonly Diagnostic[], severity: Diagnostic['severity']): number {
  return diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
}

/** `spec validate`: exit 1 when a finding is an error. */
export function validate(file: string, options: SpecOptions): number {
  const { valid, diagnostics } = check(file, options);
  if (options.json) printJson({ valid, diagnostics });
  else {
    printDiagnostics(diagnostics);
    if (valid) printLine('✓ valid');
    else printFailure('not valid');
  }
  return valid ? 0 : 1;
}

/** `spec lint`: exit 1 on warnings too. */
export function lint(file: string, options: SpecOptions): number {
  const { diagnostics } = check(file, options);
  const warning_count = count(diagnostics, 'warning');
  const error_count = count(diagnostics, 'error');
  const clean = warning_count + error_count === 0;
  if (options.json) printJson({ clean, warning_count, error_count, diagnostics });
  else {
    printDiagnostics(diagnostics);
    printLine(`${error_count} errors, ${warning_count} warnings`);
  }
  return clean ? 0 : 1;
}

/** `spec compile`: builds the spec without running it. */
export function compile(file: string, options: SpecOptions): number {
  const checked = check(file, options);
  if (checked.spec === undefined) {
    if (options.json) printJson({ ok: false, valid: false, diagnostics: checked.diagnostics });
    else needSpec(checked);
    return 1;
  }
  const { ok, diagnostics, summary, refusal } = compileSpec(checked.spec, { strict: false });
  if (options.json) printJson({ ok, valid: checked.valid, diagnostics, summary });
  else {
    printDiagnostics(diagnostics);
    if (ok) printLine('✓ compiled');
    else printFailure(refusal?.message ?? 'not compiled');
  }
  return ok ? 0 : 1;
}

/** `spec explain`: what the spec consists of, by name. */
export function explain(file: string, options: SpecOptions): number {
  const summary = explainSpec(needSpec(check(file, options)));
  if (options.json) printJson(summary);
  else {
    printLine(`root agent: ${summary.root_agent}`);
    printLine(`root workflow: ${summary.root_workflow ?? 'none'}`);
    printLine(`component agents: ${summary.component_agents.join(', ') || 'none'}`);
  }
  return 0;
}

/** `spec graph`: nodes and edges of the root workflow. */
export function graph(file: string, options: SpecOptions): number {
  const view = graphView(needSpec(check(file, options)));
  if (options.json) printJson(view);
  else {
    for (const node of view.nodes)
      printLine(`${node.id} [${node.step_kind ?? node.kind ?? 'step'}]`);
    for (const edge of view.edges) {
      printLine(`${edge.source} -> ${edge.target}${edge.label === null ? '' : `: ${edge.label}`}`);
    }
  }
  return 0;
}
