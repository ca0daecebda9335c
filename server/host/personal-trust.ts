import path from 'node:path';
import type { CodeTreesSetting } from '../runtime/code-trees.ts';
import { notePlaces } from '../runtime/project-places.ts';
import { openTrustedFolders, type TrustedFolders } from '../runtime/trusted-folders.ts';
import type { TrustSource } from '../studio/trust/trust-source.ts';
import { trustedFoldersFile } from './config-folder.ts';
import { placesFile } from './data-folder.ts';

/** The folders that whoever started this process trusts. */
export function trustedFolders(): TrustedFolders {
  return openTrustedFolders(trustedFoldersFile(process.env));
}

/** What a platform alone on a data folder knows of its projects and of trust. */
export function personalTrees(dataFolder: string): NonNullable<CodeTreesSetting['projects']> {
  return {
    trustFile: trustedFoldersFile(process.env),
    placesFile: placesFile(dataFolder),
    base: path.join(dataFolder, 'projects'),
  };
}

/** The trust question of a studio that runs alone, about the platform on its data folder. */
export function personalTrust(dataFolder: string, defaultTrusted: boolean): TrustSource {
  return {
    folders: trustedFolders(),
    notePlaces: (places) => notePlaces(placesFile(dataFolder), places),
    defaultTrusted,
  };
}
