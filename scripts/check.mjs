// npm run check: every gate, two at a time. Prints the output of those that fail.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { capture, ensureNodeModules, root } from './toolchain.mjs';

// The compiler of version 7 checks types five times as fast (two gates run at a time, hence one thread
// for each); version 6 stays for tools that read code through its interface.
const TSC = path.join(root, 'node_modules/typescript-native/bin/tsc');
const CACHE = path.join(root, 'node_modules/.cache/tsc');

function typeGate(project) {
  const info = path.join(CACHE, `${project.replaceAll('/', '-')}.tsbuildinfo`);
  const options = ['--incremental', '--tsBuildInfoFile', info, '--pretty', 'false'];
  const args = [TSC, '--singleThreaded', '-p', project, ...options];
  return { name: `types ${project}`, command: 'node', args };
}

function projects() {
  const { references } = JSON.parse(readFileSync(path.join(root, 'tsconfig.json'), 'utf8'));
  return references.map((reference) => reference.path);
}

/** Every gate with its command. The long ones first, so that two cores end together. */
export function gates() {
  return [
    ...projects().toReversed().map(typeGate),
    { name: 'unused code', command: 'knip', args: ['--no-progress', '--no-config-hints'] },
    { name: 'boundaries', command: 'node', args: ['scripts/check-boundaries.mjs'] },
    {
      name: 'format and lint',
      command: 'biome',
      args: ['ci', '--colors=off', '--diagnostic-level=error', '.'],
    },
    { name: 'file sizes', command: 'node', args: ['scripts/check-sizes.mjs'] },
    { name: 'no logic on prose', command: 'node', args: ['scripts/check-prose.mjs'] },
    { name: 'citations', command: 'node', args: ['scripts/check-citations.mjs'] },
    { name: 'requirements', command: 'node', args: ['scripts/requirements.mjs', '--check'] },
    { name: 'texts', command: 'node', args: ['scripts/texts.mjs', '--check'] },
    { name: 'one door to SQL', command: 'node', args: ['scripts/check-sql.mjs'] },
  ];
}

async function work(queue, results) {
  for (let gate = queue.shift(); gate !== undefined; gate = queue.shift()) {
    const begun = performance.now();
    const { code, output } = await capture(gate.command, gate.args);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${gate.name} (${seconds} s)\n`);
    if (code !== 0) process.stdout.write(`${output.trimEnd()}\n`);
    results.push({ name: gate.name, passed: code === 0 });
  }
}

/** Runs all gates; answers how many passed and failed. */
export async function check() {
  mkdirSync(CACHE, { recursive: true });
  const queue = gates();
  const results = [];
  await Promise.all([work(queue, results), work(queue, results)]);
  const failed = results.filter((result) => !result.passed).length;
  return { passed: results.length - failed, failed };
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  ensureNodeModules();
  if (!existsSync(path.join(root, 'server')) || readdirSync(path.join(root, 'server')).length === 0)
    process.exit(1);
  const { passed, failed } = await check();
  process.stdout.write(`${passed} gates passed, ${failed} failed\n`);
  process.exit(failed === 0 ? 0 : 1);
}
