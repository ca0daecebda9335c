import path from 'node:path';
import { type BrowserWindow, clipboard, dialog, shell } from 'electron';
import type { SavedFile, ShellFile } from '../preload/desktop-api.ts';
import { t } from '../preload/texts/t.ts';
import { readOpenedFile } from './opened-file.ts';
import { outsideAddress } from './outside-address.ts';
import { saveFile } from './saved-file.ts';

const workflowFilters = () => [
  { name: t('Workflows and archives'), extensions: ['json', 'yaml', 'yml', 'zip'] },
  { name: t('All files'), extensions: ['*'] },
];

export async function openImportFiles(window: BrowserWindow): Promise<readonly ShellFile[]> {
  const chosen = await dialog.showOpenDialog(window, {
    title: t('Import a workflow'),
    properties: ['openFile', 'multiSelections'],
    filters: workflowFilters(),
  });
  return Promise.all(chosen.filePaths.map(readOpenedFile));
}

export async function chooseFolder(window: BrowserWindow): Promise<string | undefined> {
  const chosen = await dialog.showOpenDialog(window, {
    title: t('Open a folder as a project'),
    properties: ['openDirectory', 'createDirectory'],
  });
  return chosen.filePaths[0];
}

/** Save dialog; writes what is given to the file that the person chooses. */
export async function saveChosenFile(
  window: BrowserWindow,
  name: string,
  content: string | Uint8Array,
): Promise<SavedFile> {
  const chosen = await dialog.showSaveDialog(window, {
    title: t('Save'),
    defaultPath: path.basename(name),
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  });
  if (chosen.canceled || chosen.filePath === '') {
    return { saved: false, name: null, problem: null };
  }
  const problem = await saveFile(chosen.filePath, content);
  return { saved: problem === null, name: path.basename(chosen.filePath), problem };
}

const ADDRESS_CHOICES = ['left', 'copied', 'opened'] as const;

/**
 * Shows an address and does what the person chooses. The question is the system's own, so that no text
 * in the window can answer it.
 */
export async function offerAddress(
  window: BrowserWindow,
  given: string,
): Promise<(typeof ADDRESS_CHOICES)[number] | null> {
  const address = outsideAddress(given);
  if (address === undefined) return null;
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: t('Another site'),
    message: t('Open {host} in your browser?', { host: new URL(address).host }),
    detail: address,
    buttons: [t('Cancel'), t('Copy address'), t('Open')],
    defaultId: 1,
    cancelId: 0,
    noLink: true,
  });
  const choice = ADDRESS_CHOICES[response] ?? 'left';
  if (choice === 'copied') clipboard.writeText(address);
  if (choice === 'opened') await shell.openExternal(address);
  return choice;
}
