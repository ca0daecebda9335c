import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { STUDIO_ERRORS } from '../../server/contract/studio/errors.ts';
import { readPlatformConfig } from '../../server/platform/config.ts';
import { startPlatform } from '../../server/platform/service.ts';
import { readStudioConfig } from '../../server/studio/config.ts';
import { type FakePlatform, startFakePlatform } from '../support/fake-platform.ts';
import {
  type Answered,
  type StudioUnderTest,
  startStudioUnderTest,
} from '../support/studio-app.ts';

const P = '/api/projects/default';
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const sha = (input: string | Uint8Array) => createHash('sha256').update(input).digest('hex');
const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/n8n/${name}.json`, import.meta.url), 'utf8');
const SPEC = 'version: v1\nagent:\n  name: a\n  model:\n    provider: dummy\n    name: d\n';
const STEPS = `${SPEC}workflow:\n  type: sequential\n  steps:\n  - id: one\n    kind: agent\n    ref: w\ncomponents:\n  agents:\n    w:\n      name: w\n      model:\n        provider: dummy\n        name: d\n`;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}\+00:00$/;

let platform: Awaited<ReturnType<typeof startPlatform>>;
let platformFolder = '';
let studio: StudioUnderTest;
const fakes: FakePlatform[] = [];
const others: StudioUnderTest[] = [];

beforeAll(async () => {
  platformFolder = mkdtempSync(path.join(tmpdir(), 'platform-'));
  platform = await startPlatform({
    config: readPlatformConfig({}),
    host: '127.0.0.1',
    port: 0,
    databaseFile: path.join(platformFolder, 'platform.db'),
    migrationsDir: fileURLToPath(new URL('../../migrations/platform', import.meta.url)),
    specRoot: platformFolder,
    trusted: false,
    extraKeys: [],
    requireKey: false,
    clock: { now: () => Date.now() },
    ids: { uuid: () => randomUUID(), hex: () => randomUUID().replaceAll('-', '') },
    log: silent,
  });
});
afterAll(async () => {
  await platform.stop();
  rmSync(platformFolder, { recursive: true, force: true });
});
beforeEach(async () => {
  studio = await startStudioUnderTest(platform.url);
});
afterEach(async () => {
  await studio.dispose();
  for (const other of others.splice(0)) await other.dispose();
  for (const fake of fakes.splice(0)) await fake.close();
});

async function another(...input: Parameters<typeof startStudioUnderTest>) {
  const made = await startStudioUnderTest(...input);
  others.push(made);
  return made;
}

function refused(answer: Answered, status: number, code: string, details?: unknown): void {
  expect([answer.status, answer.body?.code], answer.text).toEqual([status, code]);
  expect(Object.keys(answer.body).sort()).toEqual(
    ['code', 'message', 'request_id', ...(answer.body.details ? ['details'] : [])].sort(),
  );
  expect(answer.headers.get('x-request-id')).toBe(answer.body.request_id);
  if (details !== undefined) expect(answer.body.details).toMatchObject(details as object);
}

function write(ref: string, text: string, under = studio): string {
  const file = path.join(under.root, ref);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return sha(text);
}

async function register(ref: string, extra: Record<string, unknown> = {}, under = studio) {
  const { body } = await under.call('GET', `${P}/drafts/exposure`);
  const answer = await under.call('POST', `${P}/drafts/register`, {
    path: ref,
    exposure_digest: body.exposure_digest,
    ...extra,
  });
  expect(answer.status, answer.text).toBe(201);
}

async function importFile(name: string, extra: Record<string, unknown> = {}, under = studio) {
  const body = { raw: fixture(name), alias: 'default', source_name: `${name}.json`, ...extra };
  const answer = await under.call('POST', `${P}/import/n8n`, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

async function createArtifact(base: unknown, extra: Record<string, unknown> = {}, under = studio) {
  const answer = await under.call('POST', `${P}/artifacts`, { base, alias: 'default', ...extra });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

async function authored(ref: string, text: string, under = studio) {
  const revision = write(ref, text, under);
  await register(ref, { capabilities: 'read_write' }, under);
  return { path: ref, revision };
}

/** An artifact that may be exported: authored, asserted to need no analysis. */
async function readyArtifact(text = STEPS, under = studio) {
  const base = await authored('specs/flow.yaml', text, under);
  const asserted = await under.call('POST', `${P}/drafts/assertions`, { ref: base });
  expect(asserted.status, asserted.text).toBe(204);
  return createArtifact(base, {}, under);
}

function database() {
  return new BetterSqlite3(path.join(studio.folder, 'state', 'studio.db'));
}

function auditRows(): { action: string; principal_id: string; at: string; outcome: string }[] {
  const db = database();
  try {
    return db.prepare('SELECT * FROM audit ORDER BY id').all() as never;
  } finally {
    db.close();
  }
}

describe('start and guards', () => {
  test('1 AS-142: readiness says ready, or degraded without an envelope', async () => {
    const ready = await studio.call('GET', '/api/readyz');
    expect([ready.status, ready.body]).toEqual([200, { status: 'ready', store: true }]);
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

  test('12: a routable address, sign-in that is not built and bad numbers refuse to start', () => {
    expect(() => readStudioConfig({ STUDIO_HOST: '0.0.0.0' })).toThrow(/loopback/);
    expect(() => readStudioConfig({ STUDIO_AUTH_MODE: 'oidc' })).toThrow(/not built/);
    expect(() => readStudioConfig({ STUDIO_AUTH_MODE: 'x' })).toThrow(/none, static or oidc/);
    expect(() => readStudioConfig({ STUDIO_PROJECT_LIMIT: '0' })).toThrow(/positive/);
    expect(readStudioConfig({ KNEO_STUDIO_PORT: '1', STUDIO_PORT: '2' }).port).toBe(2);
  });

  test('13, 14: large bodies are refused, empty ones are none', async () => {
    const big = 'x'.repeat(4_194_304);
    refused(await studio.call('POST', '/api/projects', { name: big }), 413, 'request_too_large');
    const answer = await studio.call('DELETE', `${P}/drafts/none.yaml/registration`);
    refused(answer, 404, 'draft_not_found');
  });

  test('15, 86: routes of other modes and scaffolds say so', async () => {
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

  test('87, 91: unknown paths and methods have codes of their own', async () => {
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
    const db = database();
    db.prepare("INSERT INTO schema_migrations VALUES (99, 'later', 'x', 'now')").run();
    db.close();
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
  test('4, 5, 6 AS-103: a name is 1 to 255 characters and the only field', async () => {
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

  test('9: an unknown project answers before anything else is looked at', async () => {
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

  test('an endpoint that changes under another profile is refused', async () => {
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
  function addPrincipal(id: string, state = 'active'): void {
    const db = database();
    db.prepare("INSERT INTO principal VALUES (?, 'static', 'studio:static', ?, ?, ?, 'now')").run(
      id,
      id,
      id,
      state,
    );
    db.close();
  }
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
    addPrincipal('ann');
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

  test('85: transfers of the charge', async () => {
    const propose = (to_principal: string) =>
      studio.call('POST', `${P}/quota-transfer`, { to_principal });
    refused(await propose('local-owner'), 409, 'transfer_to_self');
    refused(await propose('ann'), 409, 'target_not_a_member');
    addPrincipal('ann');
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

  test('25, 26: a role that does not suffice is refused and written down', async () => {
    const role = (name: string) => {
      const db = database();
      db.prepare('UPDATE project_member SET role = ?').run(name);
      db.close();
    };
    await authored('a.yaml', SPEC);
    role('viewer');
    refused(await studio.call('PUT', `${P}/drafts/a.yaml`, 'not even an object'), 403, 'forbidden');
    expect((await studio.call('GET', `${P}/drafts/a.yaml`)).status).toBe(200);
    role('editor');
    const raw = fixture('two-agents-sequential');
    expect((await studio.call('POST', `${P}/import/n8n`, { raw, alias: 'default' })).status).toBe(
      201,
    );
    refused(await studio.call('POST', `${P}/drafts/register`, {}), 403, 'forbidden');
    refused(await studio.call('GET', `${P}/exposure/preflight`), 403, 'forbidden');
    const denied = auditRows().filter((row) => row.outcome === 'denied');
    expect(denied.map((row) => row.action)).toEqual(['save_draft', 'register_draft']);
  });
});

describe('exposure and drafts', () => {
  test('27, 28, 29, 30, 31 AS-011, AS-096, AS-098: the digest follows the registered files', async () => {
    expect((await studio.call('GET', `${P}/drafts`)).body).toEqual([]);
    const found = statSync(studio.root, { bigint: true });
    const identity = sha(`${found.dev}:${found.ino}:${studio.root}`);
    const fresh = await studio.call('GET', `${P}/drafts/exposure`);
    expect(fresh.body).toEqual({
      root_identity: identity,
      exposure_digest: sha(identity),
      privileged_entries: [],
    });
    write('mine.yaml', SPEC);
    write('over.yaml', SPEC);
    await register('over.yaml', { kind: 'overlay' });
    const one = await studio.call('GET', `${P}/exposure/preflight`);
    expect(one.body.status).toBe('unconfirmed');
    const confirm = (digest: string) =>
      studio.call('POST', `${P}/exposure/confirm`, { exposure_digest: digest });
    expect((await confirm(one.body.exposure_digest)).body.status).toBe('confirmed');
    await register('mine.yaml');
    const two = await studio.call('GET', `${P}/exposure/preflight`);
    expect(two.body).toMatchObject({
      status: 'manifest_changed',
      exposure_digest: sha(`${identity}\nmine.yaml\nover.yaml`),
      manifest: [
        { ref: 'mine.yaml', kind: 'spec', privileged: true },
        { ref: 'over.yaml', kind: 'overlay', privileged: true },
      ],
    });
    refused(await confirm('x'), 409, 'exposure_stale', {
      exposure_digest: two.body.exposure_digest,
    });
  });

  test('32: a tree that was replaced answers nothing until an owner confirms it', async () => {
    await authored('a.yaml', SPEC);
    const { body } = await studio.call('GET', `${P}/exposure/preflight`);
    await studio.call('POST', `${P}/exposure/confirm`, { exposure_digest: body.exposure_digest });
    renameSync(studio.root, `${studio.root}-old`);
    mkdirSync(studio.root);
    write('a.yaml', SPEC);
    const changed = await studio.call('GET', `${P}/exposure/preflight`);
    expect(changed.body.status).toBe('root_changed');
    refused(await studio.call('GET', `${P}/drafts`), 409, 'exposure_unconfirmed');
    refused(await studio.call('GET', `${P}/drafts/a.yaml`), 409, 'exposure_unconfirmed');
    await studio.call('POST', `${P}/exposure/confirm`, {
      exposure_digest: changed.body.exposure_digest,
    });
    expect((await studio.call('GET', `${P}/drafts/a.yaml`)).status).toBe(200);
  });

  test('33, 34, 35, 36: what may be registered', async () => {
    write('a.yaml', SPEC);
    symlinkSync(path.join(studio.root, 'a.yaml'), path.join(studio.root, 'link.yaml'));
    mkdirSync(path.join(studio.root, 'd'));
    symlinkSync(path.join(studio.root, 'd'), path.join(studio.root, 'behind'));
    write('d/b.yaml', SPEC);
    const exposure = (await studio.call('GET', `${P}/drafts/exposure`)).body;
    const put = (ref: string, digest = exposure.exposure_digest, more = {}) =>
      studio.call('POST', `${P}/drafts/register`, { path: ref, exposure_digest: digest, ...more });
    refused(await put('a.yaml', 'old'), 409, 'exposure_changed');
    for (const ref of [
      '../x',
      '/etc/passwd',
      'a\\b',
      'c:x',
      'a\u0001',
      'nul',
      'link.yaml',
      'behind/b.yaml',
      'd',
      'gone.yaml',
      '.studio/drafts/x.yaml',
    ]) {
      refused(await put(ref), 404, 'draft_not_found');
    }
    const made = await put('./a.yaml', undefined, { capabilities: 'read_write' });
    expect([made.status, made.text]).toEqual([201, '']);
    const again = (await studio.call('GET', `${P}/drafts/exposure`)).body.exposure_digest;
    expect((await put('a.yaml', again, { kind: 'overlay', capabilities: 'read' })).status).toBe(
      201,
    );
    const [draft] = (await studio.call('GET', `${P}/drafts`)).body;
    expect(draft).toMatchObject({ ref: 'a.yaml', kind: 'spec', capabilities: 'read_write' });
    expect(draft.registered_at).toMatch(TIME);
  });

  test('37 AS-022: text, revision and headers; CR LF and mark come back byte for byte', async () => {
    const text = '\ufeffversion: v1\r\nagent:\r\n  name: a\r\n';
    await authored('a.yaml', text);
    const read = await studio.call('GET', `${P}/drafts/a.yaml`);
    expect(read.body).toEqual({ ref: 'a.yaml', text, revision: sha(text) });
    expect(read.headers.get('etag')).toBe(`"${sha(text)}"`);
    expect(read.headers.get('cache-control')).toBe('no-store');
    const saved = await studio.call('PUT', `${P}/drafts/a.yaml`, {
      text: `${text}x\r\n`,
      expected_revision: sha(text),
    });
    expect(saved.body).toEqual({ revision: sha(`${text}x\r\n`) });
    expect(readFileSync(path.join(studio.root, 'a.yaml'), 'utf8')).toBe(`${text}x\r\n`);
  });

  test('38, 39, 40, 41 AS-002: a save needs the revision that it saw', async () => {
    const { revision } = await authored('dir/a.yaml', SPEC);
    const save = (text: string, expected: string, ref = 'dir/a.yaml') =>
      studio.call('PUT', `${P}/drafts/${ref}`, { text, expected_revision: expected });
    refused(await save('x', 'old'), 409, 'draft_stale', {
      path: 'dir/a.yaml',
      expected_revision: 'old',
      revision,
    });
    expect(readFileSync(path.join(studio.root, 'dir/a.yaml'), 'utf8')).toBe(SPEC);
    const answers = await Promise.all(['1', '2', '3', '4'].map((text) => save(text, revision)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
    expect(readdirSync(path.join(studio.root, 'dir'))).toEqual(['a.yaml']);
    write('ro.yaml', SPEC);
    await register('ro.yaml');
    refused(await save('x', 'old', 'ro.yaml'), 409, 'draft_stale');
    refused(await save('x', revision, 'ro.yaml'), 403, 'draft_read_only', { path: 'ro.yaml' });
    refused(await save('x', revision, 'new.yaml'), 404, 'draft_not_found');
    expect(existsSync(path.join(studio.root, 'new.yaml'))).toBe(false);
  });

  test('text that is no UTF-8 is refused before anything is written', async () => {
    const { revision } = await authored('a.yaml', SPEC);
    const answer = await studio.call('PUT', `${P}/drafts/a.yaml`, {
      text: 'a\ud800',
      expected_revision: revision,
    });
    refused(answer, 422, 'request_invalid');
    expect(answer.body.details.errors[0]).toMatchObject({
      loc: ['body', 'text'],
      type: 'value_error',
    });
  });

  test('42: dropping forgets the registration and keeps the file', async () => {
    await authored('a/b.yaml', SPEC);
    const drop = () => studio.call('DELETE', `${P}/drafts/a/b.yaml/registration`);
    expect((await drop()).status).toBe(204);
    refused(await drop(), 404, 'draft_not_found');
    expect(existsSync(path.join(studio.root, 'a/b.yaml'))).toBe(true);
  });

  test('43, 95, 100 AS-008, AS-054: not applicable is asserted of authored bytes only', async () => {
    const base = await authored('a.yaml', SPEC);
    const claim = (ref: unknown, more = {}) =>
      studio.call('POST', `${P}/drafts/assertions`, { ref, ...more });
    refused(await claim(base, { reason: 'because' }), 422, 'request_invalid');
    refused(await claim({ ...base, revision: 'x' }), 409, 'draft_stale', {
      expected_revision: 'x',
    });
    expect((await claim(base)).status).toBe(204);
    expect((await claim(base)).status).toBe(204);
    const [summary] = (await studio.call('GET', `${P}/drafts`)).body;
    expect(summary).toMatchObject({
      can_assert_not_applicable: false,
      not_applicable_asserted: true,
    });
    await studio.call('PUT', `${P}/drafts/a.yaml`, {
      text: `${SPEC}#\n`,
      expected_revision: base.revision,
    });
    const [edited] = (await studio.call('GET', `${P}/drafts`)).body;
    expect(edited).toMatchObject({
      can_assert_not_applicable: true,
      not_applicable_asserted: false,
    });
    const created = await studio.call('POST', `${P}/drafts`, {
      name: 'new',
      kind: 'spec',
      text: SPEC,
    });
    expect([created.status, created.body.ref]).toEqual([201, '.studio/drafts/new.yaml']);
    expect((await claim({ path: created.body.ref, revision: created.body.revision })).status).toBe(
      204,
    );
    const imported = await importFile('two-agents-sequential');
    refused(await claim(imported.draft), 409, 'assertion_refused');
    const moved = await studio.call('POST', `${P}/drafts/moves`, {
      old_ref: imported.draft.path,
      new_ref: 'flows/two.yaml',
      expected_revision: imported.draft.revision,
    });
    expect(moved.body).toEqual({
      analysis_ids: imported.analysis_ids,
      old_ref: imported.draft.path,
      new_ref: 'flows/two.yaml',
    });
    refused(
      await claim({ path: 'flows/two.yaml', revision: imported.draft.revision }),
      409,
      'assertion_refused',
    );
    expect(auditRows().filter((row) => row.action === 'assert_not_applicable')).toHaveLength(2);
  });

  test('44: reassociation refuses in the order of its rules, then carries the analyses over', async () => {
    const imported = await importFile('two-agents-sequential');
    const { path: old_ref, revision } = imported.draft;
    const digest = async () =>
      (await studio.call('GET', `${P}/drafts/exposure`)).body.exposure_digest;
    const move = async (change: Record<string, unknown> = {}) =>
      studio.call('POST', `${P}/drafts/reassociations`, {
        old_ref,
        new_ref: 'n.yaml',
        expected_revision: revision,
        exposure_digest: await digest(),
        ...change,
      });
    refused(await move({ new_ref: old_ref }), 422, 'request_invalid');
    refused(await move({ old_ref: 'other.yaml' }), 404, 'reassociation_source_not_found');
    refused(await move({ expected_revision: 'x' }), 409, 'draft_stale', { path: old_ref });
    refused(await move(), 404, 'draft_not_found');
    write('n.yaml', SPEC);
    refused(await move(), 409, 'draft_stale', { path: 'n.yaml' });
    write('n.yaml', imported.spec_yaml);
    refused(await move({ exposure_digest: 'x' }), 409, 'exposure_stale');
    const done = await move();
    expect([done.status, done.body]).toEqual([
      200,
      { analysis_ids: imported.analysis_ids, new_ref: 'n.yaml', old_ref },
    ]);
    expect((await move({ exposure_digest: 'not looked at' })).status).toBe(200);
    write('other.yaml', imported.spec_yaml);
    await register('other.yaml', { kind: 'overlay' });
    refused(await move({ new_ref: 'other.yaml' }), 409, 'reassociation_target_conflict', {
      expected_kind: 'spec',
      kind: 'overlay',
    });
  });

  test('drafts are created, listed in the tree and deleted in their namespace only', async () => {
    const create = (name: string) =>
      studio.call('POST', `${P}/drafts`, { name, kind: 'overlay', text: 'a: 1\n' });
    const made = await create('one.yml');
    refused(await create('one.yml'), 409, 'draft_exists');
    for (const name of ['', '../x', 'a/b', 'con', 'x'.repeat(97)]) {
      const bad = await create(name);
      refused(bad, 422, 'request_invalid');
      expect(bad.body.details.errors[0].loc).toEqual(['body', 'name']);
    }
    await authored('own.yaml', SPEC);
    write('free.json', '{}');
    write('picture.png', 'x');
    const tree = (await studio.call('GET', `${P}/tree`)).body;
    expect(
      tree.entries.map((entry: { ref: string; registered: boolean; origin: string }) => [
        entry.ref,
        entry.registered,
        entry.origin,
      ]),
    ).toEqual([
      ['.studio/drafts/one.yml', true, 'authored'],
      ['free.json', false, null],
      ['own.yaml', true, 'authored'],
    ]);
    const drop = (ref: string, revision: string) =>
      studio.call('DELETE', `${P}/drafts/${ref}?expected_revision=${revision}`);
    refused(await drop('own.yaml', sha(SPEC)), 403, 'draft_read_only');
    refused(await drop(made.body.ref, 'x'), 409, 'draft_stale');
    expect((await drop(made.body.ref, made.body.revision)).status).toBe(204);
    expect(existsSync(path.join(studio.root, made.body.ref))).toBe(false);
  });
});

