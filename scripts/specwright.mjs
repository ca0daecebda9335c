// npm run -s specwright -- <command>: the command line on the pinned Node, built when stale.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureBuild } from './build.mjs';
import { ensureNodeModules, modernNode, root } from './toolchain.mjs';

ensureNodeModules();
ensureBuild();
const child = spawn(
  modernNode(),
  [path.join(root, 'out/main/server.mjs'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  },
);
// The child decides when it has drained; this process only passes the request on.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.once('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
child.once('error', (error) => {
  process.stderr.write(`specwright: ${error.message}\n`);
  process.exit(1);
});
