// No source file over 400 lines, whatever its kind, tests included. Fixtures, data and generated files
// are exempt. An argument names another tree to look at.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './toolchain.mjs';

const LIMIT = 400;
const tree = path.resolve(root, process.argv[2] ?? '.');
const ROOMS = process.argv[2]
  ? ['.']
  : ['server', 'main', 'preload', 'renderer', 'scripts', 'test'];
const SOURCE = /\.(?:ts|tsx|mjs|js|css)$/;
const FIXTURES = 'fixtures';

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.name === FIXTURES) continue;
    if (entry.isDirectory()) yield* sources(file);
    else if (SOURCE.test(entry.name)) yield file;
  }
}

let failed = false;
for (const room of ROOMS) {
  for (const file of sources(path.join(tree, room))) {
    const lines = readFileSync(file, 'utf8').split('\n').length - 1;
    if (lines <= LIMIT) continue;
    failed = true;
    process.stdout.write(`${path.relative(tree, file)}: ${lines} lines, at most ${LIMIT}\n`);
  }
}
process.exit(failed ? 1 : 0);
