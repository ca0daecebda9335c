import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createCli, GREETER } from '../../test/support/cli.ts';

const cli = createCli();
afterAll(() => cli.dispose());

describe('the settings of a project (spec-v1 7)', { timeout: 60_000 }, () => {
  const CONFIG = `project: {name: shop, default_environment: stage, default_spec: spec/main.yaml}
runtime_defaults: {preferred_mode: bridge}
model_defaults:
  stage: {provider: dummy, name: tiny, extra: {a: 1, b: 2}}
environments:
  stage:
    defaults: {metadata: {team: blue}}
  prod:
    policy_enforcement: {require_guardrails: true}
`;

  test('the settings that init writes change no spec', async () => {
    expect((await cli.run(['config', 'init', '--name', 'shop'])).code).toBe(0);
    cli.write('plain.yaml', GREETER);
    expect(
      (await cli.run(['config', 'render-spec', '--spec', 'plain.yaml', '-o', 'o.json'])).code,
    ).toBe(0);
    const { agent, metadata } = JSON.parse(cli.read('o.json'));
    expect([agent, metadata]).toEqual([
      { name: 'greeter', system_prompt: 'You greet.' },
      { project: 'shop', environment: 'dev' },
    ]);
    expect((await cli.run(['run', 'plain.yaml', '-i', 'Hi'])).code).toBe(0);
    rmSync(cli.file('.specwright'), { recursive: true });
  });

  test('config init, show, resolve and render-spec', async () => {
    expect(await cli.run(['config', 'show'])).toMatchObject({ code: 0, stdout: '' });
    expect((await cli.run(['config', 'show', '--json'])).json).toEqual({
      path: null,
      config: null,
    });
    const init = await cli.run(['config', 'init', '--name', 'shop']);
    expect(init.code).toBe(0);
    expect((await cli.run(['config', 'init'])).code).toBe(1);
    expect((await cli.run(['config', 'init', '--force'])).code).toBe(0);
    for (const name of ['artifacts', 'logs', 'cache'])
      expect(() => cli.read(`.specwright/${name}`)).toThrow('EISDIR');
    expect((await cli.run(['config', 'show', '--json'])).json.config.project.name).toBe('work');

    cli.write('.specwright/config.yaml', CONFIG);
    cli.write(
      'spec/main.yaml',
      GREETER.replace(
        'system_prompt: You greet.',
        'system_prompt: You greet., model: {provider: dummy, name: own, extra: {b: 3}}',
      ),
    );
    const resolved = await cli.run(['config', 'resolve', '--json']);
    expect(resolved).toMatchObject({
      code: 0,
      json: {
        environment: 'stage',
        config_path: cli.file('.specwright/config.yaml'),
        project: { name: 'shop' },
        spec: { valid: true },
        secrets: { providers: { openai: { value: null } } },
      },
    });
    const render = await cli.run(['config', 'render-spec', '-o', 'out.json']);
    expect(render.code).toBe(0);
    expect(JSON.parse(cli.read('out.json'))).toMatchObject({
      metadata: { project: 'shop', environment: 'stage', team: 'blue' },
      agent: {
        model: { provider: 'dummy', name: 'own', extra: { a: 1, b: 3 } },
        runtime_preferences: { preferred_mode: 'bridge' },
      },
    });
    expect((await cli.run(['config', 'render-spec'])).code).toBe(2);
    expect((await cli.run(['spec', 'resolve', '-o', 'out.yaml'])).code).toBe(0);
    expect(cli.read('out.yaml')).toContain('team: blue');
  });

  test('the environment: option, SERV_ENV, the default of the project', async () => {
    const env = async (words: string[], more = {}) =>
      (await cli.run(['config', 'resolve', '--json', ...words], more)).json.environment;
    expect(await env(['--env', 'a'], { SERV_ENV: 'b' })).toBe('a');
    expect(await env([], { SERV_ENV: 'b' })).toBe('b');
    expect(await env([], { KNEO_ENV: 'c' })).toBe('c');
    expect(await env([])).toBe('stage');
  });

  test('policy_enforcement stops what is resolved, not what is only checked', async () => {
    for (const words of [
      ['spec', 'compile'],
      ['spec', 'resolve', '-o', 'never.yaml'],
      ['run', '-i', 'x'],
    ]) {
      const { code, stderr } = await cli.run([...words, '--env', 'prod']);
      expect([words[1], code]).toEqual([words[1], 1]);
      expect(stderr).toContain('E_ENV_POLICY_GUARDRAILS');
    }
    expect(() => cli.read('never.yaml')).toThrow();
    expect((await cli.run(['spec', 'validate', '--env', 'prod'])).code).toBe(0);
  });

  test('.kneo/config.yaml is read where there is no other; SERV_PROJECT_CONFIG names a file', async () => {
    cli.write('kneo/.kneo/config.yaml', 'project: {name: reference}\n');
    const named = { SERV_PROJECT_CONFIG: cli.file('kneo/.kneo/config.yaml') };
    expect((await cli.run(['config', 'show', '--json'], named)).json.config.project.name).toBe(
      'reference',
    );
    cli.write('wrong.yaml', 'project: {name: [1]}\n');
    const wrong = await cli.run(['config', 'show'], {
      SERV_PROJECT_CONFIG: path.resolve(cli.file('wrong.yaml')),
    });
    expect(wrong).toMatchObject({ code: 1 });
    expect(wrong.stderr).toContain('project.name');
  });

  test('config secrets names variables and never a value', async () => {
    const { stdout, code } = await cli.run(['config', 'secrets', '--json'], {
      OPENAI_API_KEY: 'sk-very-secret',
    });
    expect(code).toBe(0);
    expect(stdout).not.toContain('very-secret');
    expect(JSON.parse(stdout).inventory.providers.openai).toMatchObject({
      present: true,
      value: '[REDACTED]',
    });
    expect((await cli.run(['config', 'secrets'])).stdout).toContain('OPENAI_API_KEY');
  });

  test('a project names the variables of its keys (spec-v1 17)', async () => {
    cli.write(
      'named.yaml',
      'secrets: {provider_env: {openai: TEAM_OPENAI, google: SERV_API_KEY}, extra_env: {crm: TEAM_CRM}}\n',
    );
    const env = {
      SERV_PROJECT_CONFIG: path.resolve(cli.file('named.yaml')),
      SERV_API_KEY: 'k',
      OPENAI_API_KEY: '',
      TEAM_OPENAI: 'sk-1',
      TEAM_CRM: 'x',
    };
    const words = ['config', 'secrets', '--json'];
    const untrusted = (await cli.run(words, env)).json.inventory;
    expect(untrusted.providers.openai).toMatchObject({ env_var: 'TEAM_OPENAI', usable: false });
    expect(untrusted.extra.crm).toMatchObject({ env_var: 'TEAM_CRM', usable: false });
    const listed = { ...env, SERV_SPEC_SECRETS: 'TEAM_OPENAI,TEAM_CRM' };
    expect((await cli.run(words, listed)).json.inventory.extra.crm).toMatchObject({
      usable: true,
    });
    const { providers, extra } = (await cli.run([...words, '--trust'], env)).json.inventory;
    expect(providers.openai).toMatchObject({ env_var: 'TEAM_OPENAI', present: true });
    expect(providers.google).toMatchObject({ usable: false });
    expect(extra.crm).toMatchObject({ env_var: 'TEAM_CRM', present: true });
  });
});

