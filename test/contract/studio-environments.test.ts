// Bindings as the window shows and changes them, registries, and what a text asks for before it runs
// (studio.md 11, 13, 18).
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readStudioConfig } from '../../server/studio/config.ts';
import { startFakePlatform } from '../support/fake-platform.ts';
import type { Loose } from '../support/platform.ts';
import {
  another,
  authored,
  createArtifact,
  fakes,
  freshStudios,
  inStore,
  P,
  platform,
  refused,
  SPEC,
  STEPS,
  studio,
} from '../support/studio-world.ts';

freshStudios();

const bind = (body: object) => studio.call('POST', `${P}/environments`, body);
const generations = async (): Promise<Loose[]> =>
  (await studio.call('GET', `${P}/bindings/generations`)).body;
const state = (alias: string) => studio.call('GET', `${P}/environments/${alias}/state`);
const retire = (alias: string, generation: number | null = null) =>
  studio.call('POST', `${P}/environments/${alias}/retire`, { generation });
const audited = async () => {
  const audit = await inStore('SELECT action, detail FROM audit ORDER BY id');
  return audit.map((row): [string, Loose] => [row['action'], JSON.parse(row['detail'])]);
};

/** A profile `team` that leads to a platform of its own. */
async function withTeam() {
  const fake = await startFakePlatform();
  fakes.push(fake);
  const file = path.join(studio.folder, 'profiles.toml');
  const pointTo = (url: string) =>
    writeFileSync(file, `[team]\nurl = "${url}"\napi_key = "team-secret"\n`);
  pointTo(fake.url);
  await studio.restart({ config: readStudioConfig({ STUDIO_PROFILES_FILE: file }) });
  return { fake, pointTo };
}

