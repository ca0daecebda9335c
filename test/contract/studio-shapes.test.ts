// What the answers of the studio hold, member by member (studio.md 6 to 15).
import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startFakePlatform } from '../support/fake-platform.ts';
import type { Loose } from '../support/platform.ts';
import {
  authored,
  createArtifact,
  fakes,
  fixture,
  freshStudios,
  importFile,
  inStore,
  P,
  readyArtifact,
  refused,
  SPEC,
  STEPS,
  studio,
  TIME,
} from '../support/studio-world.ts';

freshStudios();

const names = (value: Loose) => Object.keys(value).sort();
const get = async (route: string) => (await studio.call('GET', `${P}${route}`)).body;

describe('drafts', () => {
  test('a summary has eight members; analyses and revision are those of the bytes (AS-023, AS-024, AS-025)', async () => {
    const imported = await importFile('two-agents-sequential');
    const [summary] = await get('/drafts');
    expect(summary).toEqual({
      ref: imported.draft.path,
      kind: 'spec',
      capabilities: 'read_write',
      registered_at: expect.stringMatching(TIME),
      revision: imported.draft.revision,
      analysis_ids: imported.analysis_ids,
      can_assert_not_applicable: false,
      not_applicable_asserted: false,
    });
    await studio.call('PUT', `${P}/drafts/${imported.draft.path}`, {
      text: SPEC,
      expected_revision: imported.draft.revision,
    });
    expect((await get('/drafts'))[0].analysis_ids).toEqual(imported.analysis_ids);
    rmSync(path.join(studio.root, imported.draft.path));
    expect((await get('/drafts'))[0]).toMatchObject({ revision: null });
  });

  test('a draft is named by path and revision, both; an exposure is confirmed by its digest (AS-020, AS-021, AS-097)', async () => {
    const missing = async (route: string, body: unknown) => {
      const answer = await studio.call('POST', `${P}${route}`, body);
      refused(answer, 422, 'request_invalid');
      return answer.body.details.errors.map((error: Loose) => [error.loc.join('.'), error.type]);
    };
    expect(await missing('/artifacts', { base: {}, alias: 'default' })).toEqual([
      ['body.base.path', 'missing'],
      ['body.base.revision', 'missing'],
    ]);
    expect(await missing('/drafts/assertions', { ref: {} })).toEqual([
      ['body.ref.path', 'missing'],
      ['body.ref.revision', 'missing'],
    ]);
    expect(await missing('/exposure/confirm', {})).toEqual([['body.exposure_digest', 'missing']]);
  });
});

describe('imports', () => {
  test('gaps, suggestions and summary of an import (AS-003, AS-044, AS-046, AS-047, AS-058, AS-059, AS-064, AS-074, AS-075)', async () => {
    const result = await importFile('etl-without-agent-inline-secret', { conversion: 'strict' });
    expect(names(result)).toEqual([
      'analysis_ids',
      'artifact',
      'draft',
      'gaps',
      'portability',
      'spec_yaml',
      'suggestions',
      'summary',
    ]);
    expect([result.artifact, result.portability]).toEqual([null, null]);
    const counts = ['node', 'edge', 'tool', 'credential', 'unsupported'].map((of) => `${of}_count`);
    expect(names(result.summary)).toEqual([...counts, 'source', 'workflow_family'].sort());
    for (const gap of result.gaps) {
      expect(names(gap)).toEqual(
        ['detail', 'kind', 'ref', 'severity', 'source_ref', 'spec_ref', 'title'].sort(),
      );
      expect(names(gap.ref)).toEqual(['analysis_id', 'gap_id']);
      expect(gap.ref.analysis_id).toBe(result.analysis_ids[0]);
      expect(names(gap.source_ref)).toEqual(['locator', 'source_id', 'source_label']);
    }
    const pairs = result.gaps.map(({ ref }: Loose) => `${ref.analysis_id} ${ref.gap_id}`);
    expect(new Set(pairs).size).toBe(pairs.length);
    const other = await importFile('two-agents-sequential');
    const severities = [...result.gaps, ...other.gaps].map(({ severity }: Loose) => severity);
    expect([...new Set(severities)].sort()).toEqual(['blocking', 'info', 'manual']);
    expect(result.suggestions.length).toBeGreaterThan(0);
    for (const suggestion of result.suggestions) {
      expect(names(suggestion)).toEqual(
        ['category', 'detail', 'id', 'rationale', 'spec_ref', 'title'].sort(),
      );
    }
    const family = async (name: string) => (await importFile(name)).summary.workflow_family;
    expect(await family('two-agents-sequential')).toBe('sequential');
    expect(await family('if-between-agents')).toBe('graph');
    const related = (await get(`/analyses/${result.analysis_ids[0]}`)).related_refs;
    expect(related.map(names)).toEqual([
      ['availability', 'can_attest', 'path', 'revision', 'standing_attestations'],
    ]);
  });

  test('the sources are listed with what each takes, to anybody (AS-065, AS-066)', async () => {
    const { body } = await studio.call('GET', '/api/import/sources');
    for (const source of body.sources) {
      expect(names(source)).toEqual(['accepts', 'id', 'label', 'status']);
      expect(['supported', 'experimental', 'planned']).toContain(source.status);
      const raw = fixture('two-agents-sequential');
      const answer = await studio.call('POST', `${P}/import/${source.id}`, {
        raw,
        alias: 'default',
      });
      const refusals = ['not_implemented', 'source_unknown'];
      expect(refusals.includes(answer.body.code), source.id).toBe(source.status === 'planned');
    }
    expect(body.sources.map(({ id }: Loose) => id)).toEqual(
      expect.arrayContaining(['n8n', 'dify']),
    );
  });
});

