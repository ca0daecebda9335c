// What project code cannot reach, behind each fence that this machine has (docs/tools.md, "Functions").
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createProjectCode, type ProjectCode } from './project-code.ts';
import { findFence, type SandboxMode } from './project-fence.ts';
import { findProjectFunction } from './project-functions.ts';

const CODE = `
import { connect } from 'node:net';
export const link = async (file) => (await import('node:fs')).readFileSync(file, 'utf8');
export const sqlite = async (file) => {
  const { DatabaseSync } = await import('node:sqlite');
  new DatabaseSync(file).exec('create table t (c)');
};
export const signal = (pid) => process.kill(pid, 0);
export const inner = (pid) => process._kill(pid, 0);
export const rebind = (pid) => { process.kill = () => true; return process.kill(pid, 0); };
export const unix = (file) => new Promise((resolve, reject) => {
  connect(file).once('connect', () => resolve('connected')).once('error', reject);
});
export const tcp = (port) => new Promise((resolve, reject) => {
  connect(port, '127.0.0.1').once('connect', () => resolve('connected')).once('error', reject);
});
export const buffers = () => {
  const all = [];
  while (all.length < 3072) all.push(Buffer.alloc(1024 * 1024, 1));
  return all.length;
};
export const wasm = () => new WebAssembly.Memory({ initial: 1 }).grow(49_000);
export const leaves = async () => {
  const { spawn } = await import('node:child_process');
  spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref();
};
export const processes = async () => (await import('node:fs')).readdirSync('/proc');
export const fine = (text) => text;
`;

const folders: string[] = [];
let servers: Server[] = [];
let code: ProjectCode | undefined;
const { signal } = new AbortController();

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'fence-'));
  folders.push(folder);
  return folder;
}

function newProject(): string {
  const root = newFolder();
  mkdirSync(path.join(root, 'functions'));
  writeFileSync(path.join(root, 'functions', 'attack.ts'), CODE);
  return root;
}

async function callIn(root: string, mode: SandboxMode, name: string, args: unknown[] = []) {
  code ??= createProjectCode({ root, sandbox: mode });
  const found = await findProjectFunction(root, `attack.${name}`);
  if (found === undefined) throw new Error('not found');
  return code.call(found, args, signal);
}

async function listen(where: string | number): Promise<Server> {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((done) => server.listen(where, () => done()));
  servers.push(server);
  return server;
}

afterEach(async () => {
  await code?.close();
  code = undefined;
  for (const server of servers) server.close();
  servers = [];
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe.each(['auto', 'off'] as const)('behind the fence of the mode %s', (mode) => {
  let root: string;
  beforeAll(() => {
    root = newProject();
  });
  const call = (name: string, ...args: unknown[]) => callIn(root, mode, name, args);

  test('SQLite opens no file', async () => {
    const file = path.join(newFolder(), 'made.db');
    await expect(call('sqlite', file)).rejects.toThrow(/node:sqlite|SQLite|sqlite/);
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });

  test('no other process can be signalled, by no name of the call', async () => {
    for (const name of ['signal', 'inner', 'rebind']) {
      await expect(call(name, process.pid)).rejects.toThrow(/may not signal|read only/);
    }
  });

  test('no process is started, so none leaves the group', async () => {
    await expect(call('leaves')).rejects.toThrow(/restricted|permission/i);
  });

  test.runIf(process.platform === 'linux')('memory beside the heap is limited too', async () => {
    for (const name of ['buffers', 'wasm']) {
      await expect(call(name)).rejects.toThrow(/ended without an answer|memory|allocation/i);
    }
    expect(await call('fine', 'still here')).toBe('still here');
  });

  test('the network can be reached', async () => {
    const server = await listen(0);
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    expect(await call('tcp', address.port)).toBe('connected');
  });

  test('a link that leads out of the folder is told, and nothing runs', async () => {
    const linked = newProject();
    const secret = path.join(newFolder(), 'secret.txt');
    writeFileSync(secret, 'the secret');
    const file = path.join(linked, 'functions', 'notes.txt');
    symlinkSync(secret, file);
    await expect(callIn(linked, mode, 'link', [file])).rejects.toThrow(
      'functions/notes.txt is a link that leads out of the functions folder',
    );
  });
});

const { kind } = await findFence('auto');

describe.runIf(kind === 'bubblewrap')('behind bubblewrap', () => {
  let root: string;
  beforeAll(() => {
    root = newProject();
  });

  test('sockets of the machine are not there', async () => {
    const file = path.join(newFolder(), 'agent.sock');
    await listen(file);
    await expect(callIn(root, 'auto', 'unix', [file])).rejects.toThrow('ENOENT');
  });

  test('a link that is made while a process waits leads nowhere', async () => {
    const linked = newProject();
    const secret = path.join(newFolder(), 'secret.txt');
    writeFileSync(secret, 'the secret');
    mkdirSync(path.join(linked, 'functions', 'node_modules'));
    expect(await callIn(linked, 'auto', 'fine', ['first'])).toBe('first');
    // Changes below node_modules do not count as a new version of the code.
    const file = path.join(linked, 'functions', 'node_modules', 'late.txt');
    symlinkSync(secret, file);
    await expect(callIn(linked, 'auto', 'link', [file])).rejects.toThrow('ENOENT');
  });
});

test('where a sandbox is required and none works, nothing runs and the message says what to do', () => {
  const script = `
    import { findFence } from './server/runtime/project-fence.ts';
    await findFence('require').then(
      ({ kind }) => console.log(kind),
      (error) => console.log(error.message),
    );`;
  const words = ['--input-type=module-typescript', '-e', script];
  const cwd = path.join(import.meta.dirname, '../..');
  const { stdout } = spawnSync(process.execPath, words, { cwd, encoding: 'utf8' });
  const expected =
    kind === 'bubblewrap'
      ? 'bubblewrap'
      : 'SERV_FUNCTION_SANDBOX is "require", but no sandbox works here: install bubblewrap, or set it to "auto".';
  expect(stdout.trim()).toBe(expected);
});
