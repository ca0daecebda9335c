// npm start: installs what is missing, builds what is stale, opens the window. Without a display
// it serves the same workbench for a browser and prints a one-time link.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { ensureBuild } from './build.mjs';
import {
  ensureNodeModules,
  follow,
  hasDisplay,
  installSystemPackages,
  missingLibraries,
  modernNode,
  root,
  rootSwitches,
  toolEnv,
} from './toolchain.mjs';

const words = process.argv.slice(2);

/** Without a window a folder is the tree of the project `default`. */
function servedWords(word) {
  return statSync(word, { throwIfNoEntry: false })?.isDirectory() ? ['--project', word] : [word];
}

function serveForBrowser() {
  process.stderr.write('Starting without a window…\n');
  follow(
    spawn(
      modernNode(),
      [path.join(root, 'out/main/server.mjs'), 'serve', ...words.flatMap(servedWords)],
      {
        // The one JSON line is for programs; a person wants the link on standard error.
        stdio: ['inherit', 'ignore', 'inherit'],
        env: toolEnv({ SPECWRIGHT_LOG: 'file' }),
      },
    ),
  );
}

/** One line for the user when the kernel forbids the browser's sandbox, else undefined. */
function sandboxAdvice(executable) {
  const switchFile = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
  if (rootSwitches.length > 0 || !existsSync(switchFile)) return undefined;
  if (readFileSync(switchFile, 'utf8').trim() !== '1') return undefined;
  const helper = path.join(path.dirname(executable), 'chrome-sandbox');
  if (!existsSync(helper) || (statSync(helper).mode & 0o4000) !== 0) return undefined;
  return `sudo chown root:root ${helper} && sudo chmod 4755 ${helper}`;
}

async function openWindow() {
  const { ensureRuntime } = await import('./electron-runtime.mjs');
  const executable = await ensureRuntime();
  const advice = installSystemPackages(missingLibraries(executable)) ?? sandboxAdvice(executable);
  if (advice !== undefined) {
    process.stderr.write(`The window needs one more step on this machine:\n  ${advice}\n`);
    serveForBrowser();
    return;
  }
  const { ELECTRON_RUN_AS_NODE: _ignored, ...env } = toolEnv();
  follow(spawn(executable, [root, ...rootSwitches, ...words], { stdio: 'inherit', env }));
}

ensureNodeModules();
ensureBuild();
if (hasDisplay()) {
  openWindow().catch((error) => {
    process.stderr.write(`The window cannot be opened: ${error.message}\n`);
    serveForBrowser();
  });
} else {
  serveForBrowser();
}