describe('profiles', { timeout: 60_000 }, () => {
  const profile = (...words: string[]) => cli.run(['config', 'profile', ...words]);

  test('set, list, use, show and delete; the key is never printed and its file is private', async () => {
    const first = await profile(
      'set',
      'one',
      '--service-url',
      'http://127.0.0.1:1/',
      '--api-key',
      'top-secret-1',
      '--json',
    );
    expect(first.json).toEqual({
      name: 'one',
      service_url: 'http://127.0.0.1:1',
      authenticated: true,
      active: true,
    });
    expect(first.stdout + first.stderr).not.toContain('top-secret-1');
    const second = await profile(
      'set',
      'two',
      '--service-url',
      'http://127.0.0.1:2',
      '--no-activate',
    );
    expect(second.code).toBe(0);
    const file = path.join(cli.folder, 'config/specwright/profiles.json');
    const list = await profile('list', '--json');
    expect(list.json).toEqual({
      active: 'one',
      profiles: [
        expect.objectContaining({ name: 'one' }),
        expect.objectContaining({ name: 'two', authenticated: false }),
      ],
      path: file,
    });
    expect(list.stdout).not.toContain('top-secret-1');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // A key that is not given again is kept.
    expect(
      (await profile('set', 'one', '--service-url', 'http://127.0.0.1:1', '--json')).json
        .authenticated,
    ).toBe(true);
    expect((await profile('use', 'two', '--json')).json.active).toBe(true);
    expect((await profile('show', '--json')).json.name).toBe('two');
    expect((await profile('list')).stdout).toContain('* ');
    expect((await profile('delete', 'two', '--json')).json).toEqual({
      deleted: 'two',
      active: null,
    });
    expect((await profile('show')).stdout).toContain('no active profile');
    for (const word of ['use', 'show', 'delete'])
      expect((await profile(word, 'gone')).code).toBe(1);
    expect((await profile('set', 'x')).code).toBe(2);
    expect((await profile('set', 'x', '--service-url', 'nonsense')).code).toBe(1);
  });

  test("the reference client's file is read where there is no other, and never written", async () => {
    const other = createCli();
    const file = path.join(other.folder, '.kneo_serv/profiles.json');
    mkdirSync(path.dirname(file));
    const text = '{"active":"old","profiles":{"old":{"url":"http://127.0.0.1:1","api_key":"k"}}}';
    writeFileSync(file, text);
    const list = await other.run(['config', 'profile', 'list', '--json']);
    expect(list.json).toMatchObject({
      active: 'old',
      profiles: [{ name: 'old', authenticated: true }],
    });
    await other.run(['config', 'profile', 'set', 'new', '--service-url', 'http://127.0.0.1:2']);
    expect(readFileSync(file, 'utf8')).toBe(text);
    writeFileSync(file, '{');
    expect((await other.run(['config', 'profile', 'list'])).code).toBe(0);
    other.dispose();
  });

  test('an unreadable file is told and not written over', async () => {
    cli.write('profiles.json', '{');
    const env = { SERV_PROFILES_PATH: cli.file('profiles.json') };
    const words = ['config', 'profile', 'set', 'a', '--service-url', 'http://x'];
    expect((await cli.run(words, env)).code).toBe(1);
    expect(cli.read('profiles.json')).toBe('{');
  });
});
