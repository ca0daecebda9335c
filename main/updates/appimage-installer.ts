import { chmod, cp, link, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { t } from '../../preload/texts/t.ts';
import { placeFile } from '../../server/files/durable-write.ts';
import type { Installer } from './installer.ts';
import { UpdateProblem } from './refusal.ts';
import { isVersion } from './version.ts';

/** The version before, beside the file that the person keeps. */
function keptFile(program: string, version: string): string {
  return path.join(path.dirname(program), `.${path.basename(program)}.${version}`);
}

async function isThere(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined))?.isFile() === true;
}

/** A second name for the file, or a copy where the disk knows no second names. */
async function keep(program: string, kept: string): Promise<void> {
  await rm(kept, { force: true });
  await link(program, kept).catch(() => cp(program, kept));
}

/** Updates an AppImage: the file at its place is replaced by rename, the one before stays beside it. */
export function appImageInstaller(program: string, current: string): Installer {
  const beside = keptFile(program, 'new');
  return {
    form: 'AppImage',
    ending: '.AppImage',
    asksPassword: false,
    program,
    async prepare(packageFile) {
      try {
        await cp(packageFile, beside);
        await chmod(beside, 0o755);
      } catch (error) {
        await rm(beside, { force: true });
        throw new UpdateProblem(
          'disk_full',
          t(
            'The folder of the program takes no new file. Free some space, or check that you may write there.',
          ),
          error,
        );
      }
    },
    async install() {
      try {
        await keep(program, keptFile(program, current));
        await placeFile(beside, program);
      } catch (error) {
        throw new UpdateProblem(
          'not_installed',
          t('The update was not installed: the folder of the program cannot be written.'),
          error,
        );
      }
    },
    keeps: (version) => isThere(keptFile(program, version)),
    async goBack(version) {
      try {
        await placeFile(keptFile(program, version), program);
      } catch (error) {
        throw new UpdateProblem(
          'not_gone_back',
          t(
            'The file of version {version} was not put back: the folder of the program cannot be written.',
            { version },
          ),
          error,
        );
      }
    },
    async tidy(versions) {
      const before = keptFile(program, '');
      const folder = path.dirname(program);
      for (const name of await readdir(folder)) {
        const file = path.join(folder, name);
        const version = file.startsWith(before) ? file.slice(before.length) : undefined;
        if (version === undefined || versions.includes(version)) continue;
        if (version === 'new' || isVersion(version)) await rm(file, { force: true });
      }
    },
  };
}
