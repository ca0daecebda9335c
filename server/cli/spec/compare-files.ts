import type { SpecChange, SpecComparison } from '../../spec/compare/change.ts';
import { compareSpecs } from '../../spec/compare/compare-specs.ts';
import { loadSpec } from '../../spec/load/load-spec.ts';
import type { Spec } from '../../spec/schema/spec-types.ts';
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
}

function specOfFile(file: string): Spec {
  const { value, diagnostics } = parseSpecText(readTextFile(file), formatOfFile(file));
  const loaded = value === undefined ? undefined : loadSpec({ base: value });
  if (loaded?.spec !== undefined) return loaded.spec;
  printDiagnostics(loaded?.diagnostics ?? diagnostics, printNote);
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

/** `diff A B`: what the second spec says otherwise; exit 1 with --exit-code when a run can tell. */
export function diff(earlier: string, later: string, options: DiffOptions): number {
  const comparison = compareSpecs(specOfFile(earlier), specOfFile(later));
  const { sameBehaviour } = comparison;
  if (options.json) printJson({ same_behaviour: sameBehaviour, changes: comparison.changes });
  else if (options.markdown) printDocument(markdownOf(comparison));
  else {
    for (const { title, changes } of groupsOf(comparison)) {
      printLine(paint('bold', title));
      for (const { text } of changes) printLine(`  ${text}`);
    }
    const verdict = verdictOf(comparison);
    if (verdict !== '') printLine(verdict);
  }
  return options.exitCode && !sameBehaviour ? 1 : 0;
}
