// Several analyses of one draft, and freshness of many artifacts (studio.md 8.3, 15).
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Loose } from '../support/platform.ts';
import {
  authored,
  createArtifact,
  fixture,
  freshStudios,
  importFile,
  inStore,
  P,
  refused,
  SPEC,
  sha,
  studio,
  TIME,
} from '../support/studio-world.ts';

freshStudios();

const get = async (route: string) => (await studio.call('GET', `${P}${route}`)).body;
const WITH_BLOCKING = 'etl-without-agent-inline-secret';

/** One draft that two sources make alike: two analyses, two lineages. */
async function twoAnalyses() {
  const first = await importFile(WITH_BLOCKING, { source_name: 'one', conversion: 'strict' });
  const second = await importFile(WITH_BLOCKING, {
    raw: `${fixture(WITH_BLOCKING)}\n`,
    source_name: 'one',
    conversion: 'strict',
  });
  expect(second.draft).toEqual(first.draft);
  return { draft: first.draft, ids: [first.analysis_ids[0], second.analysis_ids[0]], first };
}

async function save(ref: string, text: string, expected_revision: string): Promise<string> {
  const saved = await studio.call('PUT', `${P}/drafts/${ref}`, { text, expected_revision });
  expect(saved.status, saved.text).toBe(200);
  return sha(text);
}

describe('all analyses of a draft or an artifact', () => {
  test('each is told with its importer, time and what of it is open (AS-036, AS-055)', async () => {
    const { draft, ids, first } = await twoAnalyses();
    const entries = await get(`/analysis-entries?ref=${draft.path}`);
    expect(entries.map((entry: Loose) => entry.analysis_id).sort()).toEqual([...ids].sort());
    const gaps = (severity: string) =>
      first.gaps.filter((gap: Loose) => gap.severity === severity).length;
    expect(entries[0]).toEqual({
      analysis_id: ids[1],
      ref: draft.path,
      revision: draft.revision,
      linked: true,
      source: 'n8n',
      conversion: 'strict',
      importer: 'n8n/strict',
      importer_version: expect.stringMatching(/^n8n@/),
      analyzer_version: expect.stringMatching(/^\d/),
      analyzer_age: 'current',
      source_sha256: sha(`${fixture(WITH_BLOCKING)}\n`),
      output_sha256: draft.revision,
      state: 'active',
      record: 'kept',
      superseded_by: null,
      created_at: expect.stringMatching(TIME),
      created_by_display_name: 'Local owner',
      blocking: gaps('blocking'),
      manual: gaps('manual'),
      open_blocking: gaps('blocking'),
      open_manual: gaps('manual'),
      artifact_id: null,
    });
    expect(await get('/analysis-entries')).toEqual(entries);
    const artifact = await createArtifact(draft);
    expect(artifact.analysis_ids).toEqual([...ids].sort());
    const carried = await get(`/analysis-entries?artifact_id=${artifact.id}`);
    expect(carried).toEqual(entries.map((one: Loose) => ({ ...one, artifact_id: artifact.id })));
  });

  test('what one settles is closed in that one alone, at the draft as it is now (AS-044, AS-053)', async () => {
    const { draft, ids, first } = await twoAnalyses();
    const blocking = first.gaps.filter((gap: Loose) => gap.severity === 'blocking');
    const revision = await save(draft.path, `${first.spec_yaml}# seen\n`, draft.revision);
    for (const { ref } of blocking) {
      const answer = await studio.call('POST', `${P}/analyses/${ids[1]}/resolutions`, {
        gap_id: ref.gap_id,
        ref: draft.path,
        expected_revision: revision,
        event: 'attest',
      });
      expect(answer.status, answer.text).toBe(200);
    }
    const open = async () =>
      new Map(
        (await get(`/analysis-entries?ref=${draft.path}`)).map((one: Loose) => [
          one.analysis_id,
          one.open_blocking,
        ]),
      );
    expect((await open()).get(ids[0])).toBe(blocking.length);
    expect((await open()).get(ids[1])).toBe(0);
    await save(draft.path, `${first.spec_yaml}# edited\n`, revision);
    expect((await open()).get(ids[1])).toBe(blocking.length);
  });

  test('acknowledgements count for the artifact asked for, else for the newest that carries it', async () => {
    const { draft, analysis_ids, gaps } = await importFile(WITH_BLOCKING);
    const manual = gaps.filter((gap: Loose) => gap.severity === 'manual');
    expect(manual.length).toBeGreaterThan(0);
    const old = await createArtifact(draft);
    const acknowledged = await studio.call('POST', `${P}/artifacts/${old.id}/acknowledgements`, {
      gap: manual[0].ref,
    });
    expect(acknowledged.status, acknowledged.text).toBe(201);
    const recent = await createArtifact(draft);
    const entry = async (query: string) => (await get(`/analysis-entries?${query}`))[0];
    expect(await entry(`ref=${draft.path}`)).toMatchObject({
      analysis_id: analysis_ids[0],
      artifact_id: recent.id,
      open_manual: manual.length,
    });
    expect(await entry(`artifact_id=${old.id}`)).toMatchObject({
      artifact_id: old.id,
      open_manual: manual.length - 1,
    });
    await studio.call('DELETE', `${P}/artifacts/${recent.id}`);
    expect(await entry(`ref=${draft.path}`)).toMatchObject({ artifact_id: old.id });
    refused(
      await studio.call('GET', `${P}/analysis-entries?artifact_id=${recent.id}`),
      410,
      'artifact_deleted',
    );
    refused(await studio.call('GET', `${P}/analysis-entries?ref=no.yaml`), 404, 'draft_not_found');
  });

  test('damaged, dropped and moved are told, and never refused', async () => {
    const { draft, ids } = await twoAnalyses();
    await inStore("UPDATE analysis SET payload = 'kas1.broken' WHERE id = ?", ids[0]);
    await inStore('UPDATE analysis SET payload = NULL WHERE id = ?', ids[1]);
    refused(await studio.call('GET', `${P}/analyses/${ids[0]}`), 409, 'analysis_quarantined');
    refused(await studio.call('GET', `${P}/analyses/${ids[1]}`), 410, 'analysis_payload_reclaimed');
    rmSync(path.join(studio.root, draft.path));
    const entries = await get(`/analysis-entries?ref=${draft.path}`);
    const told = new Map(entries.map((one: Loose) => [one.analysis_id, one]));
    expect(told.get(ids[0])).toMatchObject({ state: 'quarantined', revision: null });
    expect(told.get(ids[1])).toMatchObject({ record: 'reclaimed', revision: null });
  });
});