describe('freshness', () => {
  async function exportable(name = 'two-agents-sequential') {
    const { draft, analysis_ids } = await importFile(name);
    const artifact = await createArtifact(draft);
    const at = `/artifacts/${artifact.id}`;
    for (const gap of artifact.unacknowledged_manual_gaps)
      await studio.call('POST', `${P}${at}/acknowledgements`, { gap });
    return { at, draft, analysis: analysis_ids[0], id: artifact.id };
  }
  const olderAnalyzer = (version: string) =>
    inStore('UPDATE analysis SET analyzer_version = ?', version);

  test('a view names components and lineages with all that decides them (AS-082, AS-083, AS-084)', async () => {
    const { at, draft, analysis, id } = await exportable();
    const view = await get(`${at}/freshness`);
    expect(view).toEqual({
      artifact_id: id,
      legacy_coverage_rule: false,
      outcome: 'current',
      readiness: 'clear',
      running_analyzer_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      components: [
        {
          edited_revision: false,
          outcome: 'current',
          position: 0,
          ref: draft.path,
          revision: draft.revision,
          lineages: [
            {
              age: 'current',
              carried: [
                {
                  age: 'current',
                  analysis_id: analysis,
                  analyzer_version: view.running_analyzer_version,
                  importer_version: expect.stringMatching(/^n8n@/),
                  state: 'active',
                  superseded_by: null,
                },
              ],
              elected_analysis_id: analysis,
              elected_in_frozen_set: true,
              importer: 'n8n',
              invalid: false,
              offers: [],
              ordered: true,
              outcome: 'current',
              output_sha256: draft.revision,
              source_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
            },
          ],
        },
      ],
    });
  });

  test('it advises and never refuses; what it offers is decided when it is done (AS-009, AS-057, AS-078, AS-091)', async () => {
    const { at, analysis } = await exportable();
    for (const [version, age] of [
      ['0.0.1', 'older'],
      ['999.0.0', 'newer'],
      ['soon', 'unknown'],
    ] as const) {
      await olderAnalyzer(version);
      expect((await get(`/analyses/${analysis}`)).analyzer_age).toBe(age);
    }
    await olderAnalyzer('0.0.1');
    const before = await get(`${at}/freshness`);
    expect(before).toMatchObject({ outcome: 'older', readiness: 'clear' });
    expect(before.components[0].lineages[0].offers).toMatchObject([{ kind: 're_import' }]);
    expect((await studio.call('GET', `${P}${at}/export`)).status).toBe(200);
    const again = await importFile('two-agents-sequential');
    expect(again.analysis_ids).not.toEqual([analysis]);
    const after = await get(`${at}/freshness`);
    expect(after.components[0].lineages[0]).toMatchObject({
      outcome: 'frozen_history',
      elected_analysis_id: again.analysis_ids[0],
    });
    expect((await studio.call('GET', `${P}${at}/export`)).status).toBe(200);
  });

  test('sources that give the same draft are lineages of their own (AS-085, AS-086)', async () => {
    const raw = fixture('two-agents-sequential');
    const first = await importFile('two-agents-sequential', { source_name: 'one' });
    const second = await importFile('two-agents-sequential', {
      raw: `${raw}\n`,
      source_name: 'one',
    });
    expect(second.spec_yaml).toBe(first.spec_yaml);
    expect(second.analysis_ids).not.toEqual(first.analysis_ids);
    const artifact = await createArtifact(second.draft);
    const [component] = (await get(`/artifacts/${artifact.id}/freshness`)).components;
    const keys = component.lineages.map((lineage: Loose) => [
      lineage.importer,
      lineage.output_sha256,
      lineage.source_sha256,
    ]);
    expect(keys).toHaveLength(2);
    expect(keys[0].slice(0, 2)).toEqual(keys[1].slice(0, 2));
    expect(keys[0][2]).not.toBe(keys[1][2]);
  });
});

