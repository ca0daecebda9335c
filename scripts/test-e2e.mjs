// npm run test:e2e [-- playwright options]: the real window and a browser, on a virtual display
// where there is none.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuild } from './build.mjs';
import { ensureRuntime } from './electron-runtime.mjs';
import { prepareMachine } from './machine.mjs';
import { ensureNodeModules, hasDisplay, run, toolEnv } from './toolchain.mjs';
import { runtimeEnv } from './with-runtime.mjs';

/** Runs Playwright; answers its exit code. */
export async function runEndToEnd(words = []) {
  const env = toolEnv(runtimeEnv(await ensureRuntime()));
  const command = ['playwright', 'test', ...words];
  if (hasDisplay()) return run(command[0], command.slice(1), { env });
  const screen = ['-a', '-s', '-screen 0 1600x1000x24'];
  return run('xvfb-run', [...screen, ...command], { env });
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  ensureNodeModules();
  await prepareMachine();
  ensureBuild();
  process.exit(await runEndToEnd(process.argv.slice(2)));
}
