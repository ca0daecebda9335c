import { DebUpdater, NsisUpdater, RpmUpdater } from 'electron-updater';
import { t } from '../../preload/texts/t.ts';
import type { Installer } from './installer.ts';
import { UpdateProblem } from './refusal.ts';

/*
 * What electron-updater knows of installing: which package manager a system has and how it asks for a
 * password, how the installer of Windows is started. What it looks for, downloads and believes is
 * ours (feed.ts, download.ts), since it proves no signature of the feed and cannot go on.
 */

interface Install {
  run(packageFile: string, restart: boolean): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

class DebInstall extends DebUpdater implements Install {
  #file = '';
  protected override get installerPath(): string {
    return this.#file;
  }
  run(packageFile: string, restart: boolean): boolean {
    this.#file = escaped(packageFile);
    return this.doInstall(quietly(restart));
  }
}

class RpmInstall extends RpmUpdater implements Install {
  #file = '';
  protected override get installerPath(): string {
    return this.#file;
  }
  run(packageFile: string, restart: boolean): boolean {
    this.#file = escaped(packageFile);
    return this.doInstall(quietly(restart));
  }
}

class NsisInstall extends NsisUpdater implements Install {
  #file = '';
  protected override get installerPath(): string {
    return this.#file;
  }
  run(packageFile: string, restart: boolean): boolean {
    this.#file = packageFile;
    return this.doInstall(quietly(restart));
  }
}

/** Its commands go through a shell; a folder of a person may have any name. */
function escaped(file: string): string {
  if (/['\n\r]/.test(file))
    throw new Error('the package lies in a folder with a quote in its name');
  return file.replaceAll(/([\\`$!" ;|&()<>])/g, '\\$1');
}

function quietly(restart: boolean) {
  return { isSilent: true, isForceRunAfter: restart, isAdminRightsRequired: false };
}

const KINDS = {
  deb: { ending: '.deb', make: () => new DebInstall() },
  rpm: { ending: '.rpm', make: () => new RpmInstall() },
  nsis: { ending: '.exe', make: () => new NsisInstall() },
} as const;

/** Hands a proved package to the system's own way of installing. The version before is not kept. */
export function systemInstaller(form: keyof typeof KINDS): Installer {
  const { ending, make } = KINDS[form];
  return {
    form,
    ending,
    asksPassword: form !== 'nsis',
    program: undefined,
    prepare: async () => {},
    async install(packageFile, _version, restart) {
      const installer = make();
      let said: unknown;
      installer.on('error', (error) => {
        said = error;
      });
      try {
        if (installer.run(packageFile, restart)) return;
      } catch (error) {
        said = error;
      }
      throw new UpdateProblem(
        'not_installed',
        t(
          'The system did not install the update. The program is as it was; try again, or install the package yourself.',
        ),
        said,
      );
    },
    keeps: async () => false,
    async goBack(version) {
      throw new UpdateProblem(
        'not_gone_back',
        t('The system keeps no program of version {version}: install its package.', { version }),
      );
    },
    tidy: async () => {},
  };
}
