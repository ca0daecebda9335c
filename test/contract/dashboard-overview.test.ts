import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  dashboard,
  folder,
  freshDashboards,
  get,
  platform,
  runPage,
  send,
} from '../support/dashboard-world.ts';
import { failure } from '../support/fake-platform.ts';
import type { Loose } from '../support/platform.ts';

freshDashboards();

describe('overview, health, audit', () => {
  test('75 tiles are totals of the filtered lists; failures are not zeros (OD-075 to OD-077)', async () => {
    const totals: Record<string, number> = { running: 2, blocked: 1, failed: 3, '': 12 };
    platform.on('GET /v1/runs', ({ query }) => ({
      body: runPage([], totals[query['status'] ?? ''] ?? 0),
    }));
    platform.on('GET /v1/human-tasks', { body: { tasks: [], total: 1 } });
    platform.on('GET /v1/readyz', failure(503, 'not_ready'));
    const to = dashboard({ env: { DASH_GRAFANA_URL: 'http://g' } });
    const { body } = await get(to, '/api/overview');
    expect(body.tiles.map((tile: Loose) => [tile.key, tile.value, tile.tone])).toEqual([
      ['running', 2, 'info'],
      ['blocked', 1, 'warn'],
      ['failed', 3, 'error'],
      ['pending_hitl', 1, 'warn'],
      ['total', 12, 'neutral'],
    ]);
    expect(body).toMatchObject({ ready: false, error_rate: 0.25, grafana_url: 'http://g' });
    platform.on('GET /v1/human-tasks', failure(403, 'forbidden'));
    expect((await get(to, '/api/overview')).status).toBe(403);
  });

  test('health merges what failing probes say (OD-027, OD-162)', async () => {
    platform.on('GET /v1/livez', {
      body: { ok: true, service: 'p', version: '1.2.0', metadata: { status: 'alive' } },
    });
    platform.on('GET /v1/readyz', {
      status: 503,
      body: {
        detail: {
          error: 'not_ready',
          message: 'm',
          metadata: {
            checks: {
              queue: { name: 'queue', ok: false, status: 'full' },
              api: { status: 'ready' },
            },
          },
        },
      },
    });
    platform.on('GET /v1/healthz', { body: { ok: true, metadata: { status: 'healthy' } } });
    const { body } = await get(dashboard(), '/api/health');
    expect(body).toEqual({
      address: platform.url,
      service: 'p',
      version: '1.2.0',
      probes: { livez: true, readyz: false, healthz: true },
      subsystems: [
        { name: 'queue', ok: false, degraded: false, detail: 'full', checked_age: '—' },
        { name: 'api', ok: true, degraded: false, detail: 'ready', checked_age: '—' },
      ],
    });
  });

  test('the platform audit is newest first; empty filters are none (OD-043, OD-066)', async () => {
    platform.on('GET /v1/audit-events', {
      body: { events: [{ id: 'a', event_type: 'run.created', created_at: 't' }], total: 1 },
    });
    const { body } = await get(dashboard(), '/api/audit?event_type=&run_id=r1');
    expect(platform.calls[0]?.query).toEqual({
      run_id: 'r1',
      sort_by: 'created_at',
      sort_order: 'desc',
      limit: '50',
      offset: '0',
    });
    expect(body.rows[0]).toEqual({
      id: 'a',
      event_type: 'run.created',
      run_id: null,
      continuation_id: null,
      actor: null,
      created_at: 't',
      metadata: {},
      operator: null,
    });
  });
});

describe('static UI and metrics', () => {
  test('66 metrics need a long token (OD-021 to OD-023)', async () => {
    expect((await get(dashboard(), '/metrics')).status).toBe(404);
    const token = 't'.repeat(32);
    const to = dashboard({ env: { DASH_METRICS_TOKEN: token } });
    const refused = await get(to, '/metrics');
    expect(refused.status).toBe(401);
    expect(refused.headers['www-authenticate']).toBe('Bearer');
    await get(to, '/api/me');
    await get(to, '/api/none');
    const { body } = await get(to, '/metrics', { authorization: `Bearer ${token}` });
    expect(body).toContain('dash_build_info{version=');
    expect(body).toContain(
      'dash_http_requests_total{method="GET",route="/api/me",status_class="2xx"} 1',
    );
    expect(body).toContain('route="__unmatched__",status_class="4xx"');
    expect(body).toContain('dash_store_rows{table="audit_log"} 0');
    expect(body).toContain('dash_store_reachable 1');
    expect(body).not.toContain('dash_store_state_bytes');
  });

  test('67 deep links get the index, nothing leaves the folder, /api never falls through (OD-001, OD-004)', async () => {
    const ui = path.join(folder, 'ui');
    mkdirSync(path.join(ui, 'assets'), { recursive: true });
    writeFileSync(path.join(ui, 'index.html'), '<html>ui</html>');
    writeFileSync(path.join(ui, 'assets', 'x.js'), 'x');
    writeFileSync(path.join(folder, 'secret.txt'), 'hush');
    const to = dashboard({ spaDir: ui });
    const deep = await get(to, '/runs/abc');
    expect(deep).toMatchObject({ status: 200, body: '<html>ui</html>' });
    expect(deep.headers['cache-control']).toBe('no-cache');
    expect((await get(to, '/..%2fsecret.txt')).body).toBe('<html>ui</html>');
    const asset = await get(to, '/assets/x.js');
    expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(asset.headers['content-type']).toMatch(/javascript; charset=utf-8$/i);
    symlinkSync(path.join(folder, 'secret.txt'), path.join(ui, 'link.txt'));
    expect((await get(to, '/link.txt')).body).toBe('<html>ui</html>');
    expect((await get(to, '/assets/none.js')).status).toBe(404);
    expect((await get(to, '/api/none')).body).toMatchObject({ code: 'not_found' });
    expect((await get(to, '/api/launch/load')).status).toBe(405);
    expect((await send(to, 'POST', '/runs', {})).status).toBe(405);
  });

  test('the page says whose address it is; what programs ask gets no page (OD-001)', async () => {
    const ui = path.join(folder, 'told');
    mkdirSync(ui, { recursive: true });
    writeFileSync(path.join(ui, 'index.html'), '<html><head><title>w</title></head></html>');
    const said = /<meta name="specwright-served" content="([^"]*)" \/><title>/;
    const declared = async (to: ReturnType<typeof dashboard>): Promise<unknown> => {
      const [, content = ''] = said.exec((await get(to, '/operate/audit')).body) ?? [];
      return JSON.parse(content.replaceAll('&quot;', '"'));
    };
    const open = dashboard({ spaDir: ui });
    expect(await declared(open)).toEqual({
      service: 'dashboard',
      sign_in: 'none',
      provider: null,
    });
    expect(await declared(dashboard({ spaDir: ui, requireKey: 'k' }))).toMatchObject({
      sign_in: 'key',
    });
    for (const at of ['/dashboard/api/me', '/platform/v1/runs', '/studio/api/me', '/v1/runs']) {
      const answer = await get(open, at, { accept: 'text/html' });
      expect([at, answer.status, answer.body.code]).toEqual([at, 404, 'not_found']);
      expect((await send(open, 'POST', at, {})).status).toBe(404);
    }
    expect((await get(open, '/gateway/status')).headers['content-type']).toMatch(/json/);
  });

  test('without a built UI only /api is served', async () => {
    expect((await get(dashboard({ spaDir: folder }), '/')).status).toBe(404);
  });
});
