// Specs too large for the thread that answers requests (contract/platform.md 3.10).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Loose, startTestPlatform, type TestPlatform } from '../support/platform.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'large-specs-'));

/** A sequence of so many agents; `fill` characters of prompt each. */
function specOf(agents: number, fill: number, more: Loose = {}): Loose {
  const names = Array.from({ length: agents }, (_, index) => `w${index}`);
  return {
    version: 'v1',
    agent: { name: 'root' },
    workflow: {
      type: 'sequential',
      name: 'long',
      steps: names.slice(0, 3).map((ref) => ({ id: `s-${ref}`, kind: 'agent', ref })),
    },
    components: {
      agents: Object.fromEntries(
        names.map((name) => [name, { name, system_prompt: 'p'.repeat(fill) }]),
      ),
    },
    ...more,
  };
}

const BROKEN = {
  workflow: { type: 'sequential', name: 'x', steps: [{ id: 's', kind: 'agent', ref: 'gone' }] },
};
const CASES: Readonly<Record<string, Loose>> = {
  sound: {},
  'with a finding': BROKEN,
  'outside of the schema': { surprise: true },
  'of another version': { version: 'v9' },
  'with code that is not there': {
    components: { functions: { f: { implementation: 'no.code' } } },
  },
  'with a skill outside': { skills: { s: { source: '/etc' } } },
};
const OPERATIONS = ['validate', 'compile', 'explain', 'graph', 'policy-report'];

