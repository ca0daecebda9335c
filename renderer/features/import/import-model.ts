import type { ImportSummary } from '../../../server/contract/studio/imports.ts';

/** A file that can be offered to the importers. */
export interface ImportFile {
  readonly name: string;
  readonly text: string;
}

/** What the file is, in words, for the list of refusals. */
export function fileProblemText(problem: 'too_large' | 'not_utf8' | 'unreadable'): string {
  if (problem === 'too_large') {
    return 'The file is too large to be a workflow export.';
  }
  return problem === 'not_utf8'
    ? 'The file is not UTF-8 text, so it is no workflow export.'
    : 'The file could not be read.';
}

const FAMILY: Readonly<Record<string, string>> = {
  sequential: 'A sequence of steps',
  graph: 'A graph of steps',
};

/** One sentence on what was imported. */
export function familyText(summary: ImportSummary): string {
  return summary.workflow_family === null
    ? 'A single agent without a workflow'
    : (FAMILY[summary.workflow_family] ?? summary.workflow_family);
}
