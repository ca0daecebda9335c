// The command line and the services over a real Secret Service: open, locked, gone, hung, none.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Cli, createCli } from '../support/cli.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import {
  hasSecretService,
  NO_SECRET_SERVICE,
  type SecretService,
  startSecretService,
} from '../support/secret-service.ts';

const VALUE = 'sk-canary-91c7e2d40f';
const NAME = 'MY_MODEL_KEY';

let cli: Cli;
let service: SecretService;
let model: ModelServer;
beforeAll(async () => {
  model = await startModelServer();
});
afterAll(() => model.stop());
beforeEach(() => {
  cli = createCli();
});
afterEach(() => cli.dispose());

const words = (text: string, env = service.env, input?: string) =>
  cli.run(['secrets', ...text.split(' ')], env, input);
const listed = async (env = service.env) => (await words('list --json', env)).json;
const stored = () =>
  readFileSync(path.join(cli.folder, 'state/specwright/secrets/secrets.json'), 'utf8');

function spec(): string {
  return `version: v1
agent:
  name: desk
  system_prompt: Answer.
  model:
    provider: some-proxy
    name: m
    extra: {base_url: "${model.baseUrl('openai')}", api_key_ref: ${NAME}}
`;
}

describe.skipIf(!hasSecretService)(`a Secret Service (${NO_SECRET_SERVICE})`, () => {
  beforeEach(async () => {
    service = await startSecretService();
  });
  afterEach(() => service.stop());

  test('keeps what is stored there, gives it to a run, and can be moved from and to', async () => {
    const set = await words(`set ${NAME}`, service.env, `${VALUE}\n`);
    expect([set.code, set.stdout]).toEqual([0, `✓ ${NAME} is kept in the keychain\n`]);
    expect(await listed()).toMatchObject({
      places: { keychain: 'open', file: 'open', has_passphrase: false, next: 'keychain' },
      secrets: [{ name: NAME, use: 'spec', kept_in: 'keychain', state: 'ready' }],
    });
    expect(stored()).not.toContain('sealed');
    const file = cli.write('desk.yaml', spec());
    const run = await cli.run(['run', file, '-i', 'hello'], service.env);
    expect([run.code, model.requests.at(-1)?.headers['authorization']]).toEqual([
      0,
      `Bearer ${VALUE}`,
    ]);
    expect(run.stdout + run.stderr + set.stdout + set.stderr).not.toContain(VALUE);

    expect((await words('move --all --to file')).code).toBe(0);
    expect((await listed()).secrets).toMatchObject([{ kept_in: 'file', second_copy: false }]);
    await service.become('gone');
    await cli.run(['run', file, '-i', 'hello'], service.env);
    expect(model.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${VALUE}`);
    await service.become('open');
    expect((await words(`move ${NAME} --to keychain`)).code).toBe(0);
    expect((await words(`remove ${NAME}`)).code).toBe(0);
    expect((await listed()).secrets).toEqual([]);
  });

  test('locked: what it holds is said to be locked, no run goes on without, nothing moves', async () => {
    await words(`set ${NAME}`, service.env, VALUE);
    await service.become('locked');
    expect(await listed()).toMatchObject({
      places: { keychain: 'locked' },
      secrets: [{ kept_in: 'keychain', state: 'locked' }],
    });
    const file = cli.write('desk.yaml', spec());
    const before = model.requests.length;
    const run = await cli.run(['run', file, '-i', 'hello'], service.env);
    expect(run.code).not.toBe(0);
    expect(run.stdout + run.stderr).toMatch(/MY_MODEL_KEY is stored in the keychain.*is locked/);
    expect(model.requests.length).toBe(before);
    const other = await words('set OTHER_KEY', service.env, VALUE);
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining('The keychain of this computer is locked. Unlock it'),
    ]);
    const moved = await words('move --all --to file');
    expect([moved.code, moved.stderr]).toEqual([1, expect.stringContaining('stays where it is')]);
    expect(stored()).not.toContain('sealed');
    await service.become('open');
    expect((await words('move --all --to file')).code).toBe(0);
  });

  test('gone, or hung: said within seconds, and the file serves for what is new', async () => {
    await words(`set ${NAME}`, service.env, VALUE);
    await service.become('gone');
    expect(await listed()).toMatchObject({
      places: { keychain: 'absent', next: 'file' },
      secrets: [{ state: 'absent' }],
    });
    const set = await words('set OTHER_KEY', service.env, VALUE);
    expect(set.stdout).toContain('kept in the encrypted file');
    await service.become('open');
    service.hang();
    expect(await listed()).toMatchObject({ places: { keychain: 'absent' } });
    await service.become('open');
    expect((await listed()).secrets).toMatchObject([
      { name: NAME, state: 'ready' },
      { name: 'OTHER_KEY', kept_in: 'file', state: 'ready' },
    ]);
  });
});

describe.skipIf(!hasSecretService)(`a keychain that hangs (${NO_SECRET_SERVICE})`, () => {
  test('takes one thread and no more: files are read meanwhile, and it counts again once it answers', async () => {
    service = await startSecretService();
    const script = fileURLToPath(new URL('../support/ask-keychain.ts', import.meta.url));
    const child = spawn(process.execPath, [script], {
      env: service.env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const ask = async () => {
      child.stdin.write('6\n');
      return JSON.parse((await lines.next()).value ?? '');
    };
    const six = (state: string) => Array.from({ length: 6 }, () => state);
    expect((await ask()).states).toEqual(six('open'));
    service.hang();
    expect(await ask()).toMatchObject({ states: six('absent'), file: 'read' });
    const again = await ask();
    expect(again).toMatchObject({ states: six('absent'), file: 'read' });
    expect(again.ms).toBeLessThan(3000);
    await service.become('open');
    await expect.poll(async () => (await ask()).states).toEqual(six('open'));
    child.kill('SIGKILL');
    await service.stop();
  });
});

describe('without a bus', () => {
  const none = {};

  test('the encrypted file serves, and its passphrase is asked for on standard input', async () => {
    expect((await words(`set ${NAME}`, none, VALUE)).stdout).toContain('encrypted file');
    const typed = 'correct horse battery\ncorrect horse battery\n';
    expect((await words('passphrase', none, typed)).stdout).toContain('opens with your passphrase');
    expect(await listed(none)).toMatchObject({
      places: { keychain: 'absent', file: 'locked', has_passphrase: true },
      secrets: [{ name: NAME, state: 'locked' }],
    });
    const file = cli.write('desk.yaml', spec());
    const run = await cli.run(['run', file, '-i', 'hello'], none);
    expect(run.stdout + run.stderr).toMatch(/MY_MODEL_KEY is stored in a file that is locked/);
    const given = {
      SPECWRIGHT_SECRETS_PASSPHRASE_FILE: cli.write('passphrase', typed.slice(0, 22)),
    };
    expect((await cli.run(['run', file, '-i', 'hello'], given)).code).toBe(0);
    expect(model.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${VALUE}`);
    const removed = await words('passphrase --remove', none, 'correct horse battery\n');
    expect(removed.code).toBe(0);
    expect((await listed(none)).secrets).toMatchObject([{ state: 'ready' }]);
  });

  test('the key of a saved platform is stored, sent there only, and asked for when it is gone', async () => {
    const asked: (string | undefined)[] = [];
    const platform = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.writeHead(503).end('{}');
    });
    platform.listen(0, '127.0.0.1');
    await once(platform, 'listening');
    const { port } = platform.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const profile = ['config', 'profile', 'set', 'team', '--service-url', url];
    const set = await cli.run([...profile, '--api-key-file', '-'], none, VALUE);
    expect([set.code, set.stderr]).toEqual([0, expect.stringContaining('an encrypted file')]);
    const [secret] = (await listed(none)).secrets;
    expect(secret).toMatchObject({ use: 'platform', state: 'ready' });
    await cli.run(['runs', 'list', '--profile', 'team'], none);
    expect(new Set(asked)).toEqual(new Set([`Bearer ${VALUE}`]));
    await words(`remove ${secret.name}`, none);
    const gone = await cli.run(['runs', 'list', '--profile', 'team'], none);
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('Give it again')]);
    expect(new Set(asked)).toEqual(new Set([`Bearer ${VALUE}`]));
    platform.close();
  });

  test('values never stand in the words of a command, and bad ones are refused', async () => {
    expect((await words(`set ${NAME} ${VALUE}`, none)).code).toBe(2);
    expect((await words('set SERV_API_KEY', none, VALUE)).code).toBe(2);
    const two = await words(`set ${NAME}`, none, 'two\nlines');
    expect([two.code, two.stderr]).toEqual([1, expect.stringContaining('one line of printable')]);
    expect((await words('move --to file', none)).code).toBe(2);
    expect((await words('remove NOTHING', none)).code).toBe(1);
    expect((await words('list', none)).stdout).toContain('Nothing is stored.');
  });
});
