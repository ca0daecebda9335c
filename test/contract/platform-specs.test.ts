import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startModelServer } from '../support/model-server.ts';
import { type Loose, startTestPlatform } from '../support/platform.ts';
import { functionSpec, p, sharePlatform } from '../support/platform-world.ts';
import { humanSpec } from '../support/specs.ts';

sharePlatform();

describe('specs over HTTP', () => {
  test('75 an attempt that timed out is repeated only when the settings say so (RP-145)', async () => {
    let calls = 0;
    const slow = {
      'work.slow': async () => {
        calls += 1;
        if (calls === 1) await new Promise((resolve) => setTimeout(resolve, 1500));
        return 'in time';
      },
    };
    const spec = functionSpec('work.slow', { max_retries: 2, timeout_seconds: 1 });
    for (const [setting, attempts, status] of [
      ['false', 1, 'failed'],
      ['true', 2, 'completed'],
    ] as const) {
      calls = 0;
      const q = await startTestPlatform({
        handlers: slow,
        env: { SERV_WORKFLOW_RETRY_ON_TIMEOUT: setting },
      });
      try {
        const run = await q.post('/v1/runs', { input: 'x', spec, session_id: 'slow' });
        expect(run.status).toBe(status === 'failed' ? 500 : 200);
        const [record] = (await q.get('/v1/runs?session_id=slow')).body.runs;
        expect(record.status).toBe(status);
        if (status === 'failed') expect(record.error.type).toBe('RetryTimeoutError');
        expect(calls).toBe(attempts);
      } finally {
        await q.stop();
      }
    }
  });

  test('75 a model call that timed out likewise (SERV_PROVIDER_RETRY_ON_TIMEOUT) (RP-145)', async () => {
    const models = await startModelServer();
    const spec = {
      version: 'v1',
      agent: {
        name: 'a',
        model: {
          provider: 'openai-compatible',
          name: 'm',
          extra: { base_url: models.baseUrl('openai') },
        },
      },
    };
    const env = { SERV_PROVIDER_RETRIES: '2', SERV_PROVIDER_TIMEOUT_SECONDS: '0.3' };
    try {
      for (const [setting, requests, status] of [
        ['off', 1, 500],
        ['on', 2, 200],
      ] as const) {
        models.reset();
        models.reply({ fault: { kind: 'hang' } }, { text: 'second' });
        const q = await startTestPlatform({
          env: { ...env, SERV_PROVIDER_RETRY_ON_TIMEOUT: setting },
        });
        const run = await q.post('/v1/runs', { input: 'x', spec });
        await q.stop();
        expect([run.status, models.requests.length]).toEqual([status, requests]);
      }
    } finally {
      await models.stop();
    }
  });

  test('graphs of other workflow kinds are empty, of a run as of a spec (3.7) (RP-069)', async () => {
    const participants = [{ id: 'a', kind: 'agent', ref: 'writer' }];
    const kinds: readonly Loose[] = [
      undefined,
      { type: 'handoff', name: 'h', participants, selector: { type: 'sequence' } },
      { type: 'group-chat', name: 'g', participants, rounds: 1 },
      { type: 'concurrent', name: 'c', participants },
    ];
    for (const workflow of kinds) {
      const spec = {
        version: 'v1',
        agent: { name: 'desk' },
        ...(workflow === undefined ? {} : { workflow }),
        components: { agents: { writer: { name: 'writer' } } },
      };
      const graph = await p.post('/v1/specs/graph', { spec });
      expect([graph.status, graph.body]).toEqual([
        200,
        {
          workflow_name: workflow?.name ?? null,
          workflow_kind: null,
          start: null,
          max_steps: null,
          nodes: [],
          edges: [],
        },
      ]);
      const { body: run } = await p.post('/v1/runs', { input: 'x', spec });
      const own = (await p.get(`/v1/runs/${run.run_id}/graph`)).body;
      expect(own).toMatchObject({ ...graph.body, run_id: run.run_id, status: 'completed' });
      expect(own.visited).toBeInstanceOf(Array);
    }
  });

  test('compile: semantic errors are reported with strict false, schema errors stay 400 (3.10) (RP-016)', async () => {
    const semantic = humanSpec({ default_option: 'none' });
    const strict = await p.post('/v1/specs/compile', { spec: semantic });
    expect(strict.status).toBe(400);
    expect(strict.body.detail.diagnostics[0].code).toBe('E_HUMAN_DEFAULT_OPTION_NOT_IN_OPTIONS');
    const loose = await p.post('/v1/specs/compile', { spec: semantic, strict: false });
    expect([loose.status, loose.body.ok]).toEqual([200, false]);
    expect(loose.body.summary).toMatchObject({ has_root_agent: true, has_root_workflow: true });
    expect(loose.body.diagnostics.map(({ code }: Loose) => code)).toContain(
      'E_HUMAN_DEFAULT_OPTION_NOT_IN_OPTIONS',
    );
    const schema = await p.post('/v1/specs/compile', { spec: { version: 'v1' }, strict: false });
    expect(schema.status).toBe(400);
    for (const name of ['explain', 'graph']) {
      for (const spec of [semantic, { version: 'v1' }]) {
        const answer = await p.post(`/v1/specs/${name}`, { spec });
        expect(answer.body.detail.error).toBe('spec_invalid');
      }
      const byPath = await p.post(`/v1/specs/${name}`, { spec_path: 'invalid/bad-version.yaml' });
      expect([byPath.status, byPath.body.detail.error]).toEqual([400, 'spec_invalid']);
    }
    const report = await p.post('/v1/specs/policy-report', { spec: { version: 'v1' } });
    expect(report.body).toEqual({
      valid: false,
      report: { valid: false, diagnostics: expect.any(Array) },
    });
    for (const name of ['validate', 'compile', 'explain', 'graph', 'policy-report']) {
      const missing = await p.post(`/v1/specs/${name}`, { spec_path: 'none.yaml' });
      expect([name, missing.status, missing.body.detail.error]).toEqual([
        name,
        400,
        'invalid_request',
      ]);
    }
  });

  test('22 text that is no document: E_PARSE with its place, a run is refused at create', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'text-'));
    const files: readonly (readonly [string, string])[] = [
      ['broken.yaml', 'version: v1\nagent: {name: [\n'],
      ['empty.yaml', ''],
      ['list.yaml', '- a\n'],
      ['broken.json', '{"version": '],
    ];
    for (const [name, text] of files) writeFileSync(path.join(folder, name), text);
    const q = await startTestPlatform({ specRoot: folder });
    try {
      for (const [spec_path] of files) {
        const validated = await q.post('/v1/specs/validate', { spec_path });
        expect(validated.body).toMatchObject({
          valid: false,
          diagnostics: [{ code: 'E_PARSE', severity: 'error', path: null }],
        });
        const compiled = await q.post('/v1/specs/compile', { spec_path });
        expect(compiled.body).toMatchObject({ ok: false, valid: false });
        expect((await q.post('/v1/specs/policy-report', { spec_path })).body.valid).toBe(false);
        for (const async_mode of [true, false]) {
          const run = await q.post('/v1/runs', { input: 'x', spec_path, async_mode });
          expect([run.status, run.body.detail.error]).toEqual([400, 'spec_invalid']);
          expect(run.body.detail.diagnostics[0].code).toBe('E_PARSE');
        }
      }
      expect((await q.get('/v1/runs')).body.total).toBe(0);
    } finally {
      await q.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('76 a round-robin handoff ends completed after one full rotation (spec-v1 12) (RP-050)', async () => {
    const participant = (id: string) => ({ id, kind: 'agent', ref: 'writer' });
    const spec = {
      version: 'v1',
      agent: { name: 'desk' },
      workflow: {
        type: 'handoff',
        name: 'ring',
        participants: ['a', 'b', 'c'].map(participant),
        selector: { type: 'round_robin', sequence: ['a'] },
      },
      components: { agents: { writer: { name: 'writer' } } },
    };
    const run = await p.post('/v1/runs', { input: 'hello', spec });
    expect(run.body).toMatchObject({
      status: 'completed',
      output_text: 'Final answer: Final answer: Final answer: hello',
    });
    expect(run.body.metadata.workflow.visited_steps).toEqual(['a', 'b', 'c']);
  });

  test('77 reading files without a person in the flow gives W_HUMAN_APPROVAL_MISSING too (RP-156)', async () => {
    const tools = { include: ['look'], permissions: { allow_filesystem_read: true } };
    const spec = (workflow?: Loose) => ({
      ...(workflow ?? { version: 'v1' }),
      agent: { name: 'reader', tools },
      tools: { look: { description: 'reads', implementation: 'files.look' } },
    });
    const codes = async (body: Loose) =>
      (await p.post('/v1/specs/validate', { spec: body })).body.diagnostics.map(
        (item: Loose) => `${item.code} ${item.path}`,
      );
    expect(await codes(spec())).toEqual([
      'W_TOOL_FILESYSTEM_READ_ALLOWED agent.tools.permissions.allow_filesystem_read',
      'W_HUMAN_APPROVAL_MISSING workflow',
    ]);
    expect(await codes(spec(humanSpec()))).toEqual([
      'W_TOOL_FILESYSTEM_READ_ALLOWED agent.tools.permissions.allow_filesystem_read',
    ]);
    const report = await p.post('/v1/specs/policy-report', { spec: spec() });
    expect(report.body.report.human_review).toMatchObject({ required: true, missing: true });
  });

  test('78 an unknown key of any block is E_SCHEMA at its path (RP-149)', async () => {
    const whole: Loose = {
      version: 'v1',
      agent: {
        name: 'desk',
        model: { provider: 'dummy', name: 'm' },
        strategy: { type: 'react', max_iterations: 3 },
        tools: { include: ['look'], permissions: { allow_network: false } },
      },
      tools: { look: { description: 'd', implementation: 'm.look' } },
      workflow: {
        type: 'graph',
        name: 'g',
        start: 'a',
        nodes: { a: { id: 'a', kind: 'agent', ref: 'w' }, b: { id: 'b', kind: 'human', ref: 'h' } },
        edges: [{ from: 'a', to: 'b', condition: { type: 'output_contains', value: 'x' } }],
      },
      components: {
        agents: { w: { name: 'w' } },
        humans: { h: { description: 'd' } },
        functions: { f: { implementation: 'm.f' } },
        workflows: {
          x: { type: 'sequential', name: 'x', steps: [{ id: 's', kind: 'agent', ref: 'w' }] },
        },
      },
    };
    const places: readonly (readonly (string | number)[])[] = [
      [],
      ['agent'],
      ['agent', 'model'],
      ['agent', 'tools', 'permissions'],
      ['tools', 'look'],
      ['workflow'],
      ['workflow', 'nodes', 'a'],
      ['workflow', 'edges', 0],
      ['workflow', 'edges', 0, 'condition'],
      ['components'],
      ['components', 'agents', 'w'],
      ['components', 'humans', 'h'],
      ['components', 'functions', 'f'],
      ['components', 'workflows', 'x'],
      ['components', 'workflows', 'x', 'steps', 0],
    ];
    expect((await p.post('/v1/specs/validate', { spec: whole })).body.valid).toBe(true);
    for (const place of places) {
      const spec = structuredClone(whole);
      let at = spec;
      for (const part of place) at = at[part];
      at.zzz = 1;
      const { body } = await p.post('/v1/specs/validate', { spec });
      expect(body.valid).toBe(false);
      const written = [...place, 'zzz'].map((part) =>
        typeof part === 'number' ? `[${part}]` : `.${part}`,
      );
      const found = body.diagnostics.map((item: Loose) => `${item.code} ${item.path}`);
      expect(found).toEqual([`E_SCHEMA ${written.join('').slice(1)}`]);
    }
  });
});
