import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  clock,
  dashboard,
  folder,
  freshDashboards,
  get,
  platform,
  run,
  runPage,
  send,
} from '../support/dashboard-world.ts';
import type { Loose } from '../support/platform.ts';

freshDashboards();

describe('what the window shows beside the contract', () => {
  test('notes with a tag are listed over all runs, newest first', async () => {
    const to = dashboard();
    const note = (run: string, tags: string[]) =>
      send(to, 'POST', `/api/runs/${run}/annotations`, { body: `on ${run}`, tags });
    await note('r1', ['dealt-with']);
    await note('r2', ['dealt_with']);
    await note('r3', ['other', 'dealt-with']);
    const { body } = await get(to, '/api/annotations?tag=dealt-with');
    expect(body.map((row: Loose) => row.run_id).sort()).toEqual(['r1', 'r3']);
    expect((await get(to, '/api/annotations?tag=dealt_with')).body).toHaveLength(1);
    expect((await get(to, '/api/annotations')).status).toBe(422);
    // A tag that is only like it takes no place of one that is asked for.
    clock.now += 1000;
    await note('r4', ['DEALT_WITH', 'dealt with', 'dealtxwith']);
    const one = await get(to, '/api/annotations?tag=dealt_with&limit=1');
    expect(one.body.map((row: Loose) => row.run_id)).toEqual(['r2']);
  });

  test('notes of runs elsewhere are kept from a role that is limited to some environments', async () => {
    const databaseFile = path.join(folder, 'd.db');
    const admin = dashboard({ databaseFile });
    await send(admin, 'PUT', '/api/settings/connections/dev', { version: 0 });
    const notes = ['here', 'elsewhere', 'here-too'];
    for (const id of notes) {
      const note = { body: `on ${id}`, tags: ['t'] };
      await send(admin, 'POST', `/api/runs/${id}/annotations`, note);
    }
    platform.on('GET /v1/runs/here', { body: run({ run_id: 'here' }) });
    platform.on('GET /v1/runs/here-too', { body: run({ run_id: 'here-too' }) });
    const grants = { environments: { viewer: ['dev'] }, version: 0 };
    await send(admin, 'PUT', '/api/settings/access/environments', grants);
    expect((await get(admin, '/api/annotations?tag=t')).body).toHaveLength(3);
    expect(platform.calls).toEqual([]);

    const viewer = dashboard({ databaseFile, env: { DASH_STATIC_OPERATOR_ROLE: 'viewer' } });
    const tagged = (headers: Record<string, string> = {}) =>
      get(viewer, '/api/annotations?tag=t', headers);
    expect((await tagged()).status).toBe(403);
    const seen = await tagged({ 'x-kneo-env': 'dev' });
    expect(seen.body.map((row: Loose) => row.run_id).sort()).toEqual(['here', 'here-too']);
    clock.now += 1000;
    await send(admin, 'POST', '/api/runs/elsewhere/annotations', { body: 'newer', tags: ['t'] });
    const first = await get(viewer, '/api/annotations?tag=t&limit=1', { 'x-kneo-env': 'dev' });
    expect(first.body).toHaveLength(1);
    // What a platform has is asked once.
    const asked = platform.calls.length;
    await tagged({ 'x-kneo-env': 'dev' });
    expect(platform.calls).toHaveLength(asked);
    // A platform that does not answer says nothing about where a run is.
    platform.on('GET /v1/runs/new', { status: 503, body: {} });
    await send(admin, 'POST', '/api/runs/new/annotations', { body: 'x', tags: ['t'] });
    expect((await tagged({ 'x-kneo-env': 'dev' })).status).toBeGreaterThan(500);
  });

  test('an environment whose name no header carries is named in the query', async () => {
    platform.on('GET /v1/runs', { body: runPage([]) });
    const to = dashboard();
    const env = encodeURIComponent('生产');
    await send(to, 'PUT', `/api/settings/connections/${env}`, { version: 0 });
    expect((await get(to, `/api/runs?env=${env}`)).status).toBe(200);
    expect((await get(to, '/api/runs?env=other')).status).toBe(400);
  });

  test('who needs which credential is told as far as the platform says it (OD-048)', async () => {
    const none = { available: false, runs_looked_at: 0, runs_left_out: 0, needs: [] };
    expect((await get(dashboard(), '/api/credentials/needs')).body).toEqual(none);
    const workflow = { name: 'triage', runs: 2, last_run_id: 'r1', last_created_at: 'now' };
    platform.on('GET /v1/security/credentials/needs', {
      body: {
        runs_looked_at: 2,
        needs: [
          { env_var: 'A_KEY', present: false, value: 'sk-1', runs: 2, workflows: [workflow] },
        ],
      },
    });
    const { body } = await get(dashboard(), '/api/credentials/needs');
    expect(body).toMatchObject({ available: true, runs_looked_at: 2, runs_left_out: 0 });
    expect(body.needs).toEqual([
      {
        ...{ env_var: 'A_KEY', provider: null, title: null, present: false, usable: false },
        ...{ runs: 2, workflows: [{ name: 'triage', agent_name: '', runs: 2, last_run_id: 'r1' }] },
      },
    ]);
    const shut = dashboard({ env: { DASH_STATIC_OPERATOR_ROLE: 'viewer' } });
    expect((await get(shut, '/api/credentials/needs')).status).toBe(403);
  });

  test('an environment keeps its colour until somebody says otherwise (OD-126)', async () => {
    const to = dashboard();
    const put = async (body: object) =>
      await send(to, 'PUT', '/api/settings/connections/dev', body);
    expect((await put({ version: 0 })).body.color).toBe(null);
    expect((await put({ version: 1, color: 'teal' })).body.color).toBe('teal');
    expect((await put({ version: 2, label: 'Development' })).body.color).toBe('teal');
    expect((await put({ version: 3, color: 'url(x)' })).status).toBe(422);
    expect((await put({ version: 3, color: null })).body.color).toBe(null);
    expect((await get(to, '/api/settings/connections')).body[0]).toMatchObject({ color: null });
  });

  test('a run gets another spec only from those who may start one', async () => {
    const to = dashboard({ env: { DASH_STATIC_OPERATOR_ROLE: 'operator' } });
    expect((await get(to, '/api/me')).body.capabilities).toContain('run.control');
    for (const path of ['recover', 'recover/check']) {
      const refused = await send(to, 'POST', `/api/runs/r1/${path}`, { spec: {} });
      expect([path, refused.status, refused.body.code]).toEqual([path, 403, 'forbidden']);
    }
    expect(platform.calls).toEqual([]);
  });

  test('spend is parted by day, workflow and model when asked for; a model may have a price', async () => {
    const to = dashboard();
    const priced = await send(to, 'PUT', '/api/settings/pricing', {
      ...{ blended_per_1k: 1, currency: 'USD', version: 0, budget_per_day: 5 },
      models: [{ model: 'gpt-5', input_per_1k: 2, output_per_1k: 10 }],
    });
    expect(priced.body).toMatchObject({ budget_per_day: 5, version: 1 });
    const again = await send(to, 'PUT', '/api/settings/pricing', {
      ...{ blended_per_1k: 1, currency: 'USD', version: 1 },
    });
    expect(again.body.models).toEqual(priced.body.models);
    const frozen = (...names: string[]) => ({
      base: { components: { agents: names.map((name) => ({ model: { provider: 'p', name } })) } },
    });
    const used = { input_tokens: 1000, output_tokens: 500, total_tokens: 1500 };
    platform.on('GET /v1/runs', {
      body: runPage([
        run({ workflow_name: 'a', metadata: { usage: used, frozen_spec: frozen('gpt-5') } }),
        run({ workflow_name: 'b', metadata: { usage: used, frozen_spec: frozen('gpt-5', 'x') } }),
        run({ workflow_name: 'a', metadata: { usage: used } }),
        run({ workflow_name: null, agent_name: 'desk', metadata: {} }),
        run({ workflow_name: null, agent_name: 'desk', metadata: { spec_path: 'x/mail.yaml' } }),
      ]),
    });
    const { body } = await get(to, '/api/spend?window=24h&parts=true');
    expect(body.total_cost_usd).toBe(10);
    expect(body.by_workflow).toEqual([
      { key: 'a', runs: 2, tokens: 3000, cost_usd: 8.5 },
      { key: 'b', runs: 1, tokens: 1500, cost_usd: 1.5 },
      { key: '', name: 'desk', runs: 1, tokens: 0, cost_usd: 0 },
      { key: '', name: 'mail', runs: 1, tokens: 0, cost_usd: 0 },
    ]);
    expect(body.by_model).toEqual([
      { key: 'gpt-5', runs: 1, tokens: 1500, cost_usd: 7 },
      { key: '', runs: 4, tokens: 3000, cost_usd: 3 },
    ]);
    expect(body.by_day.reduce((sum: number, day: Loose) => sum + day.runs, 0)).toBe(5);
    expect((await get(to, '/api/spend?window=24h')).body.by_day).toBeUndefined();
  });

  test('activity counts the runs of each hour by how they stand (dashboard screens, Overview)', async () => {
    platform.on('GET /v1/runs', {
      body: runPage([run({ status: 'failed' }), run({ status: 'blocked' }), run({})], 1200),
    });
    const { body } = await get(dashboard(), '/api/activity?hours=3');
    expect(body.hours).toHaveLength(3);
    expect(
      body.hours.map(({ created, failed, blocked }: Loose) => [created, failed, blocked]),
    ).toEqual([
      [0, 0, 0],
      [3, 1, 1],
      [0, 0, 0],
    ]);
    expect(body).toMatchObject({ counted: 3, total: 1200, truncated: false });
    expect((await get(dashboard(), '/api/activity?hours=200')).status).toBe(422);
  });
});
