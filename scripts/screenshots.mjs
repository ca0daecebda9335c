// npm run screenshots: drives the story in the real window and keeps the README's pictures in docs/images.
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { ensureBuild } from './build.mjs';
import { prepareMachine } from './machine.mjs';
import { runEndToEnd } from './test-e2e.mjs';
import { ensureNodeModules, root } from './toolchain.mjs';

const PICTURES = {
  'editor.png': 'window-light-03-editor.png',
  'gaps.png': 'window-light-07-gaps.png',
  'artifact.png': 'window-dark-09-artifact.png',
  'run.png': 'window-light-13-completed.png',
};

ensureNodeModules();
await prepareMachine();
ensureBuild();
const code = await runEndToEnd(['story', '-g', 'window']);
if (code !== 0) process.exit(code);
const target = path.join(root, 'docs/images');
mkdirSync(target, { recursive: true });
for (const [name, source] of Object.entries(PICTURES)) {
  copyFileSync(path.join(root, 'test-results/screens', source), path.join(target, name));
}
process.stdout.write(`${Object.keys(PICTURES).length} pictures written to docs/images\n`);
