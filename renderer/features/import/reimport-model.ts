import { t } from '../../../preload/texts/t.ts';
import { sourceOfFile } from '../../../server/gaps/report/source-of-file.ts';
import type { OpenedFile } from '../../desktop/bridge.ts';
import { fileProblemText } from './import-model.ts';

/** What a chosen file is for an import that is made again. */
export type ChosenFile =
  | { readonly usable: true; readonly same: boolean; readonly text: string }
  | { readonly usable: false; readonly problem: string };

/** Judges a file by its name, its text and the hash of that; `sha` is that of the earlier import. */
export function judgeFile(
  file: OpenedFile,
  hash: string,
  earlier: { readonly source: string; readonly sha: string },
): ChosenFile {
  if (file.text === null) {
    return { usable: false, problem: fileProblemText(file.problem ?? 'unreadable') };
  }
  const same = hash === earlier.sha;
  const source = sourceOfFile(file.name, file.text);
  // The very same bytes are what they were, whatever the file is called by now.
  if (!same && source !== earlier.source) {
    return {
      usable: false,
      problem: t('This is no export of {source}, which the draft was imported from.', {
        source: earlier.source,
      }),
    };
  }
  return { usable: true, same, text: file.text };
}

/** What is said of a file that can be imported again. */
export function sameText(same: boolean): string {
  return same
    ? t('It is the file that was imported before, byte for byte.')
    : t(
        'It is not byte for byte the file that was imported before, so it is taken as a later version of it. Your draft stays as it is until you merge.',
      );
}
