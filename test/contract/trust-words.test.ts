// One list of trusted folders, read by the command line and by services that run alone.
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cli, createCli } from '../support/cli.ts';

const SPEC = `version: v1
agent: {name: desk}
workflow:
  name: pipe
  type: sequential
  steps: [{id: work, kind: function, ref: work}]
components:
  functions:
    work: {implementation: desk.work}
`;

const WITH_VARIABLE = `version: v1
agent:
  name: desk
  strategy: {type: react}
  tools: {include: [web_search]}
tools:
  web_search: {description: find, mcp: {server: shop, name: find}}
mcp_servers:
  shop: {transport: http, url: 'http://127.0.0.1:9/mcp', headers: {X-Given: '\${ORDINARY}'}}
`;

let cli: Cli;
beforeAll(() => {
  cli = createCli();
  for (const name of ['one', 'two']) {
    mkdirSync(cli.file(`${name}/functions`), { recursive: true });
    mkdirSync(cli.file(`${name}/.specwright`));
    cli.write(`${name}/spec.yaml`, SPEC);
    cli.write(`${name}/variable.yaml`, WITH_VARIABLE);
    cli.write(`${name}/functions/desk.ts`, "export const work = (t: string) => 'done ' + t;");
  }
});
afterAll(() => cli.dispose());

const listFile = () => path.join(cli.folder, 'config', 'specwright', 'trusted-folders.json');
const root = (name: string) => ({ SERV_SPEC_ROOT: cli.file(name), ORDINARY: 'x' });
const run = (name: string, more = {}) =>
  cli.run(['run', cli.file(`${name}/spec.yaml`), '-i', 'now'], { ...root(name), ...more });

describe('specwright trust', () => {
  test('says what it allows, lists by identity, takes back', async () => {
    expect((await cli.run(['trust', 'list'])).stdout).toBe('No folder is trusted.\n');
    const added = await cli.run(['trust', 'add', cli.file('one')]);
    expect(added.code).toBe(0);
    for (const word of [
      'functions run',
      'programs of its MCP servers',
      'variable of the environment',
    ])
      expect(added.stdout).toContain(word);
    expect(statSync(listFile()).mode & 0o777).toBe(0o600);
    expect((await cli.run(['trust', 'list', '--json'])).json).toEqual({
      folders: [{ folder: cli.file('one'), trusted_at: expect.any(String), stands: true }],
    });
    const removed = await cli.run(['trust', 'remove', cli.file('one'), '--json']);
    expect(removed.json).toEqual({ folder: cli.file('one'), trusted: false });
    expect((await cli.run(['trust', 'remove', cli.file('one')])).stderr).toContain('trust list');
    expect((await cli.run(['trust', 'add', cli.file('none')])).code).toBe(1);
  }, 60_000);

  test('a run and a compile of a trusted folder use its code and variables; another folder says what to do', async () => {
    await cli.run(['trust', 'add', cli.file('one')]);
    expect((await run('one')).stdout).toContain('done now');
    const refused = await run('two');
    expect(refused.code).toBe(1);
    expect(refused.stderr + refused.stdout).toContain('specwright trust add');
    const compile = async (name: string) =>
      (await cli.run(['spec', 'compile', cli.file(`${name}/variable.yaml`), '--json'], root(name)))
        .json;
    expect((await compile('one')).ok).toBe(true);
    const findings = (await compile('two')).diagnostics;
    expect(findings).toContainEqual(expect.objectContaining({ code: 'E_SECRET_REFUSED' }));
    renameSync(cli.file('one'), cli.file('gone'));
    mkdirSync(cli.file('one'));
    expect((await cli.run(['trust', 'list', '--json'])).json.folders[0].stands).toBe(false);
  }, 120_000);
});

test('a platform alone reads the list, while it runs', async () => {
  const served = cli.start(['service', 'serve', '--port', '0', '--project', cli.file('two')]);
  const [line] = await once(served.stdout ?? served, 'data');
  const url = String(line).trim();
  const ask = async () => {
    const answer = await fetch(`${url}/v1/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...cli.credential() },
      body: JSON.stringify({ input: 'now', spec_path: 'spec.yaml' }),
    });
    return answer.text();
  };
  expect(await ask()).toContain('specwright trust add');
  await cli.run(['trust', 'add', cli.file('two')]);
  expect(await ask()).toContain('done now');
  await cli.run(['trust', 'remove', cli.file('two')]);
  expect(await ask()).toContain('not trusted');
  expect(readFileSync(listFile(), 'utf8')).not.toContain(cli.file('two'));
  served.kill('SIGTERM');
  await once(served, 'close');
}, 60_000);

test('a studio alone sees the platform of its data folder come and go, and the list change', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const port = String(Object(taken.address()).port);
  taken.close();
  await once(taken, 'close');
  const address = `http://127.0.0.1:${port}`;
  const words = ['--port', '0', '--platform-url', address, '--project', cli.file('two')];
  const studio = cli.start(['studio', 'serve', ...words]);
  const [line] = await once(studio.stdout ?? studio, 'data');
  const ask = async (what: string) => {
    const answer = await fetch(`${String(line).trim()}/api/projects/default/${what}`, {
      headers: cli.credential('studio'),
    });
    return answer.json();
  };
  const seen = async () => [
    (await ask('trust')).state,
    (await ask('bindings'))[0].capability_policy,
  ];
  expect(await seen()).toEqual(['unavailable', 'strict']);

  const served = cli.start(['service', 'serve', '--port', port]);
  await once(served.stdout ?? served, 'data');
  expect(await seen()).toEqual(['untrusted', 'strict']);
  await cli.run(['trust', 'add', cli.file('two')]);
  expect(await seen()).toEqual(['trusted', 'local']);
  await cli.run(['trust', 'remove', cli.file('two')]);
  expect(await seen()).toEqual(['untrusted', 'strict']);

  served.kill('SIGTERM');
  await once(served, 'close');
  expect((await ask('trust')).state).toBe('unavailable');
  studio.kill('SIGTERM');
  await once(studio, 'close');
}, 60_000);

test('a studio alone asks the question beside the platform of its data folder, and only there', async () => {
  const stateOf = async (words: readonly string[]) => {
    const studio = cli.start(['studio', 'serve', '--port', '0', ...words]);
    const [line] = await once(studio.stdout ?? studio, 'data');
    const answer = await fetch(`${String(line).trim()}/api/projects/default/trust`, {
      headers: cli.credential('studio'),
    });
    const body = await answer.json();
    studio.kill('SIGTERM');
    await once(studio, 'close');
    return body.state;
  };
  expect(await stateOf([])).toBe('unavailable');
  const served = cli.start(['service', 'serve', '--port', '0']);
  const [line] = await once(served.stdout ?? served, 'data');
  const url = String(line).trim();
  expect(await stateOf(['--platform-url', url])).toBe('untrusted');
  served.kill('SIGTERM');
  await once(served, 'close');
}, 60_000);