describe('bindings', () => {
  test('generations say where they lead and what is frozen to them, never a profile or a key (AS-043, AS-147)', async () => {
    await createArtifact(await authored('a.yaml', STEPS));
    await withTeam();
    expect((await bind({ alias: 'team', profile: 'team' })).status).toBe(201);
    const next = await bind({ alias: 'default', platform_environment: 'staging' });
    expect(next.body).toMatchObject({ generation: 2, platform_environment: 'staging' });
    const list = await generations();
    expect(
      list.map((row) => [row['alias'], row['generation'], row['live'], row['artifacts']]),
    ).toEqual([
      ['default', 2, true, 0],
      ['default', 1, false, 1],
      ['team', 1, true, 0],
    ]);
    expect(list[0]).toMatchObject({
      url: platform.url,
      endpoint: 'own',
      made_by: 'template',
      capability_policy: 'local',
      retired_at: null,
      registry: [],
      registry_since: null,
    });
    expect(list[2]).toMatchObject({ endpoint: 'not_seen', capability_policy: 'strict' });
    expect(JSON.stringify(list)).not.toMatch(/team-secret|profile_name|"local-/);
    expect((await audited()).filter(([action]) => action === 'create_environment')).toEqual([
      ['create_environment', { alias: 'team', generation: 1 }],
      ['create_environment', { alias: 'default', generation: 2 }],
    ]);
  });

  test('the next generation keeps a choice, but not for another platform', async () => {
    await withTeam();
    await bind({ alias: 'x', profile: 'local', capability_policy: 'strict' });
    expect((await bind({ alias: 'x' })).body).toMatchObject({
      generation: 2,
      capability_policy: 'strict',
    });
    await bind({ alias: 'y', profile: 'local', capability_policy: 'local' });
    expect((await bind({ alias: 'y', profile: 'team' })).body).toMatchObject({
      generation: 2,
      capability_policy: 'strict',
    });
    refused(await bind({ alias: 'new' }), 422, 'unknown_alias');
    refused(await bind({ alias: 'new', profile: 'nobody' }), 409, 'environment_unavailable');
  });

  test('a retired generation gives way to the one before; the last live binding stays', async () => {
    const artifact = await createArtifact(await authored('a.yaml', STEPS));
    await bind({ alias: 'default' });
    refused(await retire('default', 3), 404, 'generation_not_found');
    refused(await retire('nobody'), 422, 'unknown_alias');
    refused(await retire('default'), 409, 'last_live_binding');
    expect((await retire('default', 1)).status).toBe(204);
    refused(await retire('default', 2), 409, 'last_live_binding');
    const stage = await studio.call('POST', `${P}/specs/validate`, { artifact_id: artifact.id });
    expect([stage.status, stage.body.ok]).toEqual([200, true]);
    await bind({ alias: 'two', profile: 'local' });
    await bind({ alias: 'two' });
    expect((await retire('two', 2)).status).toBe(204);
    const live = (await generations()).filter((row) => row['live']);
    expect(live.map((row) => [row['alias'], row['generation']])).toEqual([
      ['default', 2],
      ['two', 1],
    ]);
    expect((await retire('two')).status).toBe(204);
    refused(await state('two'), 422, 'unknown_alias');
    expect((await audited()).filter(([action]) => action === 'retire_environment')).toHaveLength(3);
  });

  test('a platform is reachable, refuses the key, is silent, or is another one', async () => {
    expect((await state('default')).body).toMatchObject({
      state: 'reachable',
      version: '1.2.0',
      detail: null,
      policy: null,
    });
    const { fake, pointTo } = await withTeam();
    fake.on('GET /v1/healthz', {
      body: { ok: true, service: 's', version: '1.2.3', metadata: {} },
    });
    await bind({ alias: 'team', profile: 'team' });
    fake.on('GET /v1/policies/environment/dev', {
      body: { environment: 'dev', policy: { require_guardrails: true } },
    });
    expect((await state('team')).body).toMatchObject({
      state: 'reachable',
      version: '1.2.3',
      policy: { require_guardrails: true },
    });
    fake.on('GET /v1/policies/environment/dev', {
      status: 401,
      body: { detail: { error: 'unauthorized', message: 'no' } },
    });
    expect((await state('team')).body).toMatchObject({ state: 'refused', policy: null });
    pointTo('http://127.0.0.1:9');
    expect((await state('team')).body).toMatchObject({ state: 'changed' });
    expect((await generations()).find((row) => row['alias'] === 'team')).toMatchObject({
      endpoint: 'changed',
    });
    await bind({ alias: 'team' });
    expect((await state('team')).body).toMatchObject({ state: 'unreachable', generation: 2 });
    await studio.restart({ config: readStudioConfig({}) });
    expect((await state('team')).body).toMatchObject({ state: 'unavailable' });
  });

  test('profiles are listed without their keys', async () => {
    const { fake } = await withTeam();
    expect((await studio.call('GET', `${P}/profiles`)).body).toEqual([
      { name: 'local', own: true, url: platform.url, problem: null },
      { name: 'team', own: false, url: fake.url, problem: null },
    ]);
  });
});

const REGISTRY_SPEC = `${STEPS}  functions:
    tidy:
      implementation: {$registry: tidy}
    other:
      implementation: {$registry: other}
`;

describe('registries', () => {
  const at = (rest = '') => `${P}/environments/default/registry${rest}`;
  const attach = (text: string | null) => studio.call('POST', at(), { text });

  test('a file becomes the next generation; references are filled and hold an export back (AS-070)', async () => {
    const base = await authored('r.yaml', REGISTRY_SPEC);
    const before = await createArtifact(base);
    const text = 'tidy: texts.tidy\nother: [a, b]\n';
    const looked = await studio.call('POST', at('/preview'), { text: 'tidy: texts.tidy\n' });
    expect(looked.body).toMatchObject({
      generation: null,
      names: ['tidy'],
      added: ['tidy'],
      changed: [],
      removed: [],
      uses: [
        { name: 'tidy', before: 'missing', after: 'filled' },
        {
          ref: base.path,
          path: 'components.functions.other.implementation',
          name: 'other',
          before: 'missing',
          after: 'missing',
        },
      ],
    });
    expect((await generations())[0]).toMatchObject({ generation: 1, registry: [] });
    expect((await attach(text)).body).toMatchObject({ generation: 2, added: ['other', 'tidy'] });
    expect((await attach(text)).body).toMatchObject({ generation: null, added: [] });
    expect((await attach('tidy: texts.tidier\n')).body).toMatchObject({
      generation: 3,
      changed: ['tidy'],
      removed: ['other'],
    });
    const [now, earlier] = await generations();
    expect([now?.['registry'], earlier?.['registry']]).toEqual([['tidy'], ['other', 'tidy']]);
    expect(now?.['registry_since']).toBe(now?.['created_at']);
    expect((await bind({ alias: 'default' })).body.generation).toBe(4);
    expect((await generations())[0]).toMatchObject({
      registry: ['tidy'],
      registry_since: now?.['created_at'],
    });
    expect(JSON.stringify([await generations(), await audited()])).not.toContain('texts.tid');

    const portability = (id: string) => studio.call('GET', `${P}/artifacts/${id}/portability`);
    refused(await portability(before.id), 409, 'spec_capability_refused');
    await attach(text.replace('[a, b]', 'texts.other'));
    const after = await createArtifact(base);
    expect((await portability(after.id)).body.blockers).toMatchObject([
      { code: 'registry_reference', spec_ref: 'components.functions.other.implementation' },
      { code: 'registry_reference', spec_ref: 'components.functions.tidy.implementation' },
    ]);
  });

  test('what the bound platform offers can be taken over', async () => {
    const { fake } = await withTeam();
    await bind({ alias: 'default', profile: 'team' });
    refused(await attach(null), 409, 'registry_not_told');
    const checks = { tool_registry: { names: ['texts.Tidy', 'texts.tidy', 'sum', '…'] } };
    fake.on('GET /v1/readyz', { body: { metadata: { checks } } });
    expect((await attach(null)).body).toMatchObject({
      names: ['sum', 'texts-tidy'],
      skipped: ['texts.tidy', '…'],
    });
  });

  test('a file that is none says which entry, and changes nothing', async () => {
    for (const [text, said] of [
      ['a: [', ''],
      ['- a', ''],
      ['Big: x', '"Big"'],
      ['a: {b: c}', '"a"'],
      ['a: [[b]]', '"a"'],
      ['a: null', '"a"'],
      [Array.from({ length: 1001 }, (_, n) => `n${n}: x`).join('\n'), '1000'],
    ] as const) {
      const answer = await attach(text);
      refused(answer, 422, 'request_invalid');
      expect(answer.body.details.errors[0].loc).toEqual(['body', 'text']);
      expect(answer.body.details.errors[0].msg).toContain(said);
    }
    refused(
      await studio.call('POST', `${P}/environments/nobody/registry`, { text: 'a: b' }),
      422,
      'unknown_alias',
    );
    expect(await generations()).toHaveLength(1);
  });
});

describe('preflight', () => {
  const KEYED = SPEC.replace('provider: dummy', 'provider: acme').replace(
    'name: d\n',
    'name: d\n    extra:\n      api_key_ref: DESK_KEY\n',
  );
  const draft = { path: 'x.yaml', revision: 'seen' };
  const flight = (text: string, alias = 'default') =>
    studio.call('POST', `${P}/specs/preflight`, { alias, draft, text });

  test('a buffer says what it needs and what is there, before any artifact (AS-107 to AS-110)', async () => {
    const { body } = await flight(KEYED);
    expect(body.needs).toEqual({ providers: [], secrets: ['DESK_KEY'] });
    const own = await flight(KEYED.replace('api_key_ref: DESK_KEY', 'top_k: 1'));
    expect(own.body.needs).toEqual({ providers: ['acme'], secrets: [] });
    expect(body.policy).toMatchObject({ alias: 'default', state: 'available', policy: null });
    expect(body.credentials.credentials.extra['DESK_KEY']).toMatchObject({
      present: false,
      value: null,
    });
    expect(body.credentials.credentials.providers.acme).toMatchObject({ present: false });
    const named = await flight(
      `${KEYED}components:\n  functions:\n    f:\n      implementation: {$registry: f}\n`,
    );
    expect(named.body.needs).toEqual(body.needs);
    refused(await flight('a: ['), 422, 'request_invalid');
    refused(await flight(SPEC, 'nobody'), 422, 'unknown_alias');
  });

  test('an artifact says what it needs without asking its platform', async () => {
    const artifact = await createArtifact(await authored('k.yaml', KEYED));
    await studio.restart({ platform: { url: 'http://127.0.0.1:9' } });
    const needs = `${P}/artifacts/${artifact.id}/preflight/needs`;
    expect((await studio.call('GET', needs)).body).toEqual({
      providers: [],
      secrets: ['DESK_KEY'],
    });
    refused(await flight(KEYED), 502, 'platform_unreachable');
    await studio.call('DELETE', `${P}/artifacts/${artifact.id}`);
    refused(await studio.call('GET', needs), 410, 'artifact_deleted');
  });

  test('a project without a platform is told so', async () => {
    const bare = await another(platform.url);
    await bare.rows("UPDATE project_environment SET retired_at = 'x'");
    const answer = await bare.call('POST', `${P}/specs/preflight`, {
      alias: 'default',
      draft,
      text: SPEC,
    });
    refused(answer, 409, 'project_unbound');
    const made = await bare.call('POST', `${P}/environments`, {
      alias: 'default',
      profile: 'local',
    });
    expect(made.body).toMatchObject({ generation: 2, capability_policy: 'local' });
    expect((await bare.call('GET', '/api/me')).body.projects[0].binding_state).toBe('bound');
  });
});
