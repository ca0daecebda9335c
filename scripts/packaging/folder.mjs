// The packed folder that every package of Linux is made of.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { isSubstitute } from '../electron-runtime.mjs';
import { capture, toolEnv } from '../toolchain.mjs';
import { builderOptions, runtimeEnv } from '../with-runtime.mjs';
import { putLauncherFirst } from './launchers.mjs';
import { libraryFaults } from './libraries.mjs';
import { settle } from './stage.mjs';

/** Where this build looks for updates and the public key that proves them, other than package.json says. */
function updateOptions({ updateUrl, updatePublicKey }) {
  if (updateUrl === undefined || updatePublicKey === undefined) return [];
  return [
    `-c.extraMetadata.updates.url=${updateUrl}`,
    `-c.extraMetadata.updates.keys=${updatePublicKey}`,
  ];
}

/** Runs electron-builder quietly; throws with all that it said when it fails. */
export async function runBuilder(build, words) {
  const { executable, output, version } = build;
  const options = [
    ...['-p', 'never', `-c.directories.output=${output}`],
    ...(version === undefined ? [] : [`-c.extraMetadata.version=${version}`]),
    ...updateOptions(build),
    ...builderOptions(executable),
  ];
  const env = toolEnv({ ...runtimeEnv(executable), ...build.env });
  const { code, output: said } = await capture('electron-builder', [...words, ...options], { env });
  if (code !== 0) throw new Error(`electron-builder failed:\n${said.trimEnd()}`);
}

function checkLibraries(folder) {
  const faults = libraryFaults(folder);
  if (faults.length > 0) throw new Error(`electron-builder.yml: ${faults.join('; ')}`);
}

/** Where electron-builder puts the folder for the machine's own architecture. */
export function folderOf({ output }) {
  return path.join(output, process.arch === 'x64' ? 'linux-unpacked' : 'linux-arm64-unpacked');
}

/** What a packager adds for itself and would leave to the next one. */
export function cleanFolder(build) {
  const resources = path.join(folderOf(build), 'resources');
  for (const name of ['app-update.yml', 'package-type', 'apparmor-profile'])
    rmSync(path.join(resources, name), { force: true });
  // Left by scripts/electron-runtime.mjs.
  rmSync(path.join(folderOf(build), '.stamp'), { force: true });
  settle(folderOf(build));
}

/** Packs the built program around the runtime. */
export async function packFolder(build) {
  const folder = folderOf(build);
  rmSync(folder, { recursive: true, force: true });
  await runBuilder(build, ['--linux', 'dir']);
  putLauncherFirst(folder);
  checkLibraries(folder);
  cleanFolder(build);
  return folder;
}

/** True when the packages hold a runtime that gets no security updates. */
export function isForTests({ executable }) {
  return isSubstitute(executable);
}
