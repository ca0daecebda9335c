import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startFakePlatform } from '../support/fake-platform.ts';
import {
  auditRows,
  authored,
  createArtifact,
  fakes,
  freshStudios,
  importFile,
  P,
  readyArtifact,
  refused,
  register,
  SPEC,
  STEPS,
  sha,
  studio,
  TIME,
  write,
} from '../support/studio-world.ts';

freshStudios();

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

  test('52, 53, 54, 55 AS-050 to AS-053: the log decides, at one exact revision (AS-007, AS-045)', async () => {
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
    expect(log[0].at).toMatch(TIME);
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

  test('61, 62, 65 AS-037, AS-129: states of an artifact, and what a retraction does (AS-039, AS-081)', async () => {
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

  test('63 AS-048, AS-049: acknowledging manual gaps (AS-007, AS-038, AS-131)', async () => {
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
      acknowledged_at: expect.stringMatching(TIME),
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

  test('58, 59, 60, 92, 99 AS-031 to AS-036: hashes, merge and view (AS-005, AS-040)', async () => {
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
      ['GET', '/composition', undefined],
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

  test('66, 67, 102 AS-013, AS-042: export of frozen bytes, also when the draft is gone (AS-006, AS-132)', async () => {
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
    const rows = (await auditRows()).filter((row) =>
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

  test('72 AS-010, AS-068, AS-071: the gate of the binding, and what cannot travel (AS-067, AS-147, AS-149)', async () => {
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
    expect([artifact.alias_generation, strict.alias_generation]).toEqual([1, 2]);
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

  test('decisions 48: a built-in step travels where the registry of the bound platform offers it (AS-010, AS-071)', async () => {
    const names = { set: 'n8n.set', own: 'm.f' };
    const functions = Object.entries(names).map(
      ([name, code]) => `    ${name}:\n      implementation: ${code}\n`,
    );
    const text = STEPS.replace('components:\n', `components:\n  functions:\n${functions.join('')}`);
    const artifact = await readyArtifact(text);
    const blocked = async () => {
      const answer = await studio.call('GET', `${P}/artifacts/${artifact.id}/portability`);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.blockers;
    };
    const at = (name: string) => `components.functions.${name}.implementation`;
    expect((await blocked()).map(({ spec_ref }: { spec_ref: string }) => spec_ref)).toEqual([
      at('own'),
    ]);
    const fake = await startFakePlatform();
    fakes.push(fake);
    await studio.restart({ platform: { url: fake.url } });
    const readiness = (registry: string[]) => ({
      ready: true,
      checks: { tool_registry: { ok: true, names: registry } },
    });
    fake.on('GET /v1/readyz', { body: { ok: true, metadata: readiness(['n8n.if', 'm.f']) } });
    expect(await blocked()).toMatchObject([
      {
        code: 'filesystem_dependency',
        spec_ref: at('set'),
        detail: expect.stringContaining('does not offer'),
      },
    ]);
    const error = { error: 'not_ready', message: 'no', metadata: readiness(['n8n.set', 'm.f']) };
    fake.on('GET /v1/readyz', { status: 503, body: { detail: error } });
    expect(await blocked()).toEqual([]);
    fake.on('GET /v1/readyz', { body: { ok: true, metadata: {} } });
    expect(await blocked()).toMatchObject([
      { spec_ref: at('own'), detail: expect.stringContaining('did not say') },
      { spec_ref: at('set'), detail: expect.stringContaining('did not say') },
    ]);
    refused(
      await studio.call('GET', `${P}/artifacts/${artifact.id}/export`),
      409,
      'artifact_not_portable',
    );
  });
});
