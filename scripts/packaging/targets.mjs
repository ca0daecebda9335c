// What can be packaged, on which system, and what a machine needs for it.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { capture, findProgram, installSystemPackages, root } from '../toolchain.mjs';
import { appImageTools } from './appimage-tools.mjs';
import { addToFeed, keepFeeds } from './feed.mjs';
import { cleanFolder, folderOf, isForTests, runBuilder } from './folder.mjs';
import { buildSeconds } from './stage.mjs';

/** Programs by the Debian package that has them. */
const DEBIAN_PROGRAMS = {
  'desktop-file-validate': 'desktop-file-utils',
  'dpkg-deb': 'dpkg',
  mksquashfs: 'squashfs-tools',
  rpmbuild: 'rpm',
  tar: 'tar',
};

const ELECTRON_ELSEWHERE =
  'the Electron of that system comes from a host that is not reached from here';

/** Installs what is missing where that is possible; answers what still is. */
function missingPrograms(names) {
  const absent = names.filter((name) => findProgram(name) === undefined);
  if (absent.length === 0) return undefined;
  const packages = absent.map((name) => DEBIAN_PROGRAMS[name] ?? name);
  const advice = installSystemPackages([], packages);
  return advice === undefined ? undefined : `${absent.join(' and ')} missing; ${advice}`;
}

async function fromFolder(build, target, options = [], env = {}) {
  const hurry = build.fast ? { SPECWRIGHT_COMPRESSION: 'gz' } : {};
  await runBuilder({ ...build, env: { ...hurry, ...env } }, [
    ...['--linux', target, '--prepackaged', folderOf(build)],
    ...options,
  ]);
  keepFeeds(build);
  cleanFolder(build);
}

async function buildAppImage(build) {
  if (!isForTests(build)) return fromFolder(build, 'AppImage');
  const tools = await appImageTools();
  if (tools.reason !== undefined) return tools.reason;
  // The older runtime reads gzip only.
  return fromFolder(build, 'AppImage', ['-c.appImage.compression=gzip'], {
    APPIMAGE_TOOLS_PATH: tools.folder,
  });
}

async function buildTar(build) {
  const name = path.basename(build.artifact('linux', 'x64', 'tar.gz'), '.tar.gz');
  const file = path.join(build.output, `${name}.tar.gz`);
  rmSync(file, { force: true });
  const words = [
    ...['--sort=name', `--mtime=@${buildSeconds()}`, '--owner=0', '--group=0', '--numeric-owner'],
    ...['--format=gnu', `--transform=s,^\\.,${name},`, '-C', folderOf(build)],
    ...[`--use-compress-program=gzip -n ${build.fast ? '-1' : '-9'}`, '-cf', file, '.'],
  ];
  const { code, output } = await capture('tar', words, { cwd: root });
  if (code !== 0) throw new Error(`tar failed: ${output.trim()}`);
  addToFeed(build, file);
}

function elsewhere(system, platform, flag) {
  return async (build) => {
    if (isForTests(build)) return `${ELECTRON_ELSEWHERE}; .github/workflows/release.yml builds it`;
    if (process.platform !== platform)
      return `built and signed on ${system} by .github/workflows/release.yml`;
    await runBuilder(build, [flag]);
    return undefined;
  };
}

/** Each answers undefined when it built, else why it did not. */
export const TARGETS = [
  {
    name: 'deb',
    linux: true,
    build: async (build) => missingPrograms(['dpkg-deb']) ?? fromFolder(build, 'deb'),
  },
  {
    name: 'rpm',
    linux: true,
    build: async (build) => missingPrograms(['rpmbuild']) ?? fromFolder(build, 'rpm'),
  },
  {
    name: 'AppImage',
    linux: true,
    build: async (build) =>
      missingPrograms(['mksquashfs', 'desktop-file-validate']) ?? buildAppImage(build),
  },
  {
    name: 'tar.gz',
    linux: true,
    build: async (build) => missingPrograms(['tar']) ?? buildTar(build),
  },
  { name: 'windows', says: 'nsis and zip', build: elsewhere('Windows', 'win32', '--win') },
  { name: 'macos', says: 'dmg and zip', build: elsewhere('macOS', 'darwin', '--mac') },
];
