import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { trustedFolders } from '../../host/personal-trust.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import { CommandFailure } from '../command-failure.ts';
import { printJson, printLine } from '../output.ts';
import { printTable } from '../table.ts';

export interface TrustOptions {
  readonly json?: boolean;
}

/** The question of the window as an answer that was given (docs/tools.md). */
const MEANING: readonly string[] = [
  'From now on, for specs of this folder, in the window, in services and on the command line:',
  '- its functions run, fenced, and can send what a run gives them to any address',
  '- programs of its MCP servers start, not fenced: they run as you, with your files',
  '- its specs can read every variable of the environment, and send it to the addresses they name',
];

/** A folder by its real place; one that is gone can still be taken off the list. */
function realFolder(given: string | undefined): string {
  const folder = path.resolve(given ?? '.');
  return statSync(folder, { throwIfNoEntry: false }) === undefined ? folder : realpathSync(folder);
}

/** `trust list`. */
export function list({ json }: TrustOptions): number {
  const folders = trustedFolders().list();
  if (json) printJson({ folders });
  else if (folders.length === 0) printLine('No folder is trusted.');
  else {
    printTable(folders, [
      { head: 'FOLDER', show: ({ folder }) => folder },
      { head: 'SINCE', show: ({ trusted_at }) => trusted_at },
      {
        head: 'STATE',
        show: ({ stands }) => (stands ? 'trusted' : 'another folder now: not trusted'),
      },
    ]);
  }
  return 0;
}

/** `trust add`. @throws CommandFailure for what is no folder. */
export function add(given: string | undefined, { json }: TrustOptions): number {
  const folder = realFolder(given);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new CommandFailure(`${folder} is no folder.`);
  }
  trustedFolders().add(folder, toTimestamp(Date.now()));
  if (json) {
    printJson({ folder, trusted: true });
    return 0;
  }
  printLine(`✓ trusted: ${folder}`);
  for (const line of MEANING) printLine(line);
  printLine('"specwright trust remove" in this folder takes it back.');
  return 0;
}

/** `trust remove`. @throws CommandFailure for a folder that is not on the list. */
export function remove(given: string | undefined, { json }: TrustOptions): number {
  const folder = realFolder(given);
  if (!trustedFolders().remove(folder)) {
    throw new CommandFailure(`${folder} is not on the list; "specwright trust list" shows it.`);
  }
  if (json) printJson({ folder, trusted: false });
  else printLine(`✓ no longer trusted: ${folder}`);
  return 0;
}
