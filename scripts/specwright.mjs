// npm run -s specwright -- <command>: the command line on the pinned Node, built when stale.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureBuild } from './build.mjs';
import { ensureNodeModules, follow, modernNode, root } from './toolchain.mjs';

ensureNodeModules();
ensureBuild();
follow(
  spawn(modernNode(), [path.join(root, 'out/main/server.mjs'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  }),
);
