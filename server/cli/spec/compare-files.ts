import type { SpecChange, SpecComparison } from '../../spec/compare/change.ts';
import { compareSpecs } from '../../spec/compare/compare-specs.ts';
import { patchText } from '../../spec/edit/diff-lines.ts';
import { loadSpec } from '../../spec/load/load-spec.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';
import type { Diagnostic } from '../../spec/values/diagnostic.ts';
import { formatOfFile, parseSpecText } from '../../spec/yaml/parse-yaml.ts';
import { CommandFailure } from '../command-failure.ts';
import {
  paint,
  printDiagnostics,
  printDocument,
  printJson,
  printLine,
  printNote,
} from '../output.ts';
import { readTextFile } from '../read-text-file.ts';

export interface DiffOptions {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly exitCode?: boolean;
  readonly lines?: boolean;
  readonly name?: string;
}

interface SpecFile {
  readonly text: string;
  readonly spec: Spec | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

function readSpecFile(file: string, name: string): SpecFile {
  // Git's word for a file that one side does not have, on every system.
  const text = file === '/dev/null' ? '' : readTextFile(file);
  const { value, diagnostics } = parseSpecText(text, formatOfFile(name));
  if (value === undefined) return { text, spec: undefined, diagnostics };
  const loaded = loadSpec({ base: value });
  return { text, spec: loaded.spec, diagnostics: loaded.diagnostics };
}

function specOf({ spec, diagnostics }: SpecFile, file: string): Spec {
  if (spec !== undefined) return spec;
  printDiagnostics(diagnostics, printNote);
  throw new CommandFailure(
    `${file} cannot be read as a spec; "specwright spec validate" says more.`,
  );
}

const GROUPS: readonly [title: string, has: (change: SpecChange) => boolean][] = [
  ['May do more, or is watched less', ({ privilege }) => privilege === 'gained'],
  ['May do less, or is watched more', ({ privilege }) => privilege === 'lost'],
  ['Does something else', ({ privilege, behaviour }) => privilege === null && behaviour],
  ['Without effect on a run', ({ privilege, behaviour }) => privilege === null && !behaviour],
];

function groupsOf({ changes }: SpecComparison) {
  return GROUPS.map(([title, has]) => ({ title, changes: changes.filter(has) })).filter(
    (group) => group.changes.length > 0,
  );
}

function verdictOf({ changes, sameBehaviour }: SpecComparison): string {
  if (changes.length === 0) return 'No change in behaviour: both say the same.';
  return sameBehaviour ? 'No change in behaviour.' : '';
}

/** The text as Markdown shows it, with nothing in it that would be markup. */
function inMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|#]/g, (sign) => `\\${sign}`);
}

function markdownOf(comparison: SpecComparison): string {
  const verdict = verdictOf(comparison);
  const parts = groupsOf(comparison).map(({ title, changes }) =>
    [`### ${title}`, '', ...changes.map(({ text }) => `- ${inMarkdown(text)}`), ''].join('\n'),
  );
  return `${[...(verdict === '' ? [] : [`${verdict}\n`]), ...parts].join('\n').trimEnd()}\n`;
}

function printComparison(comparison: SpecComparison): void {
  for (const { title, changes } of groupsOf(comparison)) {
    printLine(paint('bold', title));
    for (const { text } of changes) printLine(`  ${text}`);
  }
  const verdict = verdictOf(comparison);
  if (verdict !== '') printLine(verdict);
}

/** What differs in meaning where both are specs, then the lines that differ; exit 1 as asked. */
function diffWithLines(name: string, before: SpecFile, after: SpecFile, asked: boolean): number {
  printLine(paint('bold', name));
  let differs = before.text !== after.text;
  if (before.spec !== undefined && after.spec !== undefined) {
    const comparison = compareSpecs(before.spec, after.spec);
    differs = !comparison.sameBehaviour;
    printComparison(comparison);
  }
  printLine(patchText(name, before.text, after.text));
  return asked && differs ? 1 : 0;
}

/** `diff A B`: what the second spec says otherwise; exit 1 with --exit-code when a run can tell. */
export function diff(earlier: string, later: string, options: DiffOptions): number {
  const { name, lines = false, exitCode = false } = options;
  const before = readSpecFile(earlier, name ?? earlier);
  const after = readSpecFile(later, name ?? later);
  if (lines) return diffWithLines(name ?? later, before, after, exitCode);
  const comparison = compareSpecs(specOf(before, earlier), specOf(after, later));
  const { sameBehaviour } = comparison;
  if (options.json) printJson({ same_behaviour: sameBehaviour, changes: comparison.changes });
  else if (options.markdown) printDocument(markdownOf(comparison));
  else printComparison(comparison);
  return exitCode && !sameBehaviour ? 1 : 0;
}