describe('import', () => {
  const post = (body: unknown, headers: Record<string, string> = {}, source = 'n8n') =>
    studio.call('POST', `${P}/import/${source}`, body, headers);

  test('45, 46 AS-062: checks before the importer, in their order', async () => {
    const alias = 'default';
    refused(await post({}), 422, 'raw_required');
    refused(await post({ raw: 5, alias }), 422, 'raw_required');
    refused(await post({ raw: '' }), 422, 'raw_required');
    refused(await post({ raw: 'x'.repeat(1_048_577), alias: 'nope' }), 413, 'source_too_large');
    refused(await post({ raw: '{}' }), 422, 'alias_required');
    refused(await post({ raw: '{}', alias: 'nope' }), 422, 'unknown_alias');
    refused(await post({ raw: '{}', alias }, {}, 'nope'), 404, 'source_unknown');
    refused(await post({ raw: '{}', alias }, {}, 'flowise'), 501, 'not_implemented');
    refused(await post({ raw: '{}', alias, conversion: 'odd' }), 422, 'request_invalid');
    refused(await post([]), 422, 'request_invalid');
    refused(await post({ raw: '{}', alias, unknown: 'ignored' }), 422, 'source_unparseable');
    refused(
      await post({ raw: 'not json', alias }, { 'idempotency-key': ' ' }),
      422,
      'source_unparseable',
    );
    expect(existsSync(path.join(studio.root, '.studio'))).toBe(false);
    const unbound = await another(platform.url);
    const db = new BetterSqlite3(path.join(unbound.folder, 'state', 'studio.db'));
    db.prepare("UPDATE project_environment SET retired_at = 'x'").run();
    db.close();
    const bound = await unbound.call('POST', `${P}/import/n8n`, { raw: '{}', alias });
    refused(bound, 409, 'project_unbound');
    const raw = fixture('two-agents-sequential');
    expect((await unbound.call('POST', `${P}/import/n8n`, { raw })).status).toBe(201);
  });

  test('files of the same import resolve the calls to them', async () => {
    const node = (name: string, type: string, parameters: object) => ({
      ...{ id: name, name, type: `n8n-nodes-base.${type}`, typeVersion: 1, position: [0, 0] },
      parameters,
    });
    const start = node('Start', 'manualTrigger', {});
    const call = node('Call', 'executeWorkflow', { workflowId: 'w-called' });
    const raw = JSON.stringify({
      name: 'Caller',
      nodes: [start, call],
      connections: { Start: { main: [[{ node: 'Call', type: 'main', index: 0 }]] } },
    });
    const related = [
      {
        source_name: 'called.json',
        raw: JSON.stringify({
          id: 'w-called',
          name: 'Called',
          nodes: [start, node('Look up', 'code', { jsCode: 'return 1' })],
          connections: { Start: { main: [[{ node: 'Look up', type: 'main', index: 0 }]] } },
        }),
      },
      { source_name: 'broken.json', raw: '{' },
    ];
    const alias = 'default';
    const alone = await post({ raw, alias, source_name: 'caller' });
    const together = await post({ raw, alias, source_name: 'caller', related });
    expect([alone.status, together.status]).toEqual([201, 201]);
    expect(JSON.stringify(alone.body)).not.toContain('called.json');
    expect(JSON.stringify(together.body)).toContain('imported with it from \\"called.json\\"');
    expect(JSON.stringify(together.body)).toContain('look_up');
  });

  test('a second import is merged into the edited draft; nothing of either is lost', async () => {
    const alias = 'default';
    const source = JSON.parse(fixture('two-agents-sequential'));
    const first = await post({ raw: JSON.stringify(source), alias, source_name: 'desk' });
    const ref = first.body.draft.path;
    const generated = await studio.call(
      'GET',
      `${P}/analyses/${first.body.analysis_ids[0]}/generated`,
    );
    expect(generated.body).toEqual({
      spec_yaml: first.body.spec_yaml,
      revision: first.body.draft.revision,
      created_at: expect.any(String),
    });
    const edited = `${first.body.spec_yaml}# mine\n`;
    const saved = await studio.call('PUT', `${P}/drafts/${ref}`, {
      text: edited,
      expected_revision: first.body.draft.revision,
    });
    source.nodes[0].notes = 'a newer export';
    const second = await post({ raw: JSON.stringify(source, null, 1), alias, source_name: 'desk' });
    expect(second.body.draft.path).toBe(ref.replace('.yaml', '-2.yaml'));
    const merge = (body: object) =>
      studio.call('POST', `${P}/drafts/reimports`, {
        ref,
        expected_revision: saved.body.revision,
        from: second.body.draft.path,
        from_revision: second.body.draft.revision,
        text: `${second.body.spec_yaml}# mine\n`,
        ...body,
      });
    refused(await merge({ expected_revision: '0' }), 409, 'draft_stale');
    refused(await merge({ from_revision: '0' }), 409, 'draft_stale');
    refused(await merge({ from: ref }), 422, 'request_invalid');
    const merged = await merge({});
    expect(merged.status).toBe(200);
    expect(merged.body.analysis_ids).toEqual(second.body.analysis_ids);
    const now = await studio.call('GET', `${P}/drafts/${ref}`);
    expect([now.body.text, now.body.revision]).toEqual([
      `${second.body.spec_yaml}# mine\n`,
      merged.body.revision,
    ]);
    const gone = await studio.call('GET', `${P}/drafts/${second.body.draft.path}`);
    refused(gone, 404, 'draft_not_found');
  });

  test('an earlier analysis stays while a step that only it speaks of is in the draft', async () => {
    const alias = 'default';
    const step = (name: string) => ({
      ...{ id: name, name, type: 'n8n-nodes-base.slack', typeVersion: 1, parameters: {} },
    });
    const start = { ...step('Start'), type: 'n8n-nodes-base.manualTrigger' };
    const link = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
    const two = { nodes: [start, step('Tell')], connections: { Start: link('Tell') } };
    const one = { nodes: [start, step('Ask')], connections: { Start: link('Ask') } };
    const run = async (source_name: string, textOf: (first: string, second: string) => string) => {
      const first = await post({ raw: JSON.stringify(two), alias, source_name });
      const ref = first.body.draft.path;
      const saved = await studio.call('PUT', `${P}/drafts/${ref}`, {
        text: `${first.body.spec_yaml}# mine\n`,
        expected_revision: first.body.draft.revision,
      });
      const second = await post({ raw: JSON.stringify(one), alias, source_name });
      const merged = await studio.call('POST', `${P}/drafts/reimports`, {
        ref,
        expected_revision: saved.body.revision,
        from: second.body.draft.path,
        from_revision: second.body.draft.revision,
        text: textOf(first.body.spec_yaml, second.body.spec_yaml),
      });
      return [merged.body.analysis_ids, first.body.analysis_ids, second.body.analysis_ids];
    };
    const [kept, a, b] = await run('kept', (first) => first);
    expect(kept).toEqual([...a, ...b].sort());
    const [replaced, , c] = await run('replaced', (_, second) => second);
    expect(replaced).toEqual(c);
  });

  test('47 AS-058 to AS-064: the result of an import', async () => {
    const result = await importFile('two-agents-sequential', {
      source_name: '../Warranty Desk (final).JSON',
    });
    expect(result).toMatchObject({
      artifact: null,
      portability: null,
      draft: { path: '.studio/drafts/warranty-desk-final.yaml', revision: sha(result.spec_yaml) },
      summary: { source: 'n8n', workflow_family: 'sequential' },
    });
    const file = path.join(studio.root, result.draft.path);
    expect(readFileSync(file, 'utf8')).toBe(result.spec_yaml);
    const nameless = await importFile('two-agents-sequential', { source_name: null });
    expect(nameless.draft.path).toBe(
      `.studio/drafts/import-${sha(fixture('two-agents-sequential')).slice(0, 12)}.yaml`,
    );
  });

  test('48 AS-004: the same file again is the same draft and analysis; an edited draft is never overwritten', async () => {
    const first = await importFile('two-agents-sequential');
    expect(await importFile('two-agents-sequential')).toEqual(first);
    const edited = `${first.spec_yaml}# mine\n`;
    await studio.call('PUT', `${P}/drafts/${first.draft.path}`, {
      text: edited,
      expected_revision: first.draft.revision,
    });
    const second = await importFile('two-agents-sequential');
    expect(second.draft.path).toBe('.studio/drafts/two-agents-sequential-2.yaml');
    expect(second.analysis_ids).toEqual(first.analysis_ids);
    expect(readFileSync(path.join(studio.root, first.draft.path), 'utf8')).toBe(edited);
  });

  test('49: an idempotency key stands for one content', async () => {
    const body = { raw: fixture('two-agents-sequential'), alias: 'default' };
    const first = await post(body, { 'idempotency-key': ' k ' });
    const again = await post(body, { 'idempotency-key': 'k' });
    expect([again.status, again.body]).toEqual([201, first.body]);
    refused(
      await post({ ...body, conversion: 'strict' }, { 'idempotency-key': 'k' }),
      409,
      'idempotency_key_reused',
    );
    refused(await post(body, { 'idempotency-key': '   ' }), 422, 'idempotency_key_blank');
    refused(
      await post(body, { 'idempotency-key': 'x'.repeat(129) }),
      422,
      'idempotency_key_too_long',
    );
    studio.clock.ms += 24 * 3600 * 1000;
    expect((await post({ ...body, conversion: 'strict' }, { 'idempotency-key': 'k' })).status).toBe(
      201,
    );
  });

  test('50, 56 AS-055, AS-056: the analysis survives a restart; attesting needs an edit', async () => {
    const result = await importFile('etl-without-agent-inline-secret', { conversion: 'strict' });
    await studio.restart();
    const { body } = await studio.call('GET', `${P}/analyses/${result.analysis_ids[0]}`);
    expect(body).toMatchObject({
      analysis_id: result.analysis_ids[0],
      analyzer_age: 'current',
      gaps: result.gaps,
      suggestions: result.suggestions,
      related_refs: [
        {
          path: result.draft.path,
          availability: 'present',
          revision: result.draft.revision,
          can_attest: false,
          standing_attestations: [],
        },
      ],
    });
    expect(
      (await studio.call('GET', `${P}/analyses?output_sha256=${result.draft.revision}`)).body,
    ).toEqual(result.analysis_ids);
    refused(await studio.call('GET', `${P}/analyses`), 422, 'request_invalid');
    refused(await studio.call('GET', `${P}/analyses/nope`), 404, 'analysis_not_found');
  });

  test('51 AS-130: a damaged record is quarantined for good and imported anew', async () => {
    const result = await importFile('two-agents-sequential');
    const artifact = await createArtifact(result.draft);
    expect(artifact.source_analysis_state).toBe('clear');
    const db = database();
    const { payload } = db.prepare('SELECT payload FROM analysis').get() as { payload: string };
    expect(payload).toMatch(/^kas1\./);
    expect(payload).not.toContain('Gather');
    db.prepare('UPDATE analysis SET payload = ?').run(`${payload.slice(0, -8)}AAAAAAAA`);
    db.close();
    const target = `${P}/analyses/${result.analysis_ids[0]}`;
    refused(await studio.call('GET', target), 409, 'analysis_quarantined');
    refused(await studio.call('GET', target), 409, 'analysis_quarantined');
    const after = await studio.call('GET', `${P}/artifacts/${artifact.id}`);
    expect(after.body.source_analysis_state).toBe('unknown');
    const again = await importFile('two-agents-sequential');
    expect(again.analysis_ids).not.toEqual(result.analysis_ids);
    const fresh = (await studio.call('GET', `${P}/artifacts/${artifact.id}/freshness`)).body;
    expect(fresh).toMatchObject({ outcome: 'invalid', readiness: 'unknown' });
    expect(fresh.components[0].lineages[0]).toMatchObject({
      elected_analysis_id: again.analysis_ids[0],
      elected_in_frozen_set: false,
      outcome: 'frozen_history',
      invalid: true,
    });
  });

  test('94: extended and strict are two lineages', async () => {
    const one = await importFile('two-agents-sequential');
    const two = await importFile('two-agents-sequential', { conversion: 'strict' });
    expect(two.analysis_ids).not.toEqual(one.analysis_ids);
    const limits = (await studio.call('GET', `${P}/limits`)).body;
    expect(limits).toEqual({
      taint_used: 2,
      taint_cap: 10_000,
      principal_taint_used: 2,
      principal_taint_cap: 1000,
      retained_used: 2,
      retained_max: 100_000,
      nearest_cap: 'principal',
    });
  });

  test('the source’s own drawing is kept for the gap page', async () => {
    const result = await importFile('if-between-agents');
    const canvas = await studio.call('GET', `${P}/analyses/${result.analysis_ids[0]}/canvas`);
    expect(canvas.status, canvas.text).toBe(200);
    const labels = canvas.body.nodes.map((node: { label: string }) => node.label);
    const drawn = JSON.parse(fixture('if-between-agents')).nodes.map(
      (node: { name: string }) => node.name,
    );
    expect(labels).toEqual(drawn);
  });

  test('93: a record over 8 MiB is refused and nothing is written', async () => {
    const big = await another(platform.url, {
      analyze: async ({ raw }) => ({
        ok: true,
        spec_yaml: SPEC,
        spec: {},
        summary: {
          source: 'n8n',
          workflow_family: null,
          node_count: 0,
          edge_count: 0,
          tool_count: 0,
          credential_count: 0,
          unsupported_count: 0,
        },
        gaps: [
          {
            gap_id: 'a:b',
            kind: 'a',
            severity: 'info',
            source_ref: { source_id: 'b', source_label: 'b', locator: '$' },
            spec_ref: null,
            title: 't',
            detail: 'x'.repeat(8 * 1024 * 1024),
          },
        ],
        suggestions: [],
        importer: 'n8n',
        importer_version: 'n8n@1.0.0',
        analyzer_version: '1.0.0',
        source_sha256: sha(raw),
        output_sha256: sha(SPEC),
        canvas: { nodes: [], edges: [] },
        origin: { id: null, name: null },
        calls: [],
      }),
    });
    const answer = await big.call('POST', `${P}/import/n8n`, { raw: '{}', alias: 'default' });
    refused(answer, 413, 'analysis_too_large', { limit_bytes: 8 * 1024 * 1024 });
    expect(existsSync(path.join(big.root, '.studio'))).toBe(false);
  });

  test('an import that cannot be written leaves nothing; one that was cut off is undone at start', async () => {
    writeFileSync(path.join(studio.root, '.studio'), 'a file where the folder should be');
    const body = { raw: fixture('two-agents-sequential'), alias: 'default' };
    refused(await post(body), 500, 'draft_write_failed');
    rmSync(path.join(studio.root, '.studio'));
    expect((await studio.call('GET', `${P}/drafts`)).body).toEqual([]);
    await studio.stop();
    write('.studio/drafts/half.yaml', SPEC);
    const db = database();
    const note = db.prepare('INSERT INTO tree_operation VALUES (?, ?, ?, ?, ?)');
    note.run('op', 'default', '.studio/drafts/half.yaml', sha(SPEC), 'now');
    db.close();
    await studio.restart();
    expect(existsSync(path.join(studio.root, '.studio/drafts/half.yaml'))).toBe(false);
  });
});

