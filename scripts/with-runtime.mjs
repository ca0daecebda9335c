#!/usr/bin/env node
// node scripts/with-runtime.mjs <command> [args…]
// Runs a command with every tool pointed at the same Electron runtime.
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureRuntime, isSubstitute } from './electron-runtime.mjs';
import { root, rootSwitches, run, toolEnv } from './toolchain.mjs';

/** Environment variables that lead each tool to the runtime at `executable`. */
export function runtimeEnv(executable) {
  const env = { ELECTRON_EXEC_PATH: executable, SPECWRIGHT_ELECTRON: executable };
  if (rootSwitches.length > 0) env.NO_SANDBOX = '1';
  if (process.platform === 'linux') env.CUSTOM_FPM_PATH = path.join(root, 'scripts/fpm.mjs');
  if (!isSubstitute(executable)) return env;
  const sevenZip = path.join(root, 'node_modules/7zip-bin/linux/x64/7za');
  if (existsSync(sevenZip)) chmodSync(sevenZip, 0o755);
  return {
    ...env,
    ELECTRON_OVERRIDE_DIST_PATH: path.dirname(executable),
    SPECWRIGHT_RUNTIME: path.dirname(executable),
    ELECTRON_BUILDER_7ZIP_PATH: sevenZip,
  };
}

/** electron-builder options that depend on the runtime: where it is, and a name that tells. */
export function builderOptions(executable) {
  const substitute = isSubstitute(executable);
  if (!substitute && !process.env.SPECWRIGHT_RUNTIME) return [];
  const folder = path.dirname(executable);
  const version = readFileSync(path.join(folder, 'version'), 'utf8').trim().replace(/^v/, '');
  const options = [`-c.electronDist=${folder}`, `-c.electronVersion=${version}`];
  if (!substitute) return options;
  return [
    ...options,
    // Never to be mistaken for a release: this runtime gets no security updates.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder's own macros
    '-c.artifactName=${name}-${version}-dev-${os}-${arch}.${ext}',
  ];
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const executable = await ensureRuntime();
  const [command, ...args] = process.argv.slice(2);
  if (command === undefined) {
    process.stderr.write('usage: with-runtime.mjs <command> [args…]\n');
    process.exit(2);
  }
  const extra = command === 'electron-builder' ? builderOptions(executable) : [];
  process.exit(run(command, [...args, ...extra], { env: toolEnv(runtimeEnv(executable)) }));
}
