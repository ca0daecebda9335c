import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Cli, createCli } from '../../test/support/cli.ts';
import { type StudioUnderTest, startStudioUnderTest } from '../../test/support/studio-app.ts';
import { openDatabase } from '../store/open-database.ts';
import type { PrincipalRow, StudioTables } from '../store/studio-tables.ts';

// A studio serves the store while the words of the operator change it (studio.md 20).
let cli: Cli;
let studio: StudioUnderTest;
let data: string;

beforeEach(async () => {
  cli = createCli();
  data = path.join(cli.folder, 'data');
  mkdirSync(path.join(data, 'studio'), { recursive: true });
  studio = await startStudioUnderTest('http://127.0.0.1:9', {
    databaseFile: path.join(data, 'studio', 'studio.db'),
    stateDir: path.join(data, 'studio'),
  });
});
afterEach(async () => {
  await studio.dispose();
  cli.dispose();
});

const say = (words: string, env: Record<string, string> = {}) =>
  cli.run(['studio', ...words.split(' '), '--data', data], env);

async function inStore<T>(
  look: (db: ReturnType<typeof openDatabase<StudioTables>>['db']) => Promise<T>,
) {
  const store = openDatabase<StudioTables>({
    name: 'studio',
    file: path.join(data, 'studio', 'studio.db'),
    migrations: path.resolve(import.meta.dirname, '../../migrations/studio'),
    now: () => Date.now(),
  });
  try {
    return await look(store.db);
  } finally {
    store.close();
  }
}

const AT = '2026-11-21T00:00:00.000000+00:00';

async function addPerson(id: string, state: PrincipalRow['state'], issuer = 'studio:static') {
  await inStore((db) =>
    db
      .insertInto('principal')
      .values({ id, kind: 'static', issuer, subject: id, display_name: id, state, created_at: AT })
      .execute(),
  );
}

async function addMember(principal_id: string, role: 'owner' | 'editor' | 'viewer') {
  await inStore((db) =>
    db
      .insertInto('project_member')
      .values({ project_id: 'default', principal_id, role, created_at: AT })
      .execute(),
  );
}

const hostAudit = () =>
  inStore((db) =>
    db
      .selectFrom('audit')
      .select(['action', 'principal_id', 'project_id', 'outcome', 'detail'])
      .where('action', 'like', 'host.%')
      .orderBy('id')
      .execute(),
  );

async function refused(words: string, code: string, env: Record<string, string> = {}) {
  const answer = await say(words, env);
  const said = /^error \[([a-z_]+)\]: .+\n$/.exec(answer.stderr)?.[1];
  expect([words, answer.code, said, answer.stdout]).toEqual([words, 1, code, '']);
}

test('the audit is shown by project, time and person, as table, JSON and CSV', {
  timeout: 60_000,
}, async () => {
  await addPerson('ada', 'pending');
  await say('principal approve --subject ada --as carol');
  const { json } = await say('audit --json');
  expect(json.audit).toEqual([
    expect.objectContaining({ actor: 'operator', action: 'host.approve_principal', project: null }),
  ]);
  expect((await say('audit')).stdout).toMatch(/^TIME +WHO +WHAT +OUTCOME +PROJECT/);
  const { stdout } = await say('audit --csv --actor operator --since 2020-01-01');
  expect(stdout).toMatch(/^at,actor,action,outcome,project,run,detail\n20.+,operator,host\./);
  expect((await say('audit --json --project default --since 2099-01-01')).json.audit).toEqual([]);
  await refused('audit --project nothing', 'unknown_project');
  await refused('audit --actor nobody', 'unknown_principal');
  expect((await say('audit --since soon')).code).toBe(2);
});

