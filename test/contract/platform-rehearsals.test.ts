import { describe, expect, test } from 'vitest';
import { adds, type FlowSpecStep, flowSpec } from '../support/flow-specs.ts';
import { p, sharePlatform } from '../support/platform-world.ts';

// Runs whose unresolved steps are answered (metadata.rehearsal).

sharePlatform();

const PARTS = {
  functions: { missing: { implementation: 'imported.missing' } },
  agents: { speak: { name: 'speak', model: { provider: 'openai', name: 'gpt-x' } } },
};
const missing: FlowSpecStep = { kind: 'function', type: 'n8n-nodes-base.plivo' };
const speak: FlowSpecStep = { kind: 'agent', type: '@n8n/n8n-nodes-langchain.agent' };
const FLOW = flowSpec(
  { start: adds('a', 'x'), missing, speak, end: adds('said', '={{ $json.output }}') },
  [
    ['start', 'missing'],
    ['missing', 'speak'],
    ['speak', 'end'],
  ],
  { components: PARTS },
);
const ANSWERS = {
  steps: {
    missing: { by: 'pinned', items: [{ sms: 1 }, { sms: 2 }] },
    speak: { by: 'mocked', items: [{ output: 'hello' }] },
  },
};

function run(spec: unknown, rehearsal: unknown, more: Record<string, unknown> = {}) {
  return p.post('/v1/runs', { input: '{}', spec, metadata: { rehearsal }, ...more });
}

describe('a rehearsal', () => {
  test('answers for steps without code and agents, and every place that shows them says so', async () => {
    const alone = await p.post('/v1/runs', { input: '{}', spec: FLOW });
    expect(alone.body.status ?? alone.body.detail.error).not.toBe('completed');

    const { body } = await run(FLOW, ANSWERS);
    expect(body.status, JSON.stringify(body)).toBe('completed');
    expect(JSON.parse(body.output_text)).toEqual({ output: 'hello', said: 'hello' });
    const { runs } = (await p.get(`/v1/runs/${body.run_id}/items`)).body;
    expect(
      runs.map(({ step, answered_by }: { step: string; answered_by: string | null }) => {
        return [step, answered_by];
      }),
    ).toEqual([
      ['start', null],
      ['missing', 'pinned'],
      ['speak', 'mocked'],
      ['end', null],
    ]);
    const states = (await p.get(`/v1/runs/${body.run_id}/checkpoints`)).body.checkpoints;
    const marked = states.flatMap(
      ({ node_id, metadata }: { node_id: string; metadata: Record<string, unknown> }) =>
        metadata['answered_by'] === undefined ? [] : [[node_id, metadata['answered_by']]],
    );
    expect(marked).toEqual([
      ['missing', 'pinned'],
      ['speak', 'mocked'],
    ]);
    const record = (await p.get(`/v1/runs/${body.run_id}`)).body;
    expect(record.metadata.caller_metadata.rehearsal.steps.speak.by).toBe('mocked');
  });

  test('answers for the steps and tools of a workflow of texts', async () => {
    const spec = {
      version: 'v1',
      agent: { name: 'desk' },
      tools: { lookup: { description: 'Looks up.', implementation: 'imported.lookup' } },
      components: {
        functions: { clean: { implementation: 'imported.clean' } },
        agents: { say: { name: 'say', tools: ['lookup'] } },
      },
      workflow: {
        type: 'sequential',
        steps: [
          { id: 'clean', kind: 'function', ref: 'clean' },
          { id: 'say', kind: 'agent', ref: 'say' },
        ],
      },
    };
    const steps = {
      clean: { by: 'mocked', items: [{ text: 'cleaned' }] },
      say: { by: 'mocked', items: [{ text: 'said', more: 1 }] },
    };
    const half = await run(spec, { steps });
    expect(half.body.detail.message).toContain('imported.lookup');
    const tools = { lookup: { by: 'mocked', items: [{ found: true }] } };
    const { body } = await run(spec, { steps, tools });
    expect(body.output_text).toBe('{"text":"said","more":1}');
  });

  test('is refused in production, and where it cannot be read', async () => {
    const prod = await run(FLOW, ANSWERS, { environment: 'production' });
    expect([prod.status, prod.body.detail.error]).toEqual([403, 'rehearsal_refused']);
    const odd = await run(FLOW, { steps: { missing: { by: 'guessed', items: [] } } });
    expect([odd.status, odd.body.detail.error]).toEqual([400, 'invalid_request']);
    expect(odd.body.detail.message).toContain('metadata.rehearsal.steps.missing');
  });

  test('is inherited by a rerun', async () => {
    const { body } = await run(FLOW, ANSWERS);
    const { checkpoints } = (await p.get(`/v1/runs/${body.run_id}/checkpoints`)).body;
    const from = checkpoints.find(({ node_id }: { node_id: string }) => node_id === 'start');
    const again = await p.post(`/v1/runs/${body.run_id}/rerun`, {
      checkpoint_sequence: from.sequence,
    });
    expect(again.body.status, JSON.stringify(again.body)).toBe('completed');
    const record = (await p.get(`/v1/runs/${again.body.run_id}`)).body;
    expect(record.metadata.caller_metadata.rehearsal.steps.missing.by).toBe('pinned');
  });
});
