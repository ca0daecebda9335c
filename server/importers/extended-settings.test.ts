import { describe, expect, it, vi } from 'vitest';
import { n8nExport, n8nNode } from '../../test/support/n8n-export.ts';
import type { Analysis } from './analysis.ts';
import { analyze } from './analyze.ts';

vi.mock(
  '../items/n8n-types.ts',
  async () => (await import('./testing/step-types.ts')).NO_STEP_TYPES,
);

function converted(raw: string): Analysis {
  const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome;
}

function fatesOf({ ledger }: Analysis, at: string): string[] {
  const own = ledger?.filter(({ locator }) => locator.startsWith(`$.nodes[1].${at}`)) ?? [];
  return own.map(({ fate, draft }) => `${fate} ${draft}`);
}

describe('what is asked of a person keeps its settings (importers 14)', () => {
  const question = {
    operation: 'sendAndWait',
    message: 'May it go out?',
    channelId: { __rl: true, mode: 'name', value: '#desk' },
    approvalOptions: {
      values: { approvalType: 'double', approveLabel: 'Go', disapproveLabel: 'Stop' },
    },
  };
  const asked = (limit: object) =>
    converted(
      n8nExport(
        [
          n8nNode('T', 'manualTrigger'),
          n8nNode('S', 'slack', { ...question, options: { limitWaitTime: { values: limit } } }),
        ],
        'T>S',
      ),
    );

  it('recipient, buttons and time', () => {
    const outcome = asked({ limitType: 'afterTimeInterval', resumeAmount: 2, resumeUnit: 'hours' });
    expect(outcome.spec).toMatchObject({
      components: {
        humans: {
          s: {
            description: 'May it go out?',
            request_type: 'approval',
            timeout_seconds: 7200,
            on_timeout: 'continue',
            context: { recipient: '#desk', approve: 'Go', decline: 'Stop' },
          },
        },
      },
    });
    expect(new Set(fatesOf(outcome, 'parameters.options'))).toEqual(
      new Set(['carried components.humans.s.timeout_seconds']),
    );
    expect(fatesOf(outcome, 'parameters.channelId.value')).toEqual([
      'carried components.humans.s.context.recipient',
    ]);
  });

  it('and a time that no deadline can hold stays told', () => {
    const outcome = asked({ limitType: 'atSpecifiedTime', maxDateAndTime: '2027-01-01' });
    expect(outcome.spec_yaml).not.toContain('timeout_seconds');
    expect(fatesOf(outcome, 'parameters.options').join()).toContain('told metadata.imported');
  });
});

describe('the gap of a step', () => {
  const detailOf = ({ gaps }: Analysis, id: string): string =>
    gaps.find(({ source_ref, kind }) => source_ref.source_id === id && kind === 'proprietary_node')
      ?.detail ?? '';

  it('says which input its predecessors feed', () => {
    const nodes = ['T', 'A', 'B', 'M'].map((name) =>
      n8nNode(name, name === 'T' ? 'manualTrigger' : name === 'M' ? 'compareDatasets' : 'set'),
    );
    const link = (node: string, index: number) => [[{ node, type: 'main', index }]];
    const connections = {
      T: {
        main: [
          [
            { node: 'A', type: 'main', index: 0 },
            { node: 'B', type: 'main', index: 0 },
          ],
        ],
      },
      A: { main: link('M', 1) },
      B: { main: link('M', 0) },
    };
    const outcome = converted(JSON.stringify({ nodes, connections }));
    expect(detailOf(outcome, 'm')).toContain('it is fed by "B" (input 1), "A" (input 2);');
  });

  it('speaks of several outputs only where they lead somewhere', () => {
    const nodes = [n8nNode('T', 'manualTrigger'), n8nNode('H', 'httpRequest'), n8nNode('A', 'set')];
    const more = { H: { main: [[{ node: 'A' }], [{ node: 'gone' }], [{ node: 'gone too' }]] } };
    const connections = { T: { main: [[{ node: 'H' }]] }, ...more };
    const dangling = converted(JSON.stringify({ nodes, connections }));
    expect(detailOf(dangling, 'h')).toContain('a function step holds');
    expect(detailOf(dangling, 'h')).not.toContain('several of its outputs');
    const wired = converted(n8nExport(nodes, 'T>H H>A H:1>A'));
    expect(detailOf(wired, 'h')).toContain('several of its outputs');
  });
});

describe('the ledger of one node', () => {
  const nodes = [
    { id: 't', name: 'T', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
    { id: 'h', name: 'H', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters: {} },
    {
      ...{ id: 'i', name: 'I', type: 'n8n-nodes-base.if', typeVersion: 2, parameters: {} },
      ...{ retryOnFail: true, maxTries: 4, executeOnce: true },
    },
  ];
  const connections = {
    T: { main: [[{ node: 'H' }]] },
    H: { main: [[{ node: 'I' }]] },
    I: { main: [[{ node: 'H' }]] },
  };
  const outcome = converted(JSON.stringify({ nodes, connections }));
  const entryAt = (locator: string) =>
    outcome.ledger?.find((one) => one.locator === locator) ?? { fate: 'nowhere', gaps: [] };

  it('keeps the version of a function beside its type', () => {
    expect(entryAt('$.nodes[1].typeVersion')).toMatchObject({
      ...{ fate: 'carried', form: 'same' },
      draft: 'components.functions.h.input_schema.x-source-version',
    });
    expect(outcome.spec_yaml).toContain('x-source-version: 4.2');
  });

  it('tells the run-time settings of a decision by a gap of their own', () => {
    const { fate, gaps } = entryAt('$.nodes[2].retryOnFail');
    expect([fate, entryAt('$.nodes[2].executeOnce').gaps]).toEqual(['told', gaps]);
    const gap = outcome.gaps.find(({ gap_id }) => gap_id === gaps[0]);
    expect(gap?.detail).toContain('"I" tries up to 4 times');
    expect(gap?.detail).toContain('The draft decides on edges');
  });
});

describe('a model call that is an element of its own (importers 14)', () => {
  it('has its address, and the roles of its messages, in the draft', () => {
    const parameters = {
      modelId: { __rl: true, value: 'gpt-5-mini', mode: 'list' },
      options: { baseUrl: 'https://models.example/v1' },
      messages: { values: [{ role: 'system', content: 'Be short.' }, { content: 'Say it.' }] },
    };
    const nodes = [n8nNode('T', 'manualTrigger'), n8nNode('A', 'lc:openAi', parameters)];
    const outcome = converted(n8nExport(nodes, 'T>A'));
    expect(outcome.spec).toMatchObject({
      agent: { model: { extra: { base_url: 'https://models.example/v1' } } },
    });
    const told = outcome.gaps.filter(({ detail }) => detail.includes('No run uses'));
    expect(told).toEqual([]);
    const place = 'carried components.agents.a';
    expect(fatesOf(outcome, 'parameters.options.baseUrl')).toEqual([
      `${place}.model.extra.base_url`,
    ]);
    expect(fatesOf(outcome, 'parameters.messages.values[0].role')).toEqual([
      `${place}.system_prompt`,
    ]);
  });
});
