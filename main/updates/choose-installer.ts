import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { t } from '../../preload/texts/t.ts';
import { isObject } from '../../server/kernel/json.ts';
import { appImageInstaller } from './appimage-installer.ts';
import type { UpdateSource } from './check-feeds.ts';
import { feedFolder } from './http.ts';
import type { Installer } from './installer.ts';
import { tarInstaller, unpackedBase } from './tar-installer.ts';

/** The running program, as the system tells it. */
export interface Program {
  readonly packaged: boolean;
  readonly platform: string;
  readonly version: string;
  /** The program's own file. */
  readonly executable: string;
  readonly resourcesFolder: string;
  /** The file of an AppImage, where it is one. */
  readonly appImage: string | undefined;
  /** `package.json` of the build. */
  readonly manifest: unknown;
}

export type Means =
  | { readonly source: UpdateSource; readonly installer: Installer; readonly whyNot: null }
  | { readonly source: undefined; readonly installer: undefined; readonly whyNot: string };

const no = (whyNot: string): Means => ({ source: undefined, installer: undefined, whyNot });

function isWritable(place: string): boolean {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where this build looks for updates and what proves them; it was said when it was made. */
function sourceOf(manifest: unknown): UpdateSource | undefined {
  if (!isObject(manifest) || !isObject(manifest['updates'])) return undefined;
  const { url, keys } = manifest['updates'];
  const listed: readonly unknown[] = Array.isArray(keys) ? keys : [keys];
  const texts = listed.filter((key) => typeof key === 'string');
  const folder = typeof url === 'string' ? feedFolder(url) : undefined;
  const product = String(manifest['name']);
  return folder === undefined || texts.length === 0 ? undefined : { folder, keys: texts, product };
}

/** What a package manager or an installer left beside the program says how it was installed. */
function packageType(resources: string): 'deb' | 'rpm' | undefined {
  const file = path.join(resources, 'package-type');
  const type = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return type === 'deb' || type === 'rpm' ? type : undefined;
}

const elsewhere = () => t('Take new versions from where this one came from.');

async function installerOf(program: Program): Promise<Installer | string> {
  const { platform, executable, resourcesFolder, appImage, version } = program;
  if (platform === 'darwin') {
    return t(
      'On macOS it does not update itself yet: drag the new version to Applications. {elsewhere}',
      { elsewhere: elsewhere() },
    );
  }
  const folder = path.dirname(executable);
  if (platform === 'win32') {
    if (!existsSync(path.join(folder, 'Uninstall Specwright.exe'))) {
      return t('It was unpacked from a zip, which does not update itself. {elsewhere}', {
        elsewhere: elsewhere(),
      });
    }
    return (await import('./system-installer.ts')).systemInstaller('nsis');
  }
  if (appImage !== undefined) {
    if (isWritable(path.dirname(appImage))) return appImageInstaller(appImage, version);
    return t(
      'The folder of the AppImage cannot be written by you: move the file to a folder of yours.',
    );
  }
  const type = packageType(resourcesFolder);
  if (type !== undefined) return (await import('./system-installer.ts')).systemInstaller(type);
  const base = unpackedBase(folder);
  if (isWritable(base)) return tarInstaller(base);
  return t('The folder of the program cannot be written by you: whoever installed it updates it.');
}

/** How this program updates itself, or why it does not. */
export async function chooseMeans(program: Program): Promise<Means> {
  if (!program.packaged) return no(t('It runs from a checkout: update that with git.'));
  const source = sourceOf(program.manifest);
  if (source === undefined) {
    return no(
      t('This build has no key that updates are proved by. {elsewhere}', {
        elsewhere: elsewhere(),
      }),
    );
  }
  const installer = await installerOf(program);
  return typeof installer === 'string' ? no(installer) : { source, installer, whyNot: null };
}