describe('principals', { timeout: 120_000 }, () => {
  test('are listed, approved, disabled and enabled, each change audited as operator', async () => {
    await addPerson('ada', 'pending');
    const { json } = await say('principal list --state pending --json');
    expect(json.principals).toEqual([
      expect.objectContaining({ subject: 'ada', issuer: 'studio:static', state: 'pending' }),
    ]);
    expect((await say('principal list')).stdout).toMatch(/^SUBJECT +ISSUER +KIND +STATE +NAME\n/);
    expect((await say('principal approve --subject ada --as carol')).code).toBe(0);
    expect((await say('principal disable --subject ada --json')).json).toMatchObject({
      state: 'disabled',
    });
    expect((await say('principal enable --subject ada')).code).toBe(0);
    expect(await hostAudit()).toEqual(
      ['approve', 'disable', 'enable'].map((word) => ({
        action: `host.${word}_principal`,
        principal_id: 'operator',
        project_id: null,
        outcome: 'allowed',
        detail: JSON.stringify({
          principal: 'ada',
          ...(word === 'disable' ? { projects: [] } : {}),
          ...(word === 'approve' ? { as: 'carol' } : {}),
        }),
      })),
    );
  });

  test('refusals name their code and change nothing', async () => {
    await addPerson('ada', 'pending');
    await addPerson('bob', 'disabled');
    await addPerson('eve', 'active');
    await inStore((db) =>
      db
        .insertInto('principal')
        .values({
          ...{ id: 'eve2', kind: 'oidc', issuer: 'https://issuer.example', subject: 'eve' },
          ...{ display_name: 'Eve', state: 'active', created_at: AT },
        })
        .execute(),
    );
    await refused('principal approve --subject nobody', 'unknown_principal');
    await refused('principal disable --subject eve', 'ambiguous_principal');
    await refused('principal approve --subject bob', 'not_pending');
    await refused('principal disable --subject ada', 'not_active');
    await refused('principal disable --subject bob', 'already_disabled');
    await refused('principal enable --subject ada', 'not_disabled');
    await refused('principal disable --subject operator', 'sentinel_principal');
    await refused('principal disable --subject local-owner', 'local_owner_of_unadopted_instance');
    expect(await hostAudit()).toEqual([]);
    expect((await say('principal disable --subject eve --issuer studio:static')).code).toBe(0);
  });

  test('a sole owner and who carries the charge name heirs', async () => {
    for (const id of ['ada', 'bob', 'guest', 'gone']) {
      await addPerson(id, id === 'gone' ? 'disabled' : 'active');
    }
    await addMember('ada', 'owner');
    await addMember('bob', 'viewer');
    await inStore(async (db) => {
      await db
        .deleteFrom('project_member')
        .where('principal_id', '=', 'local-owner')
        .where('project_id', '=', 'default')
        .execute();
      await db.updateTable('project').set({ quota_principal_id: 'ada' }).execute();
      await db
        .insertInto('invitation')
        .values({
          ...{ id: 'i', project_id: 'default', role: 'viewer', selector_kind: 'static_username' },
          ...{ selector_value: 'x', issuer: 'studio:static', state: 'pending', held_reason: null },
          ...{ created_by: 'ada', created_at: AT, expires_at: AT },
        })
        .execute();
    });
    await refused('principal disable --subject ada', 'sole_owner');
    await refused('principal disable --subject ada --owner-to bob', 'charged_principal');
    await refused('principal disable --subject ada --transfer-to ada', 'target_is_the_subject');
    await refused('principal disable --subject ada --transfer-to gone', 'target_not_active');
    await refused('principal disable --subject ada --transfer-to guest', 'target_not_a_member');
    expect(
      (await say('principal disable --subject ada --transfer-to bob --owner-to bob')).code,
    ).toBe(2);
    expect((await say('principal disable --subject ada --transfer-to bob')).code).toBe(0);
    const left = await inStore(async (db) => ({
      members: await db
        .selectFrom('project_member')
        .select(['principal_id', 'role'])
        .orderBy('principal_id')
        .execute(),
      charge: await db.selectFrom('project').select('quota_principal_id').execute(),
      invitations: await db.selectFrom('invitation').select('state').execute(),
    }));
    expect(left).toEqual({
      members: [
        { principal_id: 'ada', role: 'owner' },
        { principal_id: 'bob', role: 'owner' },
      ],
      charge: [{ quota_principal_id: 'bob' }],
      invitations: [{ state: 'revoked' }],
    });
  });

  test('a local owner who was adopted away stays disabled', async () => {
    await addPerson('ada', 'active');
    await addMember('ada', 'owner');
    await inStore(async (db) => {
      await db.deleteFrom('project_member').where('principal_id', '=', 'local-owner').execute();
      await db
        .updateTable('principal')
        .set({ state: 'disabled' })
        .where('id', '=', 'local-owner')
        .execute();
    });
    await refused('principal enable --subject local-owner', 'local_owner_was_adopted_away');
  });
});