describe('gaps', () => {
  async function imported() {
    const result = await importFile('etl-without-agent-inline-secret', { conversion: 'strict' });
    const blocking = result.gaps.filter((gap: { severity: string }) => gap.severity === 'blocking');
    const analysis = result.analysis_ids[0];
    const resolve = (change: Record<string, unknown>) =>
      studio.call('POST', `${P}/analyses/${analysis}/resolutions`, {
        gap_id: blocking[0].ref.gap_id,
        ref: result.draft.path,
        expected_revision: result.draft.revision,
        event: 'attest',
        ...change,
      });
    const edit = async () => {
      const text = `${result.spec_yaml}# seen\n`;
      await studio.call('PUT', `${P}/drafts/${result.draft.path}`, {
        text,
        expected_revision: result.draft.revision,
      });
      return sha(text);
    };
    return { result, blocking, analysis, resolve, edit };
  }

  test('52, 53, 54, 55 AS-050 to AS-053: the log decides, at one exact revision', async () => {
    const { blocking, analysis, resolve, edit, result } = await imported();
    refused(await resolve({}), 409, 'resolution_requires_an_edit', { analysis_id: analysis });
    refused(await resolve({ ref: 'other.yaml' }), 409, 'analysis_not_for_ref');
    refused(await resolve({ ref: '../x' }), 409, 'analysis_not_for_ref');
    refused(await resolve({ gap_id: 'nope' }), 409, 'gap_unknown');
    refused(await resolve({ gap_id: 'x'.repeat(129) }), 422, 'request_invalid');
    refused(await resolve({ note: 'x' }), 422, 'request_invalid');
    const revision = await edit();
    refused(await resolve({}), 409, 'draft_stale', { revision });
    refused(
      await resolve({ expected_revision: revision, event: 'retract' }),
      409,
      'nothing_to_retract',
    );
    const at = { expected_revision: revision };
    const first = await resolve(at);
    expect(first.body).toMatchObject({
      effective_event: 'attest',
      seq: 1,
      revision,
      analysis_id: analysis,
    });
    expect(first.body.outstanding_blocking_gaps).toHaveLength(blocking.length - 1);
    expect((await resolve(at)).body.seq).toBe(1);
    expect((await resolve({ ...at, event: 'retract' })).body).toMatchObject({
      seq: 2,
      effective_event: 'retract',
    });
    expect((await resolve(at)).body.seq).toBe(3);
    const log = (await studio.call('GET', `${P}/analyses/${analysis}/resolutions`)).body;
    expect(
      log.map((entry: { event: string; by_display_name: string }) => [
        entry.event,
        entry.by_display_name,
      ]),
    ).toEqual([
      ['attest', 'Local owner'],
      ['retract', 'Local owner'],
      ['attest', 'Local owner'],
    ]);
    const view = (await studio.call('GET', `${P}/analyses/${analysis}`)).body;
    expect(view.related_refs[0]).toMatchObject({
      path: result.draft.path,
      can_attest: true,
      standing_attestations: [{ gap_id: blocking[0].ref.gap_id, revision }],
    });
  });

  test('61, 62, 65 AS-037, AS-129: states of an artifact, and what a retraction does', async () => {
    const { result, blocking, resolve, edit } = await imported();
    const blocked = await createArtifact(result.draft);
    expect(blocked.source_analysis_state).toBe('blocked');
    expect(blocked.unresolved_blocking_gaps).toHaveLength(blocking.length);
    const held = await studio.call('GET', `${P}/artifacts/${blocked.id}/export`);
    refused(held, 409, 'artifact_not_ready', { analysis_state: 'blocked' });
    expect(held.body.details.reasons.slice(0, 2)).toEqual([
      'analysis_blocked',
      'artifact_not_ready',
    ]);
    expect(held.headers.get('cache-control')).toBe('no-store');
    const revision = await edit();
    const base = { path: result.draft.path, revision };
    expect((await createArtifact(base)).source_analysis_state).toBe('unknown');
    for (const gap of blocking)
      await resolve({ gap_id: gap.ref.gap_id, expected_revision: revision });
    const attested = await createArtifact(base);
    expect([attested.source_analysis_state, attested.unresolved_blocking_gaps]).toEqual([
      'attested',
      [],
    ]);
    await resolve({ expected_revision: revision, event: 'retract' });
    const after = (await studio.call('GET', `${P}/artifacts/${attested.id}`)).body;
    expect([after.source_analysis_state, after.unresolved_blocking_gaps]).toEqual([
      'unknown',
      [blocking[0].ref],
    ]);
    const fresh = (await studio.call('GET', `${P}/artifacts/${attested.id}/freshness`)).body;
    expect(fresh).toMatchObject({ outcome: 'edited_revision', legacy_coverage_rule: false });
  });

  test('63 AS-048, AS-049: acknowledging manual gaps', async () => {
    const result = await importFile('two-agents-sequential');
    const artifact = await createArtifact(result.draft);
    const [gap, ...rest] = artifact.unacknowledged_manual_gaps;
    const ack = (body: unknown) =>
      studio.call('POST', `${P}/artifacts/${artifact.id}/acknowledgements`, body);
    const first = await ack({ gap });
    expect([first.status, first.body.artifact.unacknowledged_manual_gaps]).toEqual([201, rest]);
    expect(first.body.acknowledgement).toMatchObject({
      gap,
      acknowledged_by_display_name: 'Local owner',
    });
    expect((await ack({ gap })).body.acknowledgement).toEqual(first.body.acknowledgement);
    refused(await ack({ gap: { ...gap, gap_id: 'nope' } }), 409, 'gap_unknown');
    refused(await ack({ gap, reason: 'x' }), 422, 'request_invalid');
    expect(
      (await studio.call('GET', `${P}/artifacts/${artifact.id}/acknowledgements`)).body,
    ).toHaveLength(1);
  });
});

