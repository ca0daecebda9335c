import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DraftAnalysis } from '../../server/studio/imports/analyze-together.ts';
import {
  another,
  fixture,
  freshStudios,
  inStore,
  P,
  platform,
  refused,
  SPEC,
  sha,
  studio,
  write,
} from '../support/studio-world.ts';

freshStudios();

/** A conversion that went well. */
function accepted(raw: string): DraftAnalysis {
  return {
    ok: true,
    spec_yaml: SPEC,
    summary: {
      source: 'n8n',
      workflow_family: null,
      node_count: 0,
      edge_count: 0,
      tool_count: 0,
      credential_count: 0,
      unsupported_count: 0,
    },
    gaps: [],
    suggestions: [],
    importer: 'n8n',
    importer_version: 'n8n@1.0.0',
    analyzer_version: '1.0.0',
    source_sha256: sha(raw),
    output_sha256: sha(SPEC),
    canvas: { nodes: [], edges: [] },
    origin: { id: null, name: null },
    calls: [],
  };
}

describe('limits and faults of an import', () => {
  const post = (body: unknown, headers: Record<string, string> = {}, source = 'n8n') =>
    studio.call('POST', `${P}/import/${source}`, body, headers);

  test('a repair of many drafts is remembered for the project, sealed, and can be forgotten', async () => {
    const repair = {
      ...{ cause: 'c1', fix: 'choose_model', title: 'Choose the model' },
      values: { provider: 'openai', name: 'planted-model-name' },
      workflows: ['name Desk'],
    };
    const made = await studio.call('POST', `${P}/repairs`, repair);
    expect(made.status, made.text).toBe(201);
    const more = await studio.call('POST', `${P}/repairs`, { ...repair, workflows: ['id 7'] });
    expect(more.body).toMatchObject({ id: made.body.id, workflows: ['id 7', 'name Desk'] });
    await studio.call('POST', `${P}/repairs`, { ...repair, values: {} });
    const list = await studio.call('GET', `${P}/repairs`);
    expect(list.body).toHaveLength(2);
    expect(list.body).toContainEqual(more.body);
    const repairs = JSON.stringify(await inStore('SELECT * FROM repair'));
    const audit = JSON.stringify(
      await inStore("SELECT * FROM audit WHERE action = 'record_repair'"),
    );
    expect(`${repairs}${audit}`).not.toContain('planted-model-name');
    const gone = await studio.call('DELETE', `${P}/repairs/${made.body.id}`);
    expect(gone.status).toBe(204);
    expect((await studio.call('GET', `${P}/repairs`)).body).toHaveLength(1);
    refused(
      await studio.call('POST', `${P}/repairs`, { ...repair, note: '' }),
      422,
      'request_invalid',
    );
    refused(
      await studio.call('POST', `${P}/repairs`, { ...repair, workflows: [] }),
      422,
      'request_invalid',
    );
    const unknown = await studio.call('POST', '/api/projects/nobody/repairs', repair);
    refused(unknown, 404, 'project_not_found');
  });

  test('a folder of 2,000 files goes through: a principal’s cap counts each draft for itself', async () => {
    const source = (index: number, note: string) =>
      JSON.stringify({
        name: `Flow ${index}`,
        meta: { instanceId: note },
        nodes: [
          {
            ...{ id: 'a', name: `Step ${index}`, type: 'n8n-nodes-base.code', typeVersion: 2 },
            ...{ position: [0, 0], parameters: { jsCode: 'return items' } },
          },
        ],
        connections: {},
      });
    const send = (index: number, note = '') =>
      post({ raw: source(index, note), alias: 'default', source_name: `flow-${index}` });
    expect((await send(1)).status).toBe(201);
    const hash = `'${'0'.repeat(60)}' || (n + 1000)`;
    await inStore(`WITH RECURSIVE count (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM count WHERE n < 1999)
      INSERT INTO analysis SELECT ${hash}, project_id, source, ${hash}, importer,
        importer_version, analyzer_version, ${hash}, repair_generation, state,
        superseded_by, blocking_gap_ids, manual_gap_ids, payload, created_at, created_by
      FROM analysis, count`);
    expect((await send(2_000)).status).toBe(201);
    const limits = await studio.call('GET', `${P}/limits`);
    expect(limits.body).toMatchObject({
      ...{ taint_used: 2_000, taint_cap: 10_000, retained_used: 2_000 },
      ...{ principal_taint_used: 1, principal_taint_cap: 1000 },
    });

    await inStore('INSERT INTO analysis_cap VALUES (?, 10000, 2, 100000)', 'default');
    expect((await send(1, 'another export of it')).status).toBe(201);
    const full = await send(1, 'a third one');
    refused(full, 409, 'analysis_taint_full');
    expect(full.body.details).toEqual({ scope: 'principal', used: 2, cap: 2 });
    expect((await send(2_001)).status).toBe(201);
  });

  test('93: a record over 8 MiB is refused and nothing is written', async () => {
    const big = await another(platform.url, {
      analyze: async ({ raw }) => ({
        ...accepted(raw),
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
        kept: Promise.resolve({ hasLedger: false, ledger: null, estate: null }),
      }),
    });
    const answer = await big.call('POST', `${P}/import/n8n`, { raw: '{}', alias: 'default' });
    refused(answer, 413, 'analysis_too_large', { limit_bytes: 8 * 1024 * 1024 });
    expect(existsSync(path.join(big.root, '.studio'))).toBe(false);
  });

  test('what is kept beside a draft fails: the import is refused and its draft is gone', async () => {
    const late = await another(platform.url, {
      analyze: async ({ raw }) => ({
        ...accepted(raw),
        kept: Promise.resolve({
          ...{ ok: false, status: 413, code: 'source_too_complex', message: 'It takes too long.' },
        }),
      }),
    });
    const answer = await late.call('POST', `${P}/import/n8n`, { raw: '{}', alias: 'default' });
    refused(answer, 413, 'source_too_complex');
    expect(readdirSync(path.join(late.root, '.studio/drafts'))).toEqual([]);
    expect((await late.call('GET', `${P}/drafts`)).body).toEqual([]);
  });

  test('an import that cannot be written leaves nothing; one that was cut off is undone at start', async () => {
    writeFileSync(path.join(studio.root, '.studio'), 'a file where the folder should be');
    const body = { raw: fixture('two-agents-sequential'), alias: 'default' };
    refused(await post(body), 500, 'draft_write_failed');
    rmSync(path.join(studio.root, '.studio'));
    expect((await studio.call('GET', `${P}/drafts`)).body).toEqual([]);
    await studio.stop();
    write('.studio/drafts/half.yaml', SPEC);
    await inStore(
      "INSERT INTO tree_operation VALUES ('op', 'default', ?, ?, 'now')",
      '.studio/drafts/half.yaml',
      sha(SPEC),
    );
    await studio.restart();
    expect(existsSync(path.join(studio.root, '.studio/drafts/half.yaml'))).toBe(false);
  });
});
