import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  another,
  createArtifact,
  fixture,
  freshStudios,
  importFile,
  inStore,
  P,
  platform,
  refused,
  sha,
  studio,
} from '../support/studio-world.ts';

freshStudios();

describe('import', () => {
  const post = (body: unknown, headers: Record<string, string> = {}, source = 'n8n') =>
    studio.call('POST', `${P}/import/${source}`, body, headers);

  test('45, 46 AS-062: checks before the importer, in their order (AS-063)', async () => {
    const alias = 'default';
    refused(await post({}), 422, 'raw_required');
    refused(await post({ raw: 5, alias }), 422, 'raw_required');
    refused(await post({ raw: '' }), 422, 'raw_required');
    refused(await post({ raw: 'x'.repeat(1_048_577), alias: 'nope' }), 413, 'source_too_large');
    refused(await post({ raw: '{}' }), 422, 'alias_required');
    refused(await post({ raw: '{}', alias: 'nope' }), 422, 'unknown_alias');
    refused(await post({ raw: '{}', alias }, {}, 'nope'), 404, 'source_unknown');
    const strict = { raw: '{}', alias, conversion: 'strict' };
    refused(await post(strict, {}, 'flowise'), 501, 'not_implemented');
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
    await unbound.rows("UPDATE project_environment SET retired_at = 'x'");
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
          nodes: [start, node('Look up', 'executeCommand', { command: 'ls' })],
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
      ...{ id: name, name, type: 'n8n-nodes-base.salesforce', typeVersion: 1, parameters: {} },
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

  test('50, 56 AS-055, AS-056: the analysis survives a restart; attesting needs an edit (AS-003)', async () => {
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

  test('51 AS-130: a damaged record is quarantined for good and imported anew (AS-080, AS-089)', async () => {
    const result = await importFile('two-agents-sequential');
    const artifact = await createArtifact(result.draft);
    expect(artifact.source_analysis_state).toBe('clear');
    const [{ payload } = { payload: '' }] = await inStore('SELECT payload FROM analysis');
    expect(payload).toMatch(/^kas1\./);
    expect(payload).not.toContain('Gather');
    await inStore('UPDATE analysis SET payload = ?', `${payload.slice(0, -8)}AAAAAAAA`);
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
      principal_taint_used: 1,
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

  test('the map of a project: who calls whom, what is shared, and what one answer frees', async () => {
    const node = (name: string, type: string, more: object = {}) => ({
      ...{
        id: name,
        name,
        type: `n8n-nodes-base.${type}`,
        typeVersion: 1,
        parameters: {},
        ...more,
      },
    });
    const credentials = { slackApi: { id: '7', name: 'Team' } };
    const tell = node('Tell', 'salesforce', { credentials });
    const call = node('Run', 'executeWorkflow', { parameters: { workflowId: 'Refunds' } });
    const text = (name: string, nodes: readonly object[]) =>
      JSON.stringify({ name, nodes: [node('Start', 'manualTrigger'), ...nodes], connections: {} });
    const estate = () => studio.call('GET', `${P}/estate`);
    expect((await estate()).body).toMatchObject({ drafts: [], unread: [], causes: [] });
    const alias = 'default';
    for (const [name, nodes] of [
      ['Desk', [call, tell]],
      ['Refunds', [tell]],
    ] as const) {
      await post({ raw: text(name, nodes), alias, source_name: name });
    }
    const { body } = await estate();
    const [desk, refunds] = ['desk.yaml', 'refunds.yaml'].map((file) => `.studio/drafts/${file}`);
    const [called] = body.calls;
    expect(called).toMatchObject({ from: desk, to: [refunds], kind: 'step', state: 'found' });
    expect(body.credentials).toMatchObject([{ name: 'Team', files: [desk, refunds] }]);
    const slack = body.causes.find((cause: { subject: string }) => cause.subject === 'salesforce');
    expect(slack).toMatchObject({ severity: 'blocking', files: [desk, refunds], gaps: 2 });
    expect(slack.frees).toContain(refunds);
    expect(body.drafts[1]).toMatchObject({ ref: refunds, workflow: { name: 'Refunds' } });

    const [analysisId] = body.drafts.map((draft: { analysis_id: string }) => draft.analysis_id);
    await inStore('DELETE FROM analysis_estate WHERE analysis_id = ?', analysisId);
    const older = (await estate()).body;
    expect(older.drafts[0]).toMatchObject({ ref: desk, has_facts: false });
    expect(older.causes).toEqual(body.causes);
    expect(older.calls).toEqual([]);
    await inStore('UPDATE analysis SET payload = NULL WHERE id = ?', analysisId);
    expect((await estate()).body).toMatchObject({ unread: [desk], calls: [] });
  });

  test('the ledger of an analysis is answered in pages; one without says so', async () => {
    const result = await importFile('agent-as-tool-and-tool-kinds');
    const at = `${P}/analyses/${result.analysis_ids[0]}/ledger`;
    const whole = await studio.call('GET', at);
    expect(whole.status, whole.text).toBe(200);
    const { counts, entries, ...page } = whole.body;
    expect(page).toMatchObject({ state: 'kept', total: entries.length, next_offset: null });
    const told = entries.filter((entry: { fate: string }) => entry.fate === 'told');
    expect(counts.told.entries).toBe(told.length);
    expect((await studio.call('GET', `${at}?fate=told&limit=2`)).body).toMatchObject({
      ...{ counts, total: told.length, offset: 0, next_offset: 2, entries: told.slice(0, 2) },
    });
    const [gap] = told[0].gaps;
    const ofGap = await studio.call('GET', `${at}?gap=${encodeURIComponent(gap)}&what=node`);
    for (const entry of ofGap.body.entries) expect(entry.gaps).toContain(gap);
    const found = await studio.call('GET', `${at}?q=HTTPMETHOD&element=nobody`);
    expect(found.body).toMatchObject({ total: 0, counts });
    expect((await studio.call('GET', `${at}?fate=odd`)).status).toBe(422);

    await inStore('UPDATE analysis_ledger SET payload = NULL');
    expect((await studio.call('GET', at)).body).toMatchObject({ state: 'too_large', total: 0 });
    await inStore('DELETE FROM analysis_ledger');
    expect((await studio.call('GET', at)).body).toMatchObject({ state: 'older', entries: [] });
    const strict = await importFile('no-trigger', { conversion: 'strict' });
    const strictLedger = `${P}/analyses/${strict.analysis_ids[0]}/ledger`;
    const { body: lost } = await studio.call('GET', `${strictLedger}?fate=lost`);
    expect(lost).toMatchObject({ state: 'kept', entries: expect.any(Array) });
    expect(lost.counts.lost.entries).toBe(lost.total);
    refused(await studio.call('GET', `${P}/analyses/none/ledger`), 404, 'analysis_not_found');
  });
});
