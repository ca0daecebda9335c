import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { t } from '../../preload/texts/t.ts';
import { placeFolder, replaceFile } from '../../server/files/durable-write.ts';
import { freeBytes } from '../../server/files/free-space.ts';
import { isObject } from '../../server/kernel/json.ts';
import { systemCode } from '../../server/kernel/system-code.ts';
import type { Installer } from './installer.ts';
import { UpdateProblem } from './refusal.ts';

/*
 * The folder that a tar.gz was unpacked as stays as it is. Later versions lie whole in `.versions/` in
 * it, and the file `current` names the one that the launcher starts (scripts/packaging/launcher.sh):
 * to write that file is the whole installation, so that a kill leaves one version or the other.
 */

const VERSIONS = '.versions';
const CURRENT = 'current';
const LAUNCHER = 'specwright';
/** An unpacked version takes about three times its package. */
const UNPACKED_FACTOR = 4;

const run = promisify(execFile);

async function isThere(file: string, mode = constants.F_OK): Promise<boolean> {
  return access(file, mode).then(
    () => true,
    () => false,
  );
}

async function versionOf(program: string): Promise<string | undefined> {
  const file = path.join(program, 'resources/app.asar.unpacked/package.json');
  try {
    const manifest: unknown = JSON.parse(await readFile(file, 'utf8'));
    const version = isObject(manifest) ? manifest['version'] : undefined;
    return typeof version === 'string' ? version : undefined;
  } catch {
    // What cannot be read is no program.
    return undefined;
  }
}

/** The folder that the person unpacked, of the folder of the running program. */
export function unpackedBase(programFolder: string): string {
  const parent = path.dirname(programFolder);
  return path.basename(parent) === VERSIONS ? path.dirname(parent) : programFolder;
}

function broken(cause?: unknown): UpdateProblem {
  return new UpdateProblem(
    'package_broken',
    t('The update was refused: its package does not hold a whole program of that version.'),
    cause,
  );
}

async function unpack(packageFile: string, target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const words = ['-xzf', packageFile, '-C', target, '--strip-components=1', '--no-same-owner'];
  try {
    await run('tar', words);
  } catch (error) {
    await rm(target, { recursive: true, force: true });
    throw broken(error);
  }
}

async function requireRoom(folder: string, packageFile: string): Promise<void> {
  const bytes = (await stat(packageFile)).size * UNPACKED_FACTOR;
  if ((await freeBytes(folder)) >= bytes) return;
  const needed = Math.ceil(bytes / 1_000_000);
  throw new UpdateProblem(
    'disk_full',
    t(
      'The disk has no room to unpack the update, which needs {needed} MB. Free some space and try again.',
      { needed },
    ),
  );
}

/** Updates a folder that was unpacked from a tar.gz. */
export function tarInstaller(base: string): Installer {
  const folderOf = (version: string): string => path.join(base, VERSIONS, version);
  const pointAt = async (version: string): Promise<void> => {
    await replaceFile(path.join(base, CURRENT), `${version}\n`, { mode: 0o644 });
  };
  return {
    form: 'tar.gz',
    ending: '.tar.gz',
    asksPassword: false,
    program: path.join(base, LAUNCHER),
    async prepare(packageFile, version) {
      if ((await versionOf(folderOf(version))) === version) return;
      await requireRoom(base, packageFile);
      const beside = path.join(base, VERSIONS, `.new-${version}`);
      await unpack(packageFile, beside);
      const whole =
        (await versionOf(beside)) === version &&
        (await isThere(path.join(beside, LAUNCHER), constants.X_OK));
      if (!whole) {
        await rm(beside, { recursive: true, force: true });
        throw broken();
      }
      await rm(folderOf(version), { recursive: true, force: true });
      await placeFolder(beside, folderOf(version));
    },
    async install(_packageFile, version) {
      try {
        await pointAt(version);
      } catch (error) {
        throw new UpdateProblem(
          'not_installed',
          t('The update was not installed: the folder of the program cannot be written.'),
          error,
        );
      }
    },
    async keeps(version) {
      return (
        (await versionOf(folderOf(version))) === version || (await versionOf(base)) === version
      );
    },
    async goBack(version) {
      try {
        if ((await versionOf(folderOf(version))) === version) await pointAt(version);
        else await rm(path.join(base, CURRENT), { force: true });
      } catch (error) {
        throw new UpdateProblem(
          'not_gone_back',
          t(
            'Version {version} was not made the one that starts: the folder of the program cannot be written.',
            { version },
          ),
          error,
        );
      }
    },
    async tidy(versions) {
      let names: string[];
      try {
        names = await readdir(path.join(base, VERSIONS));
      } catch (error) {
        if (systemCode(error) === 'ENOENT') return;
        throw error;
      }
      for (const name of names) {
        if (versions.includes(name)) continue;
        await rm(path.join(base, VERSIONS, name), { recursive: true, force: true });
      }
    },
  };
}
