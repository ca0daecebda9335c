// npm run test:e2e [-- playwright options]: the real window and a browser, on a virtual display
// where there is none.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuild } from './build.mjs';
import { ensureRuntime } from './electron-runtime.mjs';
import { prepareMachine } from './machine.mjs';
import { ensureNodeModules, hasDisplay, run, toolEnv } from './toolchain.mjs';
import { runtimeEnv } from './with-runtime.mjs';

/** What the second worker's windows open on, under names that the first one's do not take. */
const SECOND_DISPLAY = {
  SPECWRIGHT_SECOND_DISPLAY: 'DISPLAY',
  SPECWRIGHT_SECOND_XAUTHORITY: 'XAUTHORITY',
};

/** Runs Playwright; answers its exit code. */
export async function runEndToEnd(words = []) {
  const env = toolEnv(runtimeEnv(await ensureRuntime()));
  const command = ['playwright', 'test', ...words];
  if (hasDisplay()) return run(command[0], command.slice(1), { env });
  const screen = ['-a', '-s', '-screen 0 1600x1000x24'];
  // One display for each worker: two windows of one display take the focus from one another.
  const second = `export ${Object.entries(SECOND_DISPLAY)
    .map(([to, from]) => `${to}="$${from}"`)
    .join(' ')}; exec "$@"`;
  const inner = ['xvfb-run', ...screen, ...command];
  return run('xvfb-run', [...screen, 'sh', '-c', second, 'sh', ...inner], { env });
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  ensureNodeModules();
  await prepareMachine();
  ensureBuild();
  process.exit(await runEndToEnd(process.argv.slice(2)));
}