describe('assertions', () => {
  test('who and when are told; an edit voids one, visibly (AS-027, AS-054)', async () => {
    const base = await authored('specs/own.yaml', SPEC);
    expect(await get('/assertions?ref=specs/own.yaml')).toEqual([]);
    await studio.call('POST', `${P}/drafts/assertions`, { ref: base });
    const said = {
      ref: base.path,
      revision: base.revision,
      by_display_name: 'Local owner',
      at: expect.stringMatching(TIME),
    };
    expect(await get('/assertions?ref=specs/own.yaml')).toEqual([{ ...said, standing: true }]);
    const revision = await save(base.path, `${SPEC}# more\n`, base.revision);
    expect(await get('/assertions?ref=specs/own.yaml')).toEqual([{ ...said, standing: false }]);
    await studio.call('POST', `${P}/drafts/assertions`, { ref: { ...base, revision } });
    expect(await get('/assertions?ref=specs/own.yaml')).toMatchObject([
      { revision, standing: true },
      { ...said, standing: false },
    ]);
    renameSync(studio.root, `${studio.root}-gone`);
    expect(await get('/assertions?ref=specs/own.yaml')).toMatchObject([
      { standing: false },
      { standing: false },
    ]);
  });
});

describe('freshness of a project', () => {
  test('each artifact is told as its own page tells it, newest first (AS-077, AS-082)', async () => {
    const imported = await importFile('two-agents-sequential');
    const first = await createArtifact(imported.draft);
    await inStore("UPDATE analysis SET analyzer_version = '0.1.0'");
    const older = await get('/freshness');
    expect(older.artifacts).toEqual([
      {
        artifact_id: first.id,
        base_ref: imported.draft.path,
        created_at: first.created_at,
        outcome: 'older',
        readiness: 'clear',
        offers: ['re_import'],
      },
    ]);
    await importFile('two-agents-sequential');
    const second = await createArtifact(imported.draft);
    const mine = await createArtifact(await authored('own.yaml', SPEC));
    const rows = (await get('/freshness')).artifacts;
    expect(rows.map((row: Loose) => [row.artifact_id, row.outcome, row.offers])).toEqual([
      [mine.id, 'no_inherited_analysis', []],
      [second.id, 'current', []],
      [first.id, 'frozen_history', ['re_import', 'open_successor', 'new_artifact']],
    ]);
    for (const { artifact_id, outcome } of rows) {
      expect((await get(`/artifacts/${artifact_id}/freshness`)).outcome).toBe(outcome);
    }
    await studio.call('DELETE', `${P}/artifacts/${first.id}`);
    expect((await get('/freshness')).artifacts).toHaveLength(2);
  });
});
