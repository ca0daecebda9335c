import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createCli, GREETER } from '../../test/support/cli.ts';

const cli = createCli();
afterAll(() => cli.dispose());

const BAD =
  'version: v1\nagent: {name: a}\nworkflow: {type: sequential, steps: [{id: x, kind: agent, ref: nobody}]}\n';
const OLD = 'root_agent: {name: old}\n';

cli.write('greeter.yaml', GREETER);
cli.write('bad.yaml', BAD);
cli.write('broken.yaml', 'a: [');
cli.write('old.yaml', OLD);

const diagnostic = z.strictObject({
  code: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  message: z.string(),
  path: z.string().nullable(),
  suggestion: z.string().nullable(),
});
const diagnostics = z.array(diagnostic);

describe('spec words on a file (platform.md 13, 16 no. 66)', { timeout: 60_000 }, () => {
  test.each([
    ['validate', z.strictObject({ valid: z.literal(true), diagnostics })],
    [
      'lint',
      z.strictObject({
        clean: z.boolean(),
        warning_count: z.int(),
        error_count: z.int(),
        diagnostics,
      }),
    ],
    [
      'compile',
      z.object({
        ok: z.literal(true),
        diagnostics,
        summary: z.strictObject({
          has_root_agent: z.boolean(),
          has_root_workflow: z.boolean(),
          component_agents: z.array(z.string()),
        }),
      }),
    ],
    [
      'explain',
      z.strictObject({
        summary: z.strictObject({
          root_agent: z.literal('greeter'),
          root_workflow: z.literal('greeting'),
          component_agents: z.array(z.string()),
        }),
      }),
    ],
    [
      'graph',
      z.object({
        workflow_kind: z.literal('sequential'),
        nodes: z.array(z.object({ id: z.string() })).length(2),
        edges: z.array(z.unknown()).length(1),
      }),
    ],
    [
      'policy-report',
      z.strictObject({ valid: z.literal(true), report: z.object({ version: z.literal('v1') }) }),
    ],
  ] as const)('%s answers for a valid spec', async (word, shape) => {
    const json = await cli.run(['spec', word, 'greeter.yaml', '--json']);
    expect(json.stderr).toBe('');
    shape.parse(json.json);
    const plain = await cli.run(['spec', word, 'greeter.yaml']);
    expect([plain.code, plain.stdout.trim() === '']).toEqual([json.code, false]);
  });

  test.each(['validate', 'lint', 'compile', 'explain', 'graph'])(
    '%s of an invalid spec exits 1',
    async (word) => {
      const { code, stdout, stderr } = await cli.run(['spec', word, 'bad.yaml']);
      expect(code).toBe(1);
      expect(stdout + stderr).toContain('E_STEP_AGENT_REF');
    },
  );

  test('text that is no document is a finding of validate and of the policy report', async () => {
    const validate = await cli.run(['spec', 'validate', 'broken.yaml', '--json']);
    expect(validate).toMatchObject({
      code: 1,
      json: { valid: false, diagnostics: [{ code: 'E_PARSE' }] },
    });
    const report = await cli.run(['spec', 'policy-report', 'broken.yaml', '--json']);
    expect(report).toMatchObject({ code: 1, json: { valid: false, report: { valid: false } } });
  });

  test('a missing file exits 1, an unknown command and an unknown option exit 2', async () => {
    expect(await cli.run(['spec', 'validate', 'none.yaml'])).toMatchObject({
      code: 1,
      stderr: '✗ none.yaml cannot be read (ENOENT).\n',
    });
    expect((await cli.run(['spec', 'no-such-word'])).code).toBe(2);
    expect((await cli.run(['no-such-word'])).code).toBe(2);
    expect((await cli.run(['spec', 'validate', 'greeter.yaml', '--no-such'])).code).toBe(2);
    expect((await cli.run(['spec', 'validate'])).code).toBe(1);
  });

  test('migrate: --check exits 1 when something changes, JSON has its four fields', async () => {
    const check = await cli.run(['spec', 'migrate', 'old.yaml', '--check', '--json']);
    expect(check.code).toBe(1);
    expect(check.json).toEqual({
      source_version: null,
      target_version: 'v1',
      changed: true,
      applied: expect.arrayContaining(['Renamed root_agent to agent.']),
    });
    const write = await cli.run(['spec', 'migrate', 'old.yaml', '-o', 'new.yaml']);
    expect(write.code).toBe(0);
    expect(cli.read('old.yaml')).toBe(OLD);
    const again = await cli.run(['spec', 'migrate', 'new.yaml', '--check', '--json']);
    expect(again).toMatchObject({
      code: 0,
      json: { source_version: 'v1', changed: false, applied: [] },
    });
    cli.write('future.yaml', 'version: v9\n');
    expect((await cli.run(['spec', 'migrate', 'future.yaml'])).stderr).toContain(
      'Unsupported spec version',
    );
  });

  test('format keeps comments; --check and --write', async () => {
    cli.write('ugly.yaml', '# why\nversion:   v1\n\n\n\nagent:   {name: a}   # who\n');
    expect((await cli.run(['spec', 'format', 'ugly.yaml', '--check'])).code).toBe(1);
    const printed = await cli.run(['spec', 'format', 'ugly.yaml']);
    expect(printed.stdout).toContain('# why');
    expect(await cli.run(['spec', 'format', 'ugly.yaml', '--write'])).toMatchObject({ code: 0 });
    expect(cli.read('ugly.yaml')).toBe(printed.stdout);
    expect((await cli.run(['spec', 'format', 'ugly.yaml', '--check'])).code).toBe(0);
    expect((await cli.run(['spec', 'format', 'broken.yaml'])).code).toBe(1);
  });

  test('bundles: signed, verified, and refused after a change (spec-v1 19)', async () => {
    const key = { SERV_SPEC_SIGNING_KEY: 'k1' };
    const sign = [
      'spec',
      'bundle',
      'sign',
      'greeter.yaml',
      '-o',
      'bundle.json',
      '--approved-by',
      'Ada',
    ];
    expect((await cli.run(sign)).code).toBe(1);
    expect((await cli.run(sign.slice(0, 6), key)).code).toBe(2);
    const signed = await cli.run([...sign, '--json'], key);
    expect(signed.json).toMatchObject({
      kind: 'kneo.spec.bundle',
      metadata: { approved_by: 'Ada' },
    });
    expect(JSON.parse(cli.read('bundle.json'))).toEqual(signed.json);
    const verify = ['spec', 'bundle', 'verify', 'bundle.json', '--json'];
    expect(await cli.run(verify, key)).toMatchObject({
      code: 0,
      json: { valid: true, digest_valid: true, signature_valid: true, errors: [] },
    });
    expect(await cli.run(verify, { SERV_SPEC_SIGNING_KEY: 'k2' })).toMatchObject({
      code: 1,
      json: { valid: false, digest_valid: true, signature_valid: false },
    });
    const named = [...verify, '--key-env', 'TEAM_KEY'];
    expect(await cli.run(named, { TEAM_KEY: 'k1' })).toMatchObject({
      code: 0,
      json: { valid: true },
    });
    const unset = await cli.run(named, key);
    expect([unset.code, unset.json.signature_valid]).toEqual([1, false]);
    expect(unset.json.errors).toEqual([expect.stringContaining('TEAM_KEY')]);
    const said = await cli.run(verify.slice(0, 4), key);
    expect(said.stdout).toContain('SERV_SPEC_SIGNING_KEY');
    cli.write('bundle.json', cli.read('bundle.json').replace('greeter', 'mallory'));
    expect((await cli.run(verify, key)).json).toMatchObject({ valid: false, digest_valid: false });
    const bad = ['spec', 'bundle', 'sign', 'bad.yaml', '-o', 'b2.json', '--approved-by', 'Ada'];
    expect((await cli.run(bad, key)).code).toBe(1);
  });
});

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
