import { t } from '../../../preload/texts/t.ts';
import type { ImportSummary } from '../../../server/contract/studio/imports.ts';
import { fileStemOfTitle } from '../../../server/kernel/file-stem.ts';
import { secretsInText } from '../../../server/kernel/secrets-in-text.ts';
import { workflowNames } from './workflow-names.ts';

/** A file that can be offered to the importers. */
export interface ImportFile {
  readonly name: string;
  readonly text: string;
}

/** What the file is, in words, for the list of refusals. */
export function fileProblemText(problem: 'too_large' | 'not_utf8' | 'unreadable'): string {
  if (problem === 'too_large') {
    return t('The file is too large to be a workflow export.');
  }
  return problem === 'not_utf8'
    ? t('The file is not UTF-8 text, so it is no workflow export.')
    : t('The file could not be read.');
}

const FAMILY: Readonly<Record<string, string>> = {
  sequential: t('A sequence of steps'),
  graph: t('A graph of steps'),
};

/** One sentence on what was imported. */
export function familyText(summary: ImportSummary): string {
  return summary.workflow_family === null
    ? t('A single agent without a workflow')
    : (FAMILY[summary.workflow_family] ?? summary.workflow_family);
}

const APP_BLOCK = /^app:[^\S\n]*\n((?:(?:[^\S\n][^\n]*)?\n)*)/m;
const APP_NAME = /^[ \t]+name:[ \t]*(\S.*)$/m;

/** What a workflow calls itself: the name in an n8n export, the app's in one of Dify. */
export function ownName(source: string, text: string): string | null {
  if (source !== 'dify') {
    return workflowNames(text).name;
  }
  // The one line is read, not the whole document: an export may have a megabyte.
  const line = APP_NAME.exec(APP_BLOCK.exec(`${text}\n`)?.[1] ?? '')?.[1]?.trim() ?? '';
  return line.replace(/^(['"])(.*)\1$/, '$2') || null;
}

/** What the draft of an import is named after: the workflow's own name where it makes a file name. */
export function draftTitle(source: string, file: ImportFile): string {
  const own = ownName(source, file.text) ?? '';
  // A name that holds a credential becomes no file name.
  return (secretsInText(own).length === 0 ? fileStemOfTitle(own) : undefined) ?? file.name;
}