describe('projects', { timeout: 120_000 }, () => {
  test('a folder inside of the attachable roots becomes a project of the running studio (AS-018)', async () => {
    const tree = path.join(cli.folder, 'trees', 'desk');
    mkdirSync(tree, { recursive: true });
    const roots = { STUDIO_ATTACHABLE_ROOTS: path.join(cli.folder, 'trees') };
    const words = `project attach --owner local-owner --path ${tree}`;
    await refused(words, 'attaching_disabled');
    await refused(
      `project attach --owner local-owner --path ${data}`,
      'path_not_attachable',
      roots,
    );
    await refused(`${words}/none`, 'path_not_attachable', roots);
    await refused(`project attach --owner nobody --path ${tree}`, 'unknown_principal', roots);
    await refused(words, 'project_limit_reached', { ...roots, STUDIO_PROJECT_LIMIT: '1' });
    const { code, json } = await say(`${words} --name Desk --json`, roots);
    expect([code, json.storage_kind, json.name]).toEqual([0, 'attached', 'Desk']);
    await refused(words, 'project_root_overlap', roots);
    expect((await studio.call('GET', `/api/projects/${json.id}`)).body).toMatchObject({
      name: 'Desk',
      role: 'owner',
      storage_kind: 'attached',
      binding_state: 'bound',
    });
  });

  test('ownership and charge go to members', async () => {
    await addPerson('ada', 'active');
    await refused('project reassign-owner --project none --to ada', 'unknown_project');
    await refused('project reassign-owner --project default --to ada', 'target_not_a_member');
    await addMember('ada', 'viewer');
    expect((await say('project reassign-owner --project default --to ada')).code).toBe(0);
    const offered = await studio.call('POST', '/api/projects/default/quota-transfer', {
      to_principal: 'ada',
    });
    expect(offered.status).toBe(201);
    await inStore((db) =>
      db
        .insertInto('project')
        .values({
          ...{ id: 'own', name: 'own', root: '/nowhere', storage_kind: 'attached' },
          ...{ quota_principal_id: 'ada', created_at: AT },
        })
        .execute(),
    );
    const one = { STUDIO_PROJECT_LIMIT: '1' };
    const words = 'project reassign-quota --project default --to ada';
    await refused(words, 'project_limit_reached', one);
    await inStore((db) =>
      db
        .insertInto('snapshot')
        .values({
          ...{ project_id: 'own', content_hash: 'h', state: 'published', components: '[]' },
          ...{ bytes: 1024 ** 3 + 1, created_at: AT },
        })
        .execute(),
    );
    await refused(words, 'target_has_no_headroom');
    await inStore((db) => db.deleteFrom('snapshot').execute());
    expect((await say(words)).code).toBe(0);
    const members = (await studio.call('GET', '/api/projects/default/members')).body;
    expect(members).toContainEqual(
      expect.objectContaining({ principal_id: 'ada', role: 'owner', is_quota_principal: true }),
    );
    expect((await studio.call('GET', '/api/projects/default/quota-transfer')).body).toBeNull();
  });

  test('a draft is registered against the digest that was shown', async () => {
    writeFileSync(path.join(studio.root, 'mine.yaml'), 'version: v1\n');
    const shown = await say('draft register --project default --path mine.yaml --json');
    expect(shown.code).toBe(1);
    expect(shown.json).toMatchObject({ privileged_entries: [], root_identity: expect.any(String) });
    const words = 'draft register --project default --path mine.yaml --capabilities read_write';
    await refused(`${words} --exposure-digest 00`, 'exposure_changed');
    await refused(
      `draft register --project default --path no.yaml --exposure-digest ${shown.json.exposure_digest}`,
      'draft_not_found',
    );
    const done = await say(`${words} --exposure-digest ${shown.json.exposure_digest} --as carol`);
    expect(done).toMatchObject({ code: 0, stdout: 'mine.yaml is a draft of default.\n' });
    expect((await studio.call('GET', '/api/projects/default/drafts')).body).toEqual([
      expect.objectContaining({ ref: 'mine.yaml', kind: 'spec', capabilities: 'read_write' }),
    ]);
    const [row] = await hostAudit();
    expect(row).toMatchObject({ action: 'host.register_draft', principal_id: 'operator' });
    expect(JSON.parse(row?.detail ?? '')).toMatchObject({ ref: 'mine.yaml', as: 'carol' });
  });

  test('caps of analyses hold in the running studio, never below what is in use', async () => {
    const words = 'quota set-taint-cap --project default';
    expect((await say(words)).code).toBe(2);
    expect((await say(`${words} --project-cap 0`)).code).toBe(2);
    const { json } = await say(`${words} --project-cap 2 --retained-max 5 --json`);
    expect(json).toMatchObject({ taint_cap: 2, principal_taint_cap: 1000, retained_max: 5 });
    expect((await studio.call('GET', '/api/projects/default/limits')).body).toEqual(json);
    const nodes = (name: string) =>
      JSON.stringify({
        nodes: [
          {
            ...{ id: name, name, type: 'n8n-nodes-base.noOp', typeVersion: 1 },
            ...{ position: [0, 0], parameters: {} },
          },
        ],
        connections: {},
      });
    const send = (name: string) =>
      studio.call('POST', '/api/projects/default/import/n8n', {
        raw: nodes(name),
        alias: 'default',
      });
    expect([(await send('a')).status, (await send('b')).status]).toEqual([201, 201]);
    expect((await send('c')).body).toMatchObject({ code: 'analysis_taint_full' });
    await refused(`${words} --project-cap 1`, 'cap_below_usage');
    expect((await say(`${words} --project-cap 3`)).code).toBe(0);
    expect((await send('c')).status).toBe(201);
  });
});

