// npm run -s specwright -- <words>: the program of decisions 29 from a checkout. Without words, or
// with a file, a folder, a specwright:// address or --safe, it opens the window; with a command it runs on
// the pinned Node without a display. Built when stale.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ensureBuild } from './build.mjs';
import { COMMAND_WORDS } from './command-words.mjs';
import { ensureNodeModules, follow, modernNode, root } from './toolchain.mjs';

const words = process.argv.slice(2);

// npm changes to the checkout; paths are meant where its caller stands.
const byNpm = process.env.npm_lifecycle_event === 'specwright';
const folder = (byNpm && process.env.INIT_CWD) || process.cwd();

// Also one that names nothing: an address is never taken for a path.
const isLink = (word) => /^(?:specwright|file):/i.test(word);

function isOpened(word) {
  if (isLink(word) || word === '--safe') return true;
  const known = COMMAND_WORDS.includes(word) || word.startsWith('-');
  return !known && existsSync(path.resolve(folder, word));
}

function launchWord(word) {
  return isLink(word) || word === '--safe' ? word : path.resolve(folder, word);
}

if (words.every(isOpened)) {
  process.argv.splice(2, words.length, ...words.map(launchWord));
  await import('./start.mjs');
} else {
  ensureNodeModules();
  ensureBuild();
  follow(
    spawn(modernNode(), [path.join(root, 'out/main/server.mjs'), ...words], {
      cwd: folder,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    }),
  );
}
