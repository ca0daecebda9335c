import { existsSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { STUDIO_ERRORS } from '../../server/contract/studio/errors.ts';
import { readStudioConfig } from '../../server/studio/config.ts';
import { startFakePlatform } from '../support/fake-platform.ts';
import {
  another,
  auditRows,
  authored,
  createArtifact,
  fakes,
  fixture,
  freshStudios,
  inStore,
  P,
  platform,
  readyArtifact,
  refused,
  SPEC,
  STEPS,
  studio,
  TIME,
} from '../support/studio-world.ts';

freshStudios();

describe('start and guards', () => {
  test('1 AS-142: readiness says ready, or degraded without an envelope', async () => {
    const ready = await studio.call('GET', '/api/readyz');
    expect([ready.status, ready.body]).toEqual([200, { status: 'ready', store: true }]);
    await inStore('ALTER TABLE principal RENAME TO elsewhere');
    const degraded = await studio.call('GET', '/api/readyz');
    expect([degraded.status, degraded.body]).toEqual([503, { status: 'degraded', store: false }]);
    await inStore('ALTER TABLE elsewhere RENAME TO principal');
    expect((await studio.call('GET', '/api/readyz')).status).toBe(200);
  });

  test('2, 10, 11: Host, Origin and forwarding are guarded, the probe is not', async () => {
    const port = new URL(studio.url).port;
    const raw = (head: string) =>
      new Promise<string>((resolve) => {
        const socket = net.connect(Number(port), '127.0.0.1', () => {
          socket.write(`${head}\r\nConnection: close\r\n\r\n`);
        });
        let text = '';
        socket.on('data', (chunk) => {
          text += chunk.toString();
        });
        socket.on('close', () => resolve(text));
      });
    const evil = 'HTTP/1.1\r\nHost: evil.example';
    expect(await raw(`GET /api/readyz ${evil}`)).toMatch(/^HTTP\/1.1 200/);
    expect(await raw(`GET /api/me ${evil}`)).toContain('host_not_allowed');
    const create = (headers: Record<string, string>) =>
      studio.call('POST', '/api/projects', { name: 'x' }, headers);
    refused(await create({ origin: 'http://evil' }), 403, 'cross_origin_refused');
    refused(await create({ origin: 'null' }), 403, 'cross_origin_refused');
    expect((await create({})).status).toBe(201);
    expect((await create({ origin: `http://127.0.0.1:${port}` })).status).toBe(201);
    const forwarded = await studio.call('GET', '/api/me', undefined, {
      'x-forwarded-for': '1.2.3.4',
    });
    refused(forwarded, 403, 'unauthenticated_proxy');
  });

  test('3 AS-104: without sign-in the caller is the local owner', async () => {
    const { body } = await studio.call('GET', '/api/me');
    expect(body).toMatchObject({
      principal_id: 'local-owner',
      display_name: 'Local owner',
      auth_mode: 'none',
      projects: [
        { id: 'default', role: 'owner', binding_state: 'bound', storage_kind: 'attached' },
      ],
    });
    expect(body.projects[0].created_at).toMatch(TIME);
  });

  test('12: a routable address, an unknown way to sign in and bad numbers refuse to start', () => {
    expect(() => readStudioConfig({ STUDIO_HOST: '0.0.0.0' })).toThrow(/loopback/);
    expect(() => readStudioConfig({ STUDIO_AUTH_MODE: 'x' })).toThrow(/one of none, static, oidc/);
    expect(() => readStudioConfig({ STUDIO_PROJECT_LIMIT: '0' })).toThrow(/at least 1/);
    expect(readStudioConfig({ KNEO_STUDIO_PORT: '1', STUDIO_PORT: '2' }).port).toBe(2);
  });

  test('13, 14: large bodies are refused, empty ones are none', async () => {
    const big = 'x'.repeat(4_194_304);
    refused(await studio.call('POST', '/api/projects', { name: big }), 413, 'request_too_large');
    const answer = await studio.call('DELETE', `${P}/drafts/none.yaml/registration`);
    refused(answer, 404, 'draft_not_found');
  });

  test('15, 86: routes of other modes and scaffolds say so (AS-141)', async () => {
    refused(
      await studio.call('POST', '/api/session', { username: 'a', password: 'b' }),
      404,
      'login_unavailable',
      { auth_mode: 'none' },
    );
    refused(await studio.call('DELETE', '/api/session'), 404, 'login_unavailable');
    refused(await studio.call('GET', '/api/session/oidc/start'), 404, 'login_unavailable');
    refused(await studio.call('POST', `${P}/specs/explain`), 501, 'not_implemented');
    refused(await studio.call('GET', `${P}/environments/default/policy`), 501, 'not_implemented');
    refused(
      await studio.call('GET', `${P}/environments/default/credential-refs`),
      501,
      'not_implemented',
    );
  });

  test('87, 91: unknown paths and methods have codes of their own (AS-143)', async () => {
    for (const [method, target] of [
      ['GET', '/api/nope'],
      ['POST', '/api/nope'],
      ['GET', '/api/openapi.json'],
      ['GET', '/api/me/'],
    ] as const) {
      refused(await studio.call(method, target), 404, 'not_found');
    }
    const wrong = await studio.call('PUT', '/api/me');
    refused(wrong, 405, 'method_not_allowed');
    expect(wrong.headers.get('allow')).toBe('GET');
    refused(await studio.call('GET', '/docs'), 503, 'spa_not_built');
    expect(Object.keys(STUDIO_ERRORS).filter((code) => code.startsWith('http_'))).toEqual([]);
  });

  test('88: a database of a newer program is refused and left alone', async () => {
    await studio.stop();
    await inStore(
      "INSERT INTO schema_migrations (version, name, sha256, applied_at) VALUES (99, 'later', 'x', 'now')",
    );
    await expect(studio.restart()).rejects.toThrow(/schema version 99/);
  });

  test('a closed listener demands one of its keys, except for the probe', async () => {
    const guarded = await another(platform.url, { requireKeys: ['k-0', 'k-1'] });
    refused(await guarded.call('GET', '/api/me'), 401, 'unauthenticated', { auth_mode: 'none' });
    const headers = { authorization: 'Bearer k-1' };
    const other = { authorization: 'Bearer k-2' };
    refused(await guarded.call('GET', '/api/me', undefined, other), 401, 'unauthenticated');
    expect((await guarded.call('GET', '/api/me', undefined, headers)).status).toBe(200);
    expect((await guarded.call('GET', '/api/readyz')).status).toBe(200);
  });
});

describe('projects and bindings', () => {
  test('4, 5, 6 AS-103: a name is 1 to 255 characters and the only field (AS-018, AS-144)', async () => {
    const create = (body: unknown) => studio.call('POST', '/api/projects', body);
    const empty = await create({ name: '' });
    refused(empty, 422, 'request_invalid');
    expect(empty.body.details.errors[0]).toMatchObject({
      loc: ['body', 'name'],
      type: 'string_too_short',
    });
    const long = await create({ name: '😀'.repeat(256) });
    expect(long.body.details.errors[0].type).toBe('string_too_long');
    expect(long.text).not.toContain('😀');
    expect((await create({ name: '😀'.repeat(255) })).status).toBe(201);
    const extra = await create({ name: 'a', path: '/etc' });
    expect(extra.body.details.errors[0]).toMatchObject({
      loc: ['body', 'path'],
      type: 'extra_forbidden',
    });
  });

  test('7, 8 AS-017: the server picks the folder; the hundred-and-first is refused', async () => {
    const closed = await another(platform.url, { workspaceBase: undefined });
    refused(
      await closed.call('POST', '/api/projects', { name: 'a' }),
      409,
      'project_creation_disabled',
    );
    const made = await studio.call('POST', '/api/projects', { name: 'a' });
    expect(made.body).toMatchObject({ name: 'a', storage_kind: 'managed', binding_state: 'bound' });
    expect(existsSync(path.join(studio.folder, 'projects', made.body.id))).toBe(true);
    const limited = await another(platform.url, {}, { STUDIO_PROJECT_LIMIT: '2' });
    expect((await limited.call('POST', '/api/projects', { name: 'a' })).status).toBe(201);
    refused(
      await limited.call('POST', '/api/projects', { name: 'b' }),
      409,
      'project_limit_reached',
    );
  });

  test('9: an unknown project answers before anything else is looked at (AS-138, AS-139)', async () => {
    for (const [method, rest, body] of [
      ['GET', '', undefined],
      ['GET', '/drafts', undefined],
      ['POST', '/artifacts', { nonsense: 1 }],
      ['PUT', '/drafts/a.yaml', undefined],
    ] as const) {
      refused(
        await studio.call(method, `/api/projects/nope${rest}`, body),
        404,
        'project_not_found',
      );
    }
  });

  test('101 AS-043: bindings and environments hold neither profile name nor key', async () => {
    const environments = await studio.call('GET', `${P}/environments`);
    expect(environments.body).toEqual([{ alias: 'default', url: platform.url }]);
    const { body } = await studio.call('GET', `${P}/bindings`);
    expect(body).toMatchObject([
      { alias: 'default', generation: 1, capability_policy: 'local', profile_state: 'available' },
    ]);
    expect(JSON.stringify(body)).not.toContain('"local-');
  });

  test('another port of the same platform, or none at all, leaves every binding as it was', async () => {
    const artifact = await readyArtifact();
    const before = await studio.call('GET', `${P}/bindings`);
    const fake = await startFakePlatform();
    fakes.push(fake);
    fake.on('POST /v1/specs/validate', { body: { valid: true, diagnostics: [] } });
    await studio.restart({ platform: { url: fake.url } });
    expect((await studio.call('GET', `${P}/bindings`)).body).toEqual(before.body);
    const stage = await studio.call('POST', `${P}/specs/validate`, { artifact_id: artifact.id });
    expect([stage.status, stage.body.ok]).toEqual([200, true]);
  });

  test('an endpoint that changes under another profile is refused (AS-109)', async () => {
    const fake = await startFakePlatform();
    fakes.push(fake);
    fake.on('POST /v1/specs/validate', { body: { valid: true } });
    const file = path.join(studio.folder, 'profiles.toml');
    writeFileSync(file, `[team]\nurl = "${fake.url}"\n`);
    await studio.restart({ config: readStudioConfig({ STUDIO_PROFILES_FILE: file }) });
    const made = await studio.call('POST', `${P}/environments`, {
      alias: 'team',
      profile: 'team',
      capability_policy: 'local',
    });
    expect([made.status, made.body.generation]).toEqual([201, 1]);
    const base = await authored('a.yaml', STEPS);
    const artifact = await createArtifact(base, { alias: 'team' });
    const stage = () => studio.call('POST', `${P}/specs/validate`, { artifact_id: artifact.id });
    expect((await stage()).status).toBe(200);
    writeFileSync(file, '[team]\nurl = "http://other.example:1"\n');
    refused(await stage(), 409, 'environment_changed');
    rmSync(file);
    refused(await stage(), 409, 'environment_unavailable');
    expect((await studio.call('GET', `${P}/environments`)).body).toContainEqual({
      alias: 'team',
      url: '',
    });
    const flight = await studio.call('GET', `${P}/artifacts/${artifact.id}/preflight/policy`);
    expect(flight.body).toMatchObject({ state: 'unavailable', policy: null, alias: 'team' });
  });
});

describe('members', () => {
  const addPrincipal = (id: string, state = 'active') =>
    inStore(
      "INSERT INTO principal VALUES (?, 'static', 'studio:static', ?, ?, ?, 'now')",
      ...[id, id, id, state],
    );
  const digest = async () =>
    (await studio.call('GET', `${P}/drafts/exposure`)).body.exposure_digest;

  test('82 AS-099, AS-100: an owner and the charge stay; sharing needs the exposure confirmed', async () => {
    const put = (id: string, body: unknown) => studio.call('PUT', `${P}/members/${id}`, body);
    const owner = {
      principal_id: 'local-owner',
      display_name: 'Local owner',
      role: 'owner',
      is_quota_principal: true,
    };
    expect((await studio.call('GET', `${P}/members`)).body).toEqual([owner]);
    refused(await put('nobody', { role: 'viewer' }), 404, 'member_not_found');
    refused(await put('operator', { role: 'viewer' }), 404, 'member_not_found');
    refused(await put('local-owner', { role: 'editor' }), 409, 'last_owner');
    refused(await studio.call('DELETE', `${P}/members/local-owner`), 409, 'last_owner');
    await addPrincipal('ann');
    const exposure_digest = await digest();
    refused(await put('ann', { role: 'owner' }), 409, 'exposure_confirmation_required', {
      exposure_digest,
    });
    const added = await put('ann', { role: 'owner', exposure_digest });
    expect(added.body).toEqual([
      owner,
      { principal_id: 'ann', display_name: 'ann', role: 'owner', is_quota_principal: false },
    ]);
    refused(
      await studio.call('DELETE', `${P}/members/local-owner`),
      409,
      'quota_principal_membership',
    );
    expect((await studio.call('DELETE', `${P}/members/ann`)).body).toEqual([owner]);
    refused(await studio.call('DELETE', `${P}/members/ann`), 404, 'member_not_found');
  });

  test('83 AS-101, AS-102: invitations by selector', async () => {
    const invite = (change: Record<string, unknown> = {}) =>
      studio.call('POST', `${P}/invitations`, {
        role: 'viewer',
        selector_kind: 'static_username',
        selector_value: ' ann ',
        ...change,
      });
    refused(await invite({ selector_kind: 'phone' }), 422, 'unknown_selector');
    refused(await invite({ selector_value: ' ' }), 400, 'selector_not_addressable');
    refused(
      await invite({ selector_kind: 'verified_email', selector_value: 'a@b.example' }),
      409,
      'selector_unavailable',
    );
    refused(await invite(), 409, 'exposure_confirmation_required');
    const sent = await invite({ exposure_digest: await digest() });
    expect([sent.status, sent.body]).toEqual([202, { status: 'sent' }]);
    for (let i = 0; i < 29; i += 1) expect((await invite({ role: 'editor' })).status).toBe(202);
    const limited = await invite();
    refused(limited, 429, 'too_many_invitations');
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3500);
    const pending = (await studio.call('GET', `${P}/invitations`)).body;
    expect(pending).toMatchObject([{ role: 'editor', selector_value: 'ann', held_reason: null }]);
    expect(pending[0].expires_at).toMatch(TIME);
    const drop = () => studio.call('DELETE', `${P}/invitations/${pending[0].id}`);
    expect((await drop()).status).toBe(204);
    refused(await drop(), 404, 'invitation_not_found');
    await invite();
    studio.clock.ms += 3_700_000;
    await invite();
    studio.clock.ms += 15 * 24 * 3_600_000;
    expect((await studio.call('GET', `${P}/invitations`)).body).toEqual([]);
  });

  test('85: an offer of the charge, whom it may be made to and how it ends with its time', async () => {
    const propose = (to_principal: string) =>
      studio.call('POST', `${P}/quota-transfer`, { to_principal });
    refused(await propose('local-owner'), 409, 'transfer_to_self');
    refused(await propose('ann'), 409, 'target_not_a_member');
    await addPrincipal('ann');
    await studio.call('PUT', `${P}/members/ann`, {
      role: 'viewer',
      exposure_digest: await digest(),
    });
    expect((await studio.call('GET', `${P}/quota-transfer`)).body).toBe(null);
    const open = await propose('ann');
    expect([open.status, open.body.state]).toEqual([201, 'proposed']);
    expect((await studio.call('GET', `${P}/quota-transfer`)).body).toEqual(open.body);
    refused(await propose('ann'), 409, 'transfer_already_proposed');
    const answer = (id: string) => studio.call('POST', `${P}/quota-transfer/${id}/accept`);
    refused(await answer('nope'), 409, 'no_such_transfer');
    refused(await answer(open.body.id), 409, 'not_the_transfer_target');
    studio.clock.ms += 8 * 24 * 3_600_000;
    refused(await answer(open.body.id), 409, 'no_such_transfer');
  });

  test('25, 26: a role that does not suffice is refused, and each denied call has its audit row', async () => {
    const role = (name: string) => inStore('UPDATE project_member SET role = ?', name);
    await authored('a.yaml', SPEC);
    await role('viewer');
    refused(await studio.call('PUT', `${P}/drafts/a.yaml`, 'not even an object'), 403, 'forbidden');
    expect((await studio.call('GET', `${P}/drafts/a.yaml`)).status).toBe(200);
    await role('editor');
    const raw = fixture('two-agents-sequential');
    expect((await studio.call('POST', `${P}/import/n8n`, { raw, alias: 'default' })).status).toBe(
      201,
    );
    refused(await studio.call('POST', `${P}/drafts/register`, {}), 403, 'forbidden');
    refused(await studio.call('GET', `${P}/exposure/preflight`), 403, 'forbidden');
    refused(
      await studio.call('POST', `${P}/exposure/confirm`, { exposure_digest: await digest() }),
      403,
      'forbidden',
    );
    const denied = (await auditRows()).filter((row) => row.outcome === 'denied');
    expect(denied.map((row) => [row.action, row.principal_id])).toEqual(
      ['save_draft', 'register_draft', 'get_exposure_preflight', 'confirm_exposure'].map(
        (action) => [action, 'local-owner'],
      ),
    );
    expect(await inStore('SELECT * FROM project_exposure')).toEqual([]);
  });
});