describe('projects, runs and drawings', () => {
  test('projects, roles and test runs, whose run is read as it stands (AS-076, AS-115, AS-116, AS-117)', async () => {
    const project = await get('');
    expect(names(project)).toEqual(
      ['binding_state', 'created_at', 'id', 'name', 'role', 'storage_kind'].sort(),
    );
    expect(['owner', 'editor', 'viewer']).toContain(project.role);
    const artifact = await readyArtifact();
    const fake = await startFakePlatform();
    fakes.push(fake);
    await studio.restart({ platform: { url: fake.url } });
    fake.on('GET /v1/healthz', { body: { version: '1.2.0' } });
    fake.on('POST /v1/specs/run', { status: 202, body: { run_id: 'r1', status: 'queued' } });
    fake.on('GET /v1/runs/*', {
      body: { run_id: 'r1', status: 'completed', output_text: 'o', usage: { input_tokens: 3 } },
    });
    const body = { artifact_id: artifact.id, input: 'hi' };
    const begun = await studio.call('POST', `${P}/test-runs`, body);
    expect(await get(`/test-runs/${begun.body.id}`)).toEqual({
      id: begun.body.id,
      status: 'started',
      artifact_id: artifact.id,
      platform_run_id: 'r1',
      platform: {
        error: null,
        output_text: 'o',
        status: 'completed',
        usage: { input_tokens: 3, output_tokens: 0, total_tokens: 0 },
      },
      created_at: expect.stringMatching(TIME),
      updated_at: expect.stringMatching(TIME),
    });
    const error = { type: 'RuntimeError', message: 'm' };
    fake.on('GET /v1/runs/*', { body: { run_id: 'r1', status: 'failed', error } });
    expect(await get(`/test-runs/${begun.body.id}`)).toMatchObject({
      status: 'started',
      platform: { error, output_text: null, status: 'failed', usage: null },
    });
  });

  test('a verdict is asked for by the artifact alone (AS-041)', async () => {
    const artifact = await readyArtifact();
    for (const stage of ['validate', 'compile', 'policy-report', 'graph']) {
      const ask = (more: object) =>
        studio.call('POST', `${P}/specs/${stage}`, { artifact_id: artifact.id, ...more });
      expect((await ask({})).status, stage).toBe(200);
      for (const more of [{ alias: 'default' }, { draft: artifact.base }, { overlays: [] }]) {
        refused(await ask(more), 422, 'request_invalid');
      }
    }
  });

  test('a drawing is the one that the platform gives, not one read from the text (AS-015, AS-119, AS-124, AS-125)', async () => {
    const artifact = await createArtifact(await authored('flow.yaml', STEPS));
    const fake = await startFakePlatform();
    fakes.push(fake);
    await studio.restart({ platform: { url: fake.url } });
    const node = (id: string) => ({ id, kind: 'agent', name: id });
    fake.on('POST /v1/specs/graph', {
      body: {
        workflow_name: 'other',
        workflow_kind: 'graph',
        start: 'x',
        max_steps: 5,
        nodes: [node('x'), node('y')],
        edges: [
          { source: 'x', target: 'y', label: 'said yes', conditional: false, priority: 3 },
          { source: 'x', target: 'y', label: null, conditional: true },
          { source: 'y', target: 'x' },
        ],
      },
    });
    const { body } = await studio.call('POST', `${P}/specs/graph`, { artifact_id: artifact.id });
    expect(body).toMatchObject({ available: true, workflow_kind: 'graph', start: 'x' });
    expect(body.nodes.map(({ id }: Loose) => id)).toEqual(['x', 'y']);
    expect(body.edges).toEqual([
      { source: 'x', target: 'y', label: 'said yes', conditional: false },
      { source: 'x', target: 'y', label: null, conditional: true },
      { source: 'y', target: 'x', label: null, conditional: false },
    ]);
  });
});