/** How often the function was asked that fails the first time. */
let moods = 0;
let p: TestPlatform;
beforeAll(async () => {
  for (const [name, more] of Object.entries(CASES)) {
    writeFileSync(path.join(folder, `${name}.small.json`), JSON.stringify(specOf(4, 1, more)));
    writeFileSync(path.join(folder, `${name}.large.json`), JSON.stringify(specOf(4, 40_000, more)));
  }
  writeFileSync(path.join(folder, 'huge.json'), JSON.stringify(specOf(20_000, 20)));
  writeFileSync(path.join(folder, 'torn.json'), `${JSON.stringify(specOf(4, 40_000))},`);
  p = await startTestPlatform({
    specRoot: folder,
    thread: true,
    handlers: {
      'w.moody': () => {
        moods += 1;
        if (moods === 1) throw new Error('not today');
        return 'fine';
      },
    },
  });
  await p.call('PUT', '/v1/policies/environment/prod', { body: { require_guardrails: true } });
});
afterAll(async () => {
  await p.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(Object.keys(CASES))('a spec %s', (name) => {
  test.each(OPERATIONS)(
    '%s answers as for a small one, by path and inline (RP-075–RP-078)',
    async (operation) => {
      const bodies = (size: string, fill: number): Loose[] => [
        { spec_path: `${name}.${size}.json` },
        { spec: specOf(4, fill, CASES[name]) },
        { spec_path: `${name}.${size}.json`, environment: 'prod' },
        { spec: specOf(2, 1), overlays: [`${name}.${size}.json`] },
      ];
      const small = bodies('small', 1);
      for (const [index, large] of bodies('large', 40_000).entries()) {
        const expected = await p.post(`/v1/specs/${operation}`, small[index]);
        const found = await p.post(`/v1/specs/${operation}`, large);
        expect([index, found.status, found.body]).toEqual([index, expected.status, expected.body]);
      }
    },
  );

  test.each([true, false])(
    'a run of it, async_mode %s, ends alike (RP-051–RP-054)',
    async (async_mode) => {
      const ends: Loose[] = [];
      for (const size of ['small', 'large']) {
        const spec_path = `${name}.${size}.json`;
        const made = await p.post('/v1/runs', { input: 'x', spec_path, async_mode });
        if (made.status >= 400) ends.push([made.status, made.body]);
        else {
          const end = await p.waitFor(made.body.run_id, 'completed', 'failed');
          const { error, output_text } = end.body;
          const graph = await p.get(`/v1/runs/${made.body.run_id}/graph`);
          const report = await p.get(`/v1/runs/${made.body.run_id}/policy-report`);
          const { run_id, ...place } = graph.body;
          expect(run_id ?? graph.body.detail).toBeDefined();
          ends.push([
            made.status,
            error,
            output_text,
            graph.status,
            place,
            report.status,
            report.body,
          ]);
        }
      }
      expect(ends[1]).toEqual(ends[0]);
    },
  );
});

test('answers of creates, kept and replayed, are those of small specs (RP-051–RP-053)', async () => {
  for (const async_mode of [true, false]) {
    const kept: Loose[] = [];
    for (const fill of [1, 40_000]) {
      const headers = { 'idempotency-key': `${fill}-${async_mode}` };
      const body = { input: 'x', spec: specOf(4, fill), async_mode, session_id: 's' };
      const made = await p.post('/v1/runs', body, { headers });
      const again = await p.post('/v1/runs', body, { headers });
      expect([again.status, again.text]).toEqual([made.status, made.text]);
      await p.waitFor(made.body.run_id, 'completed');
      const { metadata, run_id, ...facts } = made.body;
      expect(metadata.frozen_spec.base.components.agents.w0.system_prompt).toHaveLength(fill);
      const types = metadata.trace?.events.map((event: Loose) => event.type);
      kept.push([made.status, facts, typeof run_id, Object.keys(metadata).sort(), types]);
    }
    expect(kept[1]).toEqual(kept[0]);
  }
});

test('a task is answered and a failed run continued as with a small spec (RP-031, RP-036, RP-072)', async () => {
  const steps = (kind: string, ref: string): Loose => ({
    workflow: {
      type: 'sequential',
      name: 'long',
      steps: [
        { id: 'one', kind: 'agent', ref: 'w0' },
        { id: 'mid', kind, ref },
        { id: 'two', kind: 'agent', ref: 'w1' },
      ],
    },
  });
  const asking = steps('human', 'lead');
  const failing = steps('function', 'moody');
  const parts = (fill: number, more: Loose): Loose => {
    const spec = specOf(4, fill, more);
    spec.components.humans = { lead: { description: 'Good?' } };
    spec.components.functions = { moody: { implementation: 'w.moody' } };
    return spec;
  };
  const ends: Loose[] = [];
  for (const fill of [1, 40_000]) {
    moods = 0;
    const blocked = await p.post('/v1/runs', { input: 'x', spec: parts(fill, asking) });
    const resumed = await p.post(`/v1/human-tasks/${blocked.body.continuation_id}/resume`, {
      request_id: blocked.body.metadata.request.id,
      decision: 'edited',
      content: 'better',
    });
    const other = await p.post('/v1/runs', { input: 'x', spec: parts(fill, asking) });
    const continued = await p.post(`/v1/runs/${other.body.run_id}/continue`);
    const failed = await p.post('/v1/runs', { input: 'x', spec: parts(fill, failing) });
    const { runs } = (await p.get('/v1/runs?status=failed&limit=1&sort_by=created_at')).body;
    const again = await p.post(`/v1/runs/${runs[0].id}/continue`);
    const types = (await p.get(`/v1/runs/${runs[0].id}/checkpoints`)).body.checkpoints.map(
      (item: Loose) => item.type,
    );
    ends.push([
      [blocked.status, blocked.body.status],
      [resumed.status, resumed.body.status, resumed.body.output_text],
      [continued.status, continued.body.status, continued.body.output_text],
      [failed.status, failed.body.detail],
      [again.status, again.body.status, again.body.output_text, again.body.error],
      types,
    ]);
  }
  expect(ends[1]).toEqual(ends[0]);
  expect(ends[0].slice(0, 5).map((end: Loose) => end.slice(0, 2))).toEqual([
    [200, 'blocked'],
    [200, 'completed'],
    [200, 'completed'],
    [500, expect.objectContaining({ error: 'internal_error' })],
    [200, 'completed'],
  ]);
});

test('a rerun, what it can edit and its refusals are those of a small spec', async () => {
  const found: Loose[] = [];
  for (const fill of [1, 40_000]) {
    const made = await p.post('/v1/runs', { input: 'x', spec: specOf(4, fill) });
    const rerun = `/v1/runs/${made.body.run_id}/rerun`;
    const { checkpoints } = (await p.get(`/v1/runs/${made.body.run_id}/checkpoints`)).body;
    const { sequence } = checkpoints.find((item: Loose) => item.step_id === 's-w0');
    const edits = await p.get(`${rerun}?checkpoint_sequence=${sequence}`);
    const from = { checkpoint_sequence: sequence, edits: { input: 'y' }, metadata: { why: 'z' } };
    const again = await p.post(rerun, from);
    const queued = await p.post(rerun, { ...from, async_mode: true });
    const end = await p.waitFor(queued.body.run_id, 'completed');
    const wrong = await p.post(rerun, { ...from, edits: { next_step: 'nowhere' } });
    const { metadata } = again.body;
    expect(metadata.frozen_spec.base.components.agents.w0.system_prompt).toHaveLength(fill);
    found.push([
      [edits.status, edits.body.edits],
      [
        again.status,
        again.body.output_text,
        metadata.caller_metadata,
        Object.keys(metadata).sort(),
      ],
      [queued.status, end.body.output_text, typeof end.body.metadata.rerun_of],
      [wrong.status, wrong.body],
    ]);
  }
  expect(found[1]).toEqual(found[0]);
  expect(found[0].map((item: Loose) => item[0])).toEqual([200, 200, 202, 422]);
});

test('skills that only a large spec declares are listed (RP-079)', async () => {
  const more = { skills: { style: { source: 'style', description: 'House style.' } } };
  writeFileSync(path.join(folder, 'skilled.json'), JSON.stringify(specOf(4, 40_000, more)));
  const { skills } = (await p.get('/v1/skills')).body;
  expect(skills).toContainEqual({
    name: 'style',
    description: 'House style.',
    path: 'style',
    origin: 'declared',
  });
});

test('torn text of that size is a finding with its place (spec-v1 1)', async () => {
  const answer = await p.post('/v1/specs/validate', { spec_path: 'torn.json' });
  expect([answer.status, answer.body.valid]).toEqual([200, false]);
  expect(answer.body.diagnostics[0].code).toBe('E_PARSE');
});

test('a secret in a large spec is shown in no answer (RP-100)', async () => {
  const spec = specOf(4, 40_000, { metadata: { note: 'password=sesame123' } });
  const made = await p.post('/v1/runs', { input: 'x', spec, async_mode: true });
  expect(made.status).toBe(202);
  await p.waitFor(made.body.run_id, 'completed');
  const reads = ['', '/graph', '/policy-report', '/checkpoints', '/trace'];
  const answers = await Promise.all(
    reads.map((read) => p.get(`/v1/runs/${made.body.run_id}${read}`)),
  );
  for (const { text } of [made, ...answers, await p.get('/v1/runs')]) {
    expect(text).not.toContain('sesame123');
  }
});

test('the preview of a policy reads runs of large and small specs alike (RP-080)', async () => {
  for (const fill of [1, 40_000]) {
    await p.post('/v1/runs', { input: 'x', spec: specOf(4, fill), environment: 'lab' });
  }
  const preview = await p.post('/v1/policies/environment/lab/preview', {
    require_guardrails: true,
  });
  expect(preview.body).toMatchObject({ runs_evaluated: 2 });
  expect(preview.body.newly_blocking).toHaveLength(2);
  expect(preview.body.affected_run_ids).toHaveLength(2);
});

test('others are answered while a spec of 3 MB is compiled', async () => {
  const compiled = p.post('/v1/specs/compile', { spec_path: 'huge.json' });
  let answered = 0;
  const over = compiled.then(() => true);
  while (!(await Promise.race([over, p.get('/v1/healthz').then(() => false)]))) answered += 1;
  const answer = await compiled;
  expect([answer.status, answer.body.ok]).toEqual([200, true]);
  expect(answered).toBeGreaterThan(5);
});