describe('artifacts', () => {
  test('56, 57: components that cannot be frozen', async () => {
    const base = await authored('a.yaml', SPEC);
    const overlay = { path: 'o.yaml', revision: write('o.yaml', 'agent:\n  name: b\n') };
    await register('o.yaml', { kind: 'overlay' });
    const create = (body: Record<string, unknown>) =>
      studio.call('POST', `${P}/artifacts`, { base, alias: 'default', ...body });
    refused(await create({ alias: 'nope' }), 422, 'unknown_alias');
    refused(await create({ base: overlay }), 422, 'component_wrong_kind');
    refused(await create({ overlays: [base] }), 422, 'component_wrong_kind');
    refused(await create({ base: { ...base, revision: 'x' } }), 409, 'draft_stale', {
      path: 'a.yaml',
    });
    refused(
      await create({ base: { path: 'none.yaml', revision: 'x' } }),
      409,
      'snapshot_unavailable',
    );
    const broken = { path: 'o.yaml', revision: write('o.yaml', 'a: &x 1\nb: *x\n') };
    const bad = await create({ overlays: [broken] });
    refused(bad, 422, 'request_invalid');
    expect(bad.body.details.errors[0].loc).toEqual(['body', 'overlays', 0]);
    expect((await studio.call('GET', `${P}/artifacts`)).body).toEqual([]);
  });

  test('58, 59, 60, 92, 99 AS-031 to AS-036: hashes, merge and view', async () => {
    const base = await authored(
      'a.yaml',
      `${SPEC}metadata:\n  keep: 1\n  drop: 2\n  gone: 3\n  list: [1, 2]\n`,
    );
    const overlay = {
      path: 'o.yaml',
      revision: write(
        'o.yaml',
        'metadata:\n  drop: null\n  gone: {__delete__: true}\n  list: [9]\n',
      ),
    };
    await register('o.yaml', { kind: 'overlay' });
    const overrides = { metadata: { b: 1.0, a: ['é', null] } };
    const artifact = await createArtifact(base, { overlays: [overlay], overrides });
    const canonical = '{"metadata":{"a":["\\u00e9",null],"b":1}}';
    expect(artifact).toMatchObject({
      base,
      overlays: [overlay],
      alias: 'default',
      alias_generation: 1,
      overrides_sha256: sha(canonical),
      revision: sha([base.revision, overlay.revision, sha(canonical), '1'].join('\0')),
      source_analysis_state: 'unknown',
    });
    expect(artifact.created_at).toMatch(TIME);
    expect((await studio.call('GET', `${P}/artifacts/${artifact.id}`)).body).toEqual(artifact);
    const twin = await createArtifact(base, { overlays: [overlay], overrides });
    expect([twin.id === artifact.id, twin.revision === artifact.revision]).toEqual([false, true]);
    expect((await createArtifact(base)).overrides_sha256).toBe(
      '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    );
    const composed = (
      await studio.call('POST', `${P}/specs/compose`, { base, overlays: [overlay], overrides })
    ).body;
    expect(composed.text).toContain(
      'metadata:\n  keep: 1\n  list:\n  - 9\n  a:\n  - é\n  - null\n  b: 1\n',
    );
    expect(composed.origins).toContainEqual({
      path: 'metadata.list',
      origin: 'overlay',
      overlay: 0,
    });
    expect(composed.origins).toContainEqual({
      path: 'metadata.b',
      origin: 'overrides',
      overlay: null,
    });
  });

  test('64 AS-001: a deleted artifact is gone from every route, and its snapshot with it', async () => {
    const artifact = await readyArtifact();
    const target = `${P}/artifacts/${artifact.id}`;
    const snapshots = path.join(studio.folder, 'state', 'snapshots', 'default');
    expect(readdirSync(snapshots)).toHaveLength(1);
    expect((await studio.call('DELETE', target)).status).toBe(204);
    expect(readdirSync(snapshots)).toEqual([]);
    for (const [method, rest, body] of [
      ['DELETE', '', undefined],
      ['GET', '', undefined],
      ['GET', '/export', undefined],
      ['GET', '/freshness', undefined],
      ['GET', '/preflight/policy', undefined],
      ['POST', '/acknowledgements', { gap: { analysis_id: 'a', gap_id: 'b' } }],
    ] as const) {
      refused(await studio.call(method, `${target}${rest}`, body), 410, 'artifact_deleted');
    }
    refused(
      await studio.call('POST', `${P}/specs/validate`, { artifact_id: artifact.id }),
      410,
      'artifact_deleted',
    );
    refused(await studio.call('GET', `${P}/artifacts/nope`), 404, 'artifact_not_found');
    expect((await studio.call('GET', `${P}/artifacts`)).body).toEqual([]);
  });

  test('66, 67, 102 AS-013, AS-042: export of frozen bytes, also when the draft is gone', async () => {
    const artifact = await readyArtifact();
    rmSync(path.join(studio.root, 'specs/flow.yaml'));
    const answer = await studio.call('GET', `${P}/artifacts/${artifact.id}/export`);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({
      artifact_id: artifact.id,
      base_ref: 'specs/flow.yaml',
      spec_yaml: STEPS,
      filename: `flow.${artifact.id.slice(0, 8)}.yaml`,
    });
    expect([answer.headers.get('cache-control'), answer.headers.get('vary')]).toEqual([
      'no-store',
      'Cookie',
    ]);
    const rows = auditRows().filter((row) =>
      ['create_artifact', 'export_artifact'].includes(row.action),
    );
    expect(rows.map((row) => [row.action, row.principal_id, row.outcome])).toEqual([
      ['create_artifact', 'local-owner', 'allowed'],
      ['export_artifact', 'local-owner', 'allowed'],
    ]);
    expect(rows[0]?.at).toMatch(TIME);
  });

  test('a snapshot whose bytes changed is not believed', async () => {
    const artifact = await readyArtifact();
    const snapshots = path.join(studio.folder, 'state', 'snapshots', 'default');
    const [hash] = readdirSync(snapshots);
    const stored = path.join(snapshots, hash ?? '', '000-base-0.yaml');
    writeFileSync(stored, SPEC);
    refused(
      await studio.call('POST', `${P}/specs/validate`, { artifact_id: artifact.id }),
      409,
      'snapshot_corrupt',
    );
    rmSync(stored);
    refused(
      await studio.call('POST', `${P}/specs/validate`, { artifact_id: artifact.id }),
      409,
      'snapshot_unavailable',
    );
  });

  test('72 AS-010, AS-068, AS-071: the gate of the binding, and what cannot travel', async () => {
    const code = `${STEPS}tools:\n  t:\n    description: d\n    implementation: m.f\n`;
    const artifact = await readyArtifact(code);
    const blockers = (await studio.call('GET', `${P}/artifacts/${artifact.id}/portability`)).body
      .blockers;
    expect(blockers).toMatchObject([
      { code: 'filesystem_dependency', spec_ref: 'tools.t.implementation' },
    ]);
    refused(
      await studio.call('GET', `${P}/artifacts/${artifact.id}/export`),
      409,
      'artifact_not_portable',
      { blockers },
    );
    await studio.restart({ trusted: false });
    const { body } = await studio.call('GET', `${P}/bindings`);
    expect(body).toMatchObject([{ generation: 2, capability_policy: 'strict' }]);
    const strict = await createArtifact(artifact.base);
    refused(
      await studio.call('POST', `${P}/specs/validate`, { artifact_id: strict.id }),
      409,
      'spec_capability_refused',
      {
        stage: 'pre-expansion scan',
        findings: [{ path: 'tools.t.implementation', capability: 'execute' }],
      },
    );
    expect(
      (await studio.call('POST', `${P}/specs/validate`, { artifact_id: artifact.id })).status,
    ).toBe(200);
  });
});

describe('platform verdicts', () => {
  const draft = { path: 'x.yaml', revision: 'seen' };
  const preview = (text: string, alias = 'default') =>
    studio.call('POST', `${P}/specs/preview`, { alias, draft, text });

  test('71 AS-111 to AS-114: preview of a buffer', async () => {
    const good = await preview(STEPS);
    expect(good.body).toMatchObject({
      revision: 'seen',
      ok: true,
      stages: [
        { stage: 'validate', ok: true },
        { stage: 'compile', ok: true },
      ],
    });
    const bad = await preview(STEPS.replace('ref: w', 'ref: nobody'));
    expect(bad.body).toMatchObject({ ok: false, stages: [{ stage: 'validate', ok: false }] });
    expect(bad.body.stages).toHaveLength(1);
    expect(bad.body.stages[0].detail.diagnostics.length).toBeGreaterThan(0);
    for (const text of ['a: [', '', '- a', 'a: &x 1\nb: *x', 'metadata: {d: 2024-01-01}']) {
      const answer = await preview(text);
      refused(answer, 422, 'request_invalid');
      expect(answer.body.details.errors[0].loc).toEqual(['body', 'text']);
    }
    refused(await preview(SPEC, 'nope'), 422, 'unknown_alias');
  });

  test('73 AS-118 to AS-123: the platform draws the topology', async () => {
    const artifact = await readyArtifact();
    const graph = await studio.call('POST', `${P}/specs/graph`, { artifact_id: artifact.id });
    expect(graph.body).toEqual({
      available: true,
      edges: [],
      nodes: [{ id: 'one', kind: 'step', label: 'one' }],
      start: 'one',
      unavailable_reason: null,
      workflow_kind: 'sequential',
    });
    const alone = await createArtifact(await authored('alone.yaml', SPEC));
    const none = await studio.call('POST', `${P}/specs/graph`, { artifact_id: alone.id });
    expect(none.body).toMatchObject({
      available: false,
      workflow_kind: null,
      nodes: [],
      edges: [],
    });
    expect(none.body.unavailable_reason).toContain('agents only');
  });

  test('69, 70, 98 AS-140: refusals of the platform and its silence', async () => {
    const artifact = await readyArtifact();
    const fake = await startFakePlatform();
    fakes.push(fake);
    const validate = () => studio.call('POST', `${P}/specs/validate`, { artifact_id: artifact.id });
    await studio.restart({ platform: { url: fake.url } });
    fake.on('POST /v1/specs/validate', { body: { valid: false, diagnostics: [{ code: 'E' }] } });
    refused(
      await studio.call('GET', `${P}/artifacts/${artifact.id}/export`),
      409,
      'artifact_governance_failed',
      { stages: [{ stage: 'validate', ok: false }] },
    );
    refused(
      await studio.call('POST', `${P}/specs/compile`, { artifact_id: artifact.id }),
      409,
      'artifact_governance_failed',
    );
    fake.on('POST /v1/specs/validate', {
      status: 401,
      body: { detail: { error: 'unauthorized', message: 'no' } },
      headers: { 'x-request-id': 'up-1' },
    });
    const auth = await validate();
    refused(auth, 502, 'platform_auth_failed');
    expect(auth.body.request_id).toBe('up-1');
    fake.on('POST /v1/specs/validate', {
      status: 418,
      body: { detail: { error: 'odd_code', message: 'm', extra: 1 } },
    });
    const odd = await validate();
    refused(odd, 418, 'odd_code', { extra: 1 });
    fake.on('POST /v1/specs/validate', { body: { valid: 'yes' } });
    const shape = await validate();
    refused(shape, 502, 'platform_protocol_error');
    expect(shape.body.request_id).toMatch(/^upstream-[0-9a-f]{32}$/);
    fake.on('POST /v1/specs/validate', { body: { valid: true } });
    fake.on('POST /v1/specs/compile', {
      status: 400,
      body: { detail: { error: 'spec_invalid', message: 'm', diagnostics: [{ code: 'E_BUILD' }] } },
    });
    const green = await preview(SPEC);
    expect(green.body).toMatchObject({
      ok: false,
      stages: [
        { stage: 'validate', ok: true },
        { stage: 'compile', ok: false, detail: { diagnostics: [{ code: 'E_BUILD' }] } },
      ],
    });
    await fake.close();
    fakes.splice(0);
    const down = await validate();
    refused(down, 502, 'platform_unreachable');
    expect(down.body.request_id).toMatch(/^bff-/);
  });

  test('74 AS-014, AS-107 to AS-110: preflight of the frozen binding', async () => {
    const artifact = await readyArtifact();
    const flight = `${P}/artifacts/${artifact.id}/preflight`;
    const overridden = await studio.call('GET', `${flight}/policy?alias=x`);
    refused(overridden, 422, 'request_invalid', { refused_parameters: ['alias'] });
    const policy = await studio.call('GET', `${flight}/policy`);
    expect(policy.body).toMatchObject({
      alias: 'default',
      alias_generation: 1,
      platform_environment: 'dev',
      state: 'available',
      unavailable_reason: null,
    });
    const credentials = await studio.call('GET', `${flight}/credential-refs`);
    expect(Object.keys(credentials.body.credentials)).toEqual([
      'providers',
      'extra',
      'service_tokens',
    ]);
    expect(
      credentials.body.credentials.providers.openai ??
        Object.values(credentials.body.credentials.providers)[0],
    ).toMatchObject({ value: null });
  });
});

describe('test runs', () => {
  async function finished(id: string) {
    for (let i = 0; i < 100; i += 1) {
      const run = await studio.call('GET', `${P}/test-runs/${id}`);
      if (['completed', 'failed'].includes(run.body.platform?.status)) return run.body;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('the run did not finish');
  }

  test('a recording is chosen for a run and reaches the platform', async () => {
    const artifact = await readyArtifact();
    const fake = await startFakePlatform();
    fakes.push(fake);
    await studio.restart({ platform: { url: fake.url } });
    fake.on('GET /v1/healthz', { body: { status: 'ok', version: '1.2.0' } });
    fake.on('POST /v1/specs/run', { status: 202, body: { run_id: 'r1', status: 'queued' } });
    const recording = { mode: 'record', name: 'desk' };
    const begun = await studio.call('POST', `${P}/test-runs`, {
      artifact_id: artifact.id,
      input: 'x',
      recording,
    });
    expect([begun.status, begun.body.status], begun.text).toEqual([202, 'started']);
    const sent = fake.calls.find(({ path: to }) => to === '/v1/specs/run');
    expect(sent?.body).toMatchObject({ input: 'x', metadata: { recording } });
  });

  test('75, 76, 78, 79 AS-115 to AS-117, AS-126 to AS-128: a run to its end', async () => {
    const artifact = await readyArtifact();
    const start = (body: unknown) => studio.call('POST', `${P}/test-runs`, body);
    refused(
      await start({ artifact_id: artifact.id, input: 'hi', extra: 1 }),
      422,
      'request_invalid',
    );
    const recording = { mode: 'replay', name: '../x' };
    refused(
      await start({ artifact_id: artifact.id, input: 'hi', recording }),
      422,
      'request_invalid',
    );
    const begun = await start({ artifact_id: artifact.id, input: 'hi' });
    expect([begun.status, begun.body.status], begun.text).toEqual([202, 'started']);
    expect(begun.headers.get('location')).toBe(`${P}/test-runs/${begun.body.id}`);
    const done = await finished(begun.body.id);
    expect(done.platform).toMatchObject({ status: 'completed', output_text: 'Final answer: hi' });
    const run = `${P}/test-runs/${done.id}`;
    refused(await studio.call('GET', `${run}/trace?limit=0`), 422, 'invalid_trace_window');
    refused(await studio.call('GET', `${run}/trace?limit=501`), 422, 'invalid_trace_window');
    refused(
      await studio.call('GET', `${run}/checkpoints?offset=10001`),
      422,
      'invalid_checkpoint_window',
    );
    refused(await studio.call('GET', `${run}/trace?limit=x`), 422, 'request_invalid');
    const trace = (await studio.call('GET', `${run}/trace`)).body;
    expect(trace).toMatchObject({
      offset: 0,
      limit: 100,
      next_offset: null,
      run_status: 'completed',
      run_terminal: true,
      paging_limit_reached: false,
    });
    const first = (await studio.call('GET', `${run}/trace?limit=1`)).body;
    expect([first.returned, first.next_offset]).toEqual([1, 1]);
    const points = (await studio.call('GET', `${run}/checkpoints`)).body;
    expect(Object.keys(points).sort()).toEqual([
      'checkpoints',
      'limit',
      'next_offset',
      'offset',
      'paging_limit_reached',
      'returned',
      'total',
    ]);
    const [a, b] = points.checkpoints;
    const diff = await studio.call(
      'GET',
      `${run}/checkpoints/diff?from_sequence=${a.sequence}&to_sequence=${b.sequence}`,
    );
    expect(diff.status, diff.text).toBe(200);
    const graph = (await studio.call('GET', `${run}/graph`)).body;
    expect(graph).toMatchObject({
      run_id: done.platform_run_id,
      visited: ['one'],
      nodes: [{ id: 'one', kind: 'step' }],
    });
    expect((await studio.call('POST', `${run}/cancel`)).body).toMatchObject({
      outcome: 'already_finished',
      status: 'completed',
    });
    const list = (await studio.call('GET', `${P}/test-runs?artifact_id=${artifact.id}`)).body;
    expect(list.map((item: { id: string }) => item.id)).toEqual([done.id]);
    refused(await studio.call('GET', `${P}/test-runs/nope`), 404, 'test_run_not_found');
    const origins = await studio.call(
      'GET',
      `/api/run-origins?session_ids=studio-${done.id},studio-nope,other`,
    );
    expect(origins.body).toEqual([
      {
        session_id: `studio-${done.id}`,
        project_id: artifact.project_id ?? 'default',
        project_name: expect.any(String),
        artifact_id: artifact.id,
        artifact_deleted: false,
        draft_ref: artifact.base.path,
        draft_revision: artifact.base.revision,
      },
    ]);
  });

  test('77, 79: an old platform starts nothing', async () => {
    const artifact = await readyArtifact();
    const fake = await startFakePlatform();
    fakes.push(fake);
    await studio.restart({ platform: { url: fake.url } });
    fake.on('GET /v1/healthz', { body: { status: 'ok', version: '1.1.9' } });
    const answer = await studio.call('POST', `${P}/test-runs`, {
      artifact_id: artifact.id,
      input: 'x',
    });
    refused(answer, 409, 'platform_version_unsupported', {
      found: '1.1.9',
      minimum: '1.2.0',
      alias: 'default',
    });
    const id = answer.body.details.test_run_id;
    const run = await studio.call('GET', `${P}/test-runs/${id}`);
    expect(run.body).toMatchObject({
      status: 'failed_to_start',
      platform: null,
      platform_run_id: null,
    });
    refused(
      await studio.call('POST', `${P}/test-runs/${id}/cancel`),
      409,
      'test_run_not_on_platform',
      { test_run_id: id },
    );
    fake.on('GET /v1/healthz', { body: { status: 'ok' } });
    refused(
      await studio.call('POST', `${P}/test-runs`, { artifact_id: artifact.id, input: 'x' }),
      502,
      'platform_version_unknown',
    );
  });

  test('80: a run left pending is settled by what the platform knows of it', async () => {
    const artifact = await readyArtifact();
    const fake = await startFakePlatform();
    fakes.push(fake);
    await studio.restart({ platform: { url: fake.url } });
    fake.on('GET /v1/healthz', { body: { version: '1.2.0' } });
    fake.on('POST /v1/specs/run', { status: 500, body: {} });
    const start = async () => {
      const answer = await studio.call('POST', `${P}/test-runs`, {
        artifact_id: artifact.id,
        input: 'x',
      });
      expect(answer.status).toBe(500);
      return answer.body.details.test_run_id as string;
    };
    const id = await start();
    const read = async () => (await studio.call('GET', `${P}/test-runs/${id}`)).body;
    expect((await read()).status).toBe('pending');
    fake.on('GET /v1/runs', ({ query }) => ({
      body: { total: 1, runs: [{ run_id: 'r-1', session_id: query['session_id'] }] },
    }));
    fake.on('GET /v1/runs/*', { body: { run_id: 'r-1', status: 'completed', output_text: 'o' } });
    await studio.restart({ platform: { url: fake.url } });
    expect((await read()).status).toBe('pending');
    studio.clock.ms += 16 * 60 * 1000;
    await studio.restart({ platform: { url: fake.url } });
    for (let i = 0; i < 40 && (await read()).status === 'pending'; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    expect(await read()).toMatchObject({
      status: 'started',
      platform_run_id: 'r-1',
      platform: { status: 'completed' },
    });
  });
});
