// npm run bench [-- suite …]: the figures of test/performance on the built program.
import { ensureBuild } from './build.mjs';
import { ensureRuntime } from './electron-runtime.mjs';
import { prepareMachine } from './machine.mjs';
import { ensureNodeModules, hasDisplay, modernNode, run, toolEnv } from './toolchain.mjs';
import { runtimeEnv } from './with-runtime.mjs';

ensureNodeModules();
await prepareMachine();
ensureBuild();
const env = toolEnv(runtimeEnv(await ensureRuntime()));
const command = [modernNode(), 'test/performance/bench.ts', ...process.argv.slice(2)];
const screen = ['-a', '-s', '-screen 0 1600x1000x24'];
process.exit(
  hasDisplay()
    ? run(command[0], command.slice(1), { env })
    : run('xvfb-run', [...screen, ...command], { env }),
);
