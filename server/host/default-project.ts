import { mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from '../kernel/system-code.ts';
import { HostRefusal } from './host-refusal.ts';
import { writePrivateFile } from './private-file.ts';

/** The tree of the studio's project `default`. */
export interface DefaultProject {
  readonly root: string;
  /** True for the tree that the host made itself in the data folder. */
  readonly own: boolean;
}

function recorded(file: string): string | undefined {
  try {
    const root = readFileSync(file, 'utf8').trim();
    return root === '' ? undefined : root;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    // A choice that cannot be read must not be replaced by another one.
    throw error;
  }
}

/**
 * The given tree, else the one of the start before, else a tree of our own. The choice is kept in
 * the data folder, so that a start without `--project` finds the same project again.
 * @throws HostRefusal when the given tree is no folder
 */
export function chooseDefaultProject(
  given: string | undefined,
  dataFolder: string,
): DefaultProject {
  const record = path.join(dataFolder, 'default-project');
  const ownRoot = path.join(dataFolder, 'projects', 'default');
  const root = given ?? recorded(record) ?? ownRoot;
  const own = root === ownRoot;
  if (own) mkdirSync(root, { recursive: true, mode: 0o700 });
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new HostRefusal(
      'configuration',
      `The project tree ${root} is not a folder. Create it, or give --project another one.`,
    );
  }
  writePrivateFile(record, `${root}\n`);
  return { root, own };
}
