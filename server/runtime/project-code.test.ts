import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { processesOver } from '../../test/support/processes-over.ts';
import { createProjectCode, type ProjectCode, type ProjectCodeOptions } from './project-code.ts';
import { findProjectFunction } from './project-functions.ts';

let root: string;
let code: ProjectCode | undefined;
const signal = new AbortController().signal;

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'functions-'));
  mkdirSync(path.join(root, 'functions', 'text'), { recursive: true });
  writeFileSync(path.join(root, 'secret.txt'), 'secret');
  writeFileSync(path.join(root, 'functions', 'helper.ts'), `export const sign: string = '!';\n`);
  writeFileSync(
    path.join(root, 'functions', 'text', 'tools.ts'),
    `import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { execSync } from 'node:child_process';
import { sign } from '../helper.ts';
// A process has a number of its own only in its namespace, which tells nothing here.
const id = crypto.randomUUID();
let calls = 0;
export function shout(input: string): string { console.log('noise'); return input.toUpperCase() + sign; }
export const count = () => ({ id, calls: ++calls });
export const variables = () => Object.keys(process.env);
export const peek = () => readFileSync(${JSON.stringify(path.join(root, 'secret.txt'))}, 'utf8');
export const leave = () => writeFileSync('left.txt', 'x');
export const shell = () => execSync('id').toString();
export const hang = () => new Promise(() => setInterval(() => undefined, 1000));
export const spin = () => { for (;;) ; };
export const fails = async () => { await null; throw new Error('backend offline'); };
export const late = () => { Promise.reject(new Error('nobody listens')); return 'fine'; };
export const timer = () => { setInterval(() => undefined, 50); return id; };
export const large = () => 'x'.repeat(5000);
export const greedy = () => { const all: string[] = []; for (;;) all.push('y'.repeat(1e6) + all.length); };
export const odd = () => undefined;
export const big = () => 10n;
export const quits = () => process.exit(4);
export const nothing = 5;
export const babble = async () => { writeSync(3, 'sk-secret {\\n'); await new Promise(() => setInterval(() => undefined, 1000)); };
export const pause = async (ms: number) => { await new Promise((done) => setTimeout(done, ms)); return id; };
`,
  );
});
afterEach(async () => {
  await code?.close();
  code = undefined;
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function waitUntil(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !holds(); turn += 1) await sleep(10);
  expect(holds()).toBe(true);
}

function open(options: Partial<ProjectCodeOptions> = {}): void {
  code = createProjectCode({ root, ...options });
}

async function call(name: string, args: unknown[] = [], stop = signal): Promise<unknown> {
  const found = await findProjectFunction(root, `text.tools.${name}`);
  if (found === undefined || code === undefined) throw new Error('not found');
  return code.call(found, args, stop);
}

test('code of the functions folder is called with its arguments; its output is not its answer', async () => {
  open();
  expect(await call('shout', ['hello'])).toBe('HELLO!');
  expect(await call('odd')).toBeNull();
});

test('project code inherits no variables', async () => {
  open();
  // The sandbox names the folder that it starts in.
  const names = (await call('variables')) as string[];
  expect(names.filter((name) => name !== 'PWD')).toEqual([]);
});

test('project code reads nothing outside its folder, writes nothing and starts no process', async () => {
  open();
  for (const name of ['peek', 'leave', 'shell']) {
    await expect(call(name)).rejects.toThrow(/restricted|permission/i);
  }
});

test('project code ends at its time limit, also when it never pauses', async () => {
  open({ limits: { timeoutMs: 5000 } });
  const timedOut = { facts: { timed_out: true, type: 'RetryTimeoutError' } };
  await expect(call('hang')).rejects.toMatchObject(timedOut);
  await expect(call('spin')).rejects.toMatchObject(timedOut);
  expect(await call('shout', ['a'])).toBe('A!');
});

test('its answer and its memory are limited', async () => {
  open({ limits: { maxResultBytes: 1000, memoryMb: 32 } });
  await expect(call('large')).rejects.toThrow('too much');
  await expect(call('greedy')).rejects.toThrow('ended without an answer');
  expect(await call('shout', ['a'])).toBe('A!');
});

test('what project code throws, sooner or later, is the failure', async () => {
  open();
  await expect(call('fails')).rejects.toThrow('backend offline');
  await expect(call('late')).rejects.toThrow('nobody listens');
  await expect(call('big')).rejects.toThrow(/BigInt/);
  await expect(call('quits')).rejects.toThrow('exit code 4');
  await expect(call('nothing')).rejects.toThrow("exports no function 'nothing'");
});

test('what is no answer fails the call and ends the process', async () => {
  open();
  await expect(call('babble')).rejects.toMatchObject({
    name: 'EffectFailure',
    message: "'babble' gave no answer that can be read",
  });
  expect(await call('shout', ['a'])).toBe('A!');
});

test('an abort ends the process at once', async () => {
  open();
  const controller = new AbortController();
  const hanging = call('spin', [], controller.signal);
  setTimeout(() => controller.abort(), 200);
  const began = performance.now();
  await expect(hanging).rejects.toThrow('stopped');
  // The limit of a call is 30 seconds.
  expect(performance.now() - began).toBeLessThan(20_000);
  await expect(call('shout', ['a'], AbortSignal.abort())).rejects.toThrow('stopped');
});

test('a clean process takes the next call; one that left a timer behind does not', async () => {
  open();
  const first = await call('count');
  const second = await call('count');
  expect(second).toEqual({ id: (first as { id: string }).id, calls: 2 });
  const left = await call('timer');
  expect(await call('count')).toMatchObject({ calls: 1 });
  expect(((await call('count')) as { id: string }).id).not.toBe(left);
});

test('a changed file, also one that is only imported, is used by the next call', async () => {
  open();
  expect(await call('shout', ['a'])).toBe('A!');
  writeFileSync(path.join(root, 'functions', 'helper.ts'), `export const sign = '??';\n`);
  expect(await call('shout', ['a'])).toBe('A??');
});

test('calls at the same time have processes of their own, not more than allowed; an aborted one leaves the line', async () => {
  open({ processes: 2 });
  const controller = new AbortController();
  const calls = [call('pause', [150]), call('pause', [150]), call('pause', [1])];
  const given = call('pause', [1], controller.signal);
  setTimeout(() => controller.abort(), 20);
  await expect(given).rejects.toThrow('stopped');
  const ids = await Promise.all(calls);
  expect(new Set(ids.slice(0, 2)).size).toBe(2);
  expect(ids.slice(0, 2)).toContain(ids[2]);
});

test('idle processes end after a while and on close', async () => {
  open({ idleMs: 50 });
  await call('count');
  expect(processesOver(root)).toBeGreaterThan(0);
  await waitUntil(() => processesOver(root) === 0);
  await call('count');
  expect(processesOver(root)).toBeGreaterThan(0);
  await code?.close();
  await waitUntil(() => processesOver(root) === 0);
  await expect(call('count')).rejects.toThrow('stopping');
});

test('code that never pauses does not outlive a killed service', async () => {
  const script = `
    import { createProjectCode } from './server/runtime/project-code.ts';
    const code = createProjectCode({ root: ${JSON.stringify(root)} });
    const file = ${JSON.stringify(path.join(root, 'functions/text/tools.ts'))};
    const { signal } = new AbortController();
    await code.call({ file, name: 'count' }, [], signal);
    console.log('counted');
    void code.call({ file, name: 'spin' }, [], signal);`;
  const service = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    cwd: path.join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(service.stdout, 'data');
  await sleep(100);
  expect(processesOver(root)).toBeGreaterThan(0);
  service.kill('SIGKILL');
  await waitUntil(() => processesOver(root) === 0);
});

test('names that are no modules, and links out of the folder, are not found', async () => {
  symlinkSync(path.join(root, 'secret.txt'), path.join(root, 'functions', 'link.js'));
  for (const name of ['nodots', '..text.tools.shout', 'text/tools.shout', 'link.name', 'no.such']) {
    expect(await findProjectFunction(root, name)).toBeUndefined();
  }
});