describe('bindings', { timeout: 120_000 }, () => {
  const live = async () =>
    (await studio.call('GET', '/api/projects/default/bindings')).body.map(
      ({ alias, generation, platform_environment, transport }: Record<string, unknown>) =>
        `${alias} ${generation} ${platform_environment} ${transport}`,
    );

  test('are added, rotated, retired and made again', async () => {
    const at = '--project default --alias qa';
    await refused(`env add ${at} --profile nowhere`, 'unknown_profile');
    await refused(`env rotate ${at} --profile local`, 'unknown_alias');
    const { json } = await say(
      `env add ${at} --profile local --platform-environment test --transport shared_filesystem --serv-root /srv --json`,
    );
    expect(json).toMatchObject({ generation: 1, capability_policy: 'strict' });
    await refused(`env add ${at} --profile local`, 'alias_bound');
    expect((await say(`env rotate ${at} --profile local --platform-environment prod`)).code).toBe(
      0,
    );
    expect(await live()).toEqual(['default 1 dev remote', 'qa 2 prod shared_filesystem']);
    await refused(`env retire ${at} --generation 7`, 'unknown_generation');
    for (const n of [1, 2]) expect((await say(`env retire ${at} --generation ${n}`)).code).toBe(0);
    const last = 'env retire --project default --alias default --generation 1';
    await refused(last, 'last_live_binding');
    await refused(`env rebind ${at} --profile local`, 'project_bound');
    await inStore((db) => db.updateTable('project_environment').set({ retired_at: AT }).execute());
    expect((await say(`env rebind ${at} --profile local`)).code).toBe(0);
    expect(await live()).toEqual(['qa 3 dev remote']);
  });

  test('wrong words: exit 2', async () => {
    const words = 'env add --project default --profile local';
    for (const more of [
      '--alias Q!',
      '--alias q --transport shared_filesystem',
      '--alias q --serv-root /srv',
      '--alias q --transport shared_filesystem --serv-root srv',
      '--alias q --transport pigeon',
    ]) {
      expect([more, (await say(`${words} ${more}`)).code]).toEqual([more, 2]);
    }
  });
});

test('the first key is made once, audited by its id', async () => {
  rmSync(path.join(data, 'studio', 'analysis-keyring.json'));
  const { code, json } = await say('keys init --as carol --json');
  expect([code, json.state]).toEqual([0, 'stable']);
  expect((await say('keys init')).code).toBe(1);
  const detail = JSON.stringify({ key_id: json.active_key_id, as: 'carol' });
  expect(await hostAudit()).toEqual([
    expect.objectContaining({ action: 'host.init_analysis_keys', detail }),
  ]);
}, 60_000);

test('a store that cannot be opened: exit 2, named after the program', async () => {
  await studio.stop();
  writeFileSync(path.join(data, 'studio', 'studio.db'), 'no database at all, not even close');
  const { code, stderr } = await say('principal list');
  expect([code, stderr]).toEqual([
    2,
    'specwright: The studio database is not a database. Restore it from a backup or move it away.\n',
  ]);
}, 60_000);
