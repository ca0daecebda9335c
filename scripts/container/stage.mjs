// node scripts/container/stage.mjs FOLDER: everything that the image holds beside Node, taken from a
// checkout that is built. The folder is the context of scripts/container/Containerfile.
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fail, root } from '../toolchain.mjs';

const FILES = ['out/main', 'out/renderer', 'migrations', 'resources', 'package.json', 'LICENSE'];
/** The only package that is not in the bundle: it is machine code. */
const STORE = 'node_modules/better-sqlite3';
const STORE_FILES = ['lib', 'package.json', 'LICENSE', 'prebuilds'];
/** Machine code of systems that an image is not for. */
const FOREIGN = /\/(?:darwin|win32)-[^/]*\.node$/;

const target = process.argv[2];
if (target === undefined) fail('Say where: node scripts/container/stage.mjs FOLDER');
if (!existsSync(path.join(root, 'out/main/server.mjs'))) fail('Build first: npm run build');

const folder = path.resolve(target);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const file of [...FILES, ...STORE_FILES.map((one) => `${STORE}/${one}`)]) {
  cpSync(path.join(root, file), path.join(folder, file), {
    recursive: true,
    dereference: true,
    filter: (source) => !source.endsWith('.map') && !FOREIGN.test(source.replaceAll('\\', '/')),
  });
}
process.stdout.write(`${folder}\n`);
