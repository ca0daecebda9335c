import { describe, expect, it } from 'vitest';
import { n8nExport, n8nNode } from '../../test/support/n8n-export.ts';
import { analyze } from './analyze.ts';

// Nodes that n8n offers to an agent as tools, and that a built-in step carries out (importers 14).

const TOOL = {
  url: '=https://weather.example/{{ $fromAI("city", "Which city", "string") }}',
  options: {},
};

function imported(parameters: Record<string, unknown>, credentials?: Record<string, unknown>) {
  const nodes = [
    n8nNode('Chat', 'chatTrigger', {}, { type: '@n8n/n8n-nodes-langchain.chatTrigger' }),
    n8nNode('Desk', 'agent', {}, { type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 1.7 }),
    n8nNode('Weather', 'httpRequestTool', parameters, {
      typeVersion: 4.2,
      ...(credentials === undefined ? {} : { credentials }),
    }),
  ];
  const document = JSON.parse(n8nExport(nodes, 'Chat>Desk'));
  document.connections.Weather = { ai_tool: [[{ node: 'Desk', type: 'ai_tool', index: 0 }]] };
  const outcome = analyze({ source: 'n8n', raw: JSON.stringify(document), conversion: 'extended' });
  if (!outcome.ok) throw new Error('it was refused');
  return outcome;
}

describe('a tool that a built-in step carries out', () => {
  it('is offered with its arguments, its settings stand in metadata.tools, and nothing blocks', () => {
    const { spec, gaps, ledger } = imported(TOOL);
    expect(spec).toMatchObject({
      tools: {
        weather: {
          implementation: 'n8n.httpRequest',
          parameters: { properties: { city: { type: 'string', description: 'Which city' } } },
        },
      },
      metadata: {
        tools: {
          weather: { name: 'Weather', type: 'n8n-nodes-base.httpRequestTool', parameters: TOOL },
        },
      },
    });
    expect(JSON.stringify(spec)).toContain('"include":["weather"]');
    const own = gaps.filter(({ source_ref }) => source_ref?.source_label === 'Weather');
    expect(own.map(({ kind, severity }) => [kind, severity])).toEqual([['carried_as', 'info']]);
    const settings = ledger?.find(({ locator }) => locator === '$.nodes[2].parameters');
    expect(settings).toMatchObject({ fate: 'carried', draft: 'metadata.tools.weather.parameters' });
  });

  it('keeps no secret among its settings', () => {
    const secret = 'sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c';
    const headers = { parameters: [{ name: 'Authorization', value: `Bearer ${secret}` }] };
    const { spec, gaps } = imported({ ...TOOL, sendHeaders: true, headerParameters: headers });
    expect(JSON.stringify([spec, gaps])).not.toContain(secret);
    expect(gaps.some(({ kind }) => kind === 'inline_secret')).toBe(true);
  });
});

describe('a tool of the source for models that a built-in step carries out', () => {
  function tool(type: string, parameters: Record<string, unknown>) {
    const nodes = [
      n8nNode('Chat', 'chatTrigger', {}, { type: '@n8n/n8n-nodes-langchain.chatTrigger' }),
      n8nNode('Desk', 'agent', {}, { type: '@n8n/n8n-nodes-langchain.agent', typeVersion: 1.7 }),
      n8nNode('Help', type, parameters, { type: `@n8n/n8n-nodes-langchain.${type}` }),
    ];
    const document = JSON.parse(n8nExport(nodes, 'Chat>Desk'));
    document.connections.Help = { ai_tool: [[{ node: 'Desk', type: 'ai_tool', index: 0 }]] };
    const raw = JSON.stringify(document);
    const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
    if (!outcome.ok) throw new Error('it was refused');
    const { help } = outcome.spec['tools'] as Record<string, Record<string, unknown>>;
    const own = outcome.gaps.filter(({ source_ref }) => source_ref.source_label === 'Help');
    return { help, severities: own.map(({ severity }) => severity) };
  }
  const properties = (made: ReturnType<typeof tool>) =>
    Object.keys(
      (made.help?.['parameters'] as { properties: object } | undefined)?.properties ?? {},
    );

  it('thinks, and computes by code in JavaScript', () => {
    const think = tool('toolThink', {});
    expect([think.help?.['implementation'], properties(think)]).toEqual(['n8n.noOp', ['input']]);
    const code = tool('toolCode', { jsCode: 'return query' });
    expect([code.help?.['implementation'], properties(code)]).toEqual(['n8n.code', ['query']]);
    const schema = { specifyInputSchema: true, jsonSchemaExample: '{"n": 1, "list": []}' };
    expect(tool('toolCode', schema).help?.['parameters']).toEqual({
      type: 'object',
      properties: { n: { type: 'number' }, list: {} },
    });
    const written = {
      specifyInputSchema: true,
      schemaType: 'manual',
      inputSchema: '{"type": "object"}',
    };
    expect(tool('toolCode', written).help?.['parameters']).toEqual({ type: 'object' });
    const broken = { specifyInputSchema: true, jsonSchemaExample: '{' };
    expect(tool('toolCode', broken).help?.['parameters']).toEqual({ type: 'object' });
    expect(tool('toolCode', { language: 'python' }).severities).toContain('blocking');
  });

  it('sends a request with what the model gives', () => {
    const values = [
      { name: 'symbol' },
      { name: 'convert', value: 'USD', valueProvider: 'fieldValue' },
    ];
    const made = tool('toolHttpRequest', {
      url: 'https://x.example/{city}',
      sendQuery: true,
      parametersQuery: { values },
      sendBody: true,
      specifyBody: 'model',
      placeholderDefinitions: { values: [{ name: 'city', description: 'Which city' }] },
    });
    expect(made.help?.['implementation']).toBe('n8n.httpRequest');
    expect(properties(made).sort()).toEqual(['body', 'city', 'symbol']);
    expect(made.severities).toEqual(['info']);
  });
});
