import { describe, expect, it } from 'vitest';
import { DESK_DRAFT } from '../../../../server/gaps/testing/desk-draft.ts';
import { readDraftText } from './draft-reading.ts';

describe('reading a draft beside its source', () => {
  it('draws component workflows that nothing runs, each in a frame', () => {
    const programs = DESK_DRAFT.replace('workflow:', 'spare:')
      .replace(/^spare:[\s\S]*?^components:/m, 'components:')
      .replace(
        'components:\n',
        `components:
  workflows:
    nightly:
      type: sequential
      steps:
        - {id: fetch, kind: function, ref: fetch}
        - {id: tell, kind: workflow, ref: inner}
    inner:
      type: sequential
      steps:
        - {id: answer, kind: agent, ref: answer}
`,
      );
    const reading = readDraftText({ text: programs, file: 'desk.yaml' }, [
      { source_id: 's1', name: 'fetch' },
      { source_id: 's2', name: 'spare' },
    ]);
    expect(reading.errors).toBe(0);
    expect(reading.graph?.nodes.map(({ label, parent }) => [label, parent])).toEqual([
      ['desk', null],
      ['nightly', null],
      ['fetch', 'components.workflows.nightly>'],
      ['tell', 'components.workflows.nightly>'],
      ['answer', 'components.workflows.nightly.steps[1]>'],
    ]);
    expect(reading.nodesOf['s1']).toEqual(['components.workflows.nightly.steps[0]']);
    expect(reading.placeOf['s2']?.path).toBe('components.functions.spare');
    const ids = reading.graph?.nodes.map(({ id }) => id) ?? [];
    for (const { source, target } of reading.graph?.edges ?? []) {
      expect(ids).toEqual(expect.arrayContaining([source, target]));
    }
  });

  it('says which nodes and lines each source element became', () => {
    const reading = readDraftText({ text: DESK_DRAFT, file: 'desk.yaml' }, [
      { source_id: 's1', name: 'fetch' },
      { source_id: 's2', name: 'look_up' },
      { source_id: 's3', name: 'elsewhere' },
    ]);
    expect(reading.nodesOf).toEqual({ s1: ['workflow.nodes.fetch'] });
    expect(reading.placeOf['s1']).toMatchObject({ path: 'workflow.nodes.fetch', startLine: 9 });
    expect(reading.placeOf['s2']?.path).toBe('tools.look_up');
    expect(reading.graph?.nodes).toHaveLength(3);
    expect(reading.errors).toBe(0);
  });

  it('says what waits for code, and which secret a credential is bound to', () => {
    const text = `version: v1
agent: {name: desk}
components:
  functions:
    call: {implementation: imported.call}
    ask: {implementation: n8n.httpRequest}
workflow:
  type: graph
  start: call
  nodes:
    call: {id: call, kind: function, ref: call}
    ask: {id: ask, kind: function, ref: ask}
  edges: [{from: call, to: ask}]
metadata:
  flow:
    source: n8n
    order: v1
    steps:
      call: {name: Call, type: n8n-nodes-base.plivo, version: 1}
      ask:
        name: Ask
        type: n8n-nodes-base.httpRequest
        version: 4.2
        parameters: {authentication: genericCredentialType, genericAuthType: httpHeaderAuth}
        credentials: {httpHeaderAuth: Desk}
`;
    const sources = ['call', 'ask'].map((name) => ({ source_id: name, name }));
    const { codeOf, secretOf } = readDraftText({ text, file: 'desk.yaml' }, sources);
    expect(codeOf).toEqual({ call: { kind: 'function', name: 'call' } });
    expect(secretOf).toEqual({ ask: expect.stringMatching(/^CRED_HTTPHEADERAUTH_DESK_/) });
  });

  it('has nothing to draw for a text that cannot be read', () => {
    expect(readDraftText({ text: 'a: [', file: 'a.yaml' }, []).graph).toBeNull();
  });
});
