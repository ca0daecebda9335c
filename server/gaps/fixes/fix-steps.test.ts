import { describe, expect, test } from 'vitest';
import { N8N_STEP_TYPES } from '../../items/n8n-types.ts';
import { parseSpecText } from '../../spec/yaml/parse-yaml.ts';
import { OFFERED_STEPS } from './fix-steps.ts';
import type { FixTarget } from './fix-types.ts';
import { applyFix, fixOffers } from './fixes.ts';

const TEXT = `version: v1
agent: {name: desk}
workflow:
  type: graph
  start: call
  nodes:
    call: {id: call, kind: function, ref: call} # kept
  edges: []
components:
  functions:
    call: {implementation: imported.call}
tools:
  look_up: {description: Looks up., implementation: imported.look_up}
metadata:
  flow:
    source: n8n
    order: v1
    steps:
      call: {name: Call, type: n8n-nodes-base.plivo, version: 1, parameters: {to: x}}
`;
const DRAFT = { text: TEXT, file: 'desk.yaml' };

function target(name: string, kind: string): FixTarget {
  return { gap_id: name, kind, label: name, name };
}

const CALL = target('call', 'proprietary_node');
const LOOK_UP = target('look_up', 'tool_without_backing');

function fixed(fix: string, values: Record<string, string>, of = CALL) {
  const { text, refused, newError } = applyFix(DRAFT, { fix, values, targets: [of] });
  return { text, refused, newError, document: parseSpecText(text, 'yaml').value ?? {} };
}

describe('a step instead', () => {
  test('every offered step is one of the table, in a version that runs', () => {
    for (const { type, version } of OFFERED_STEPS) {
      const [lowest, highest] = N8N_STEP_TYPES[type]?.versions ?? [Number.NaN, Number.NaN];
      expect([type, version >= lowest && version <= highest]).toEqual([type, true]);
    }
  });

  test('is an HTTP request with its settings; the rest of the text stays', () => {
    const url = 'https://api.example.com/{{ $json.id }}';
    const made = fixed('by_http', { method: 'PUT', url, body: '={{ $json }}' });
    expect(made.newError).toBeNull();
    expect(made.text).toContain('# kept');
    expect(made.document).toMatchObject({
      components: { functions: { call: { implementation: 'n8n.httpRequest' } } },
      metadata: {
        flow: {
          steps: {
            call: {
              name: 'Call',
              type: 'n8n-nodes-base.httpRequest',
              parameters: { method: 'PUT', url, sendBody: true, jsonBody: '={{ $json }}' },
            },
          },
        },
      },
    });
    expect(fixed('by_http', { url: 'ftp' }).refused[0]?.reason).toContain('https://');
  });

  test('is code, or a built-in one with settings that are an object', () => {
    expect(fixed('by_code', { code: 'return [];' }).text).toContain('n8n.code');
    const type = 'n8n-nodes-base.limit';
    expect(fixed('by_built_in', { type, parameters: '{"maxItems": 2}' }).text).toContain(
      'n8n.limit',
    );
    expect(fixed('by_built_in', { type, parameters: '[1]' }).refused[0]?.reason).toContain(
      'object',
    );
  });

  test('is a tool of an MCP server; a server that the draft has is not written again', () => {
    const given = { server: 'desk', url: 'https://x.example/mcp', tool: 'find' };
    const args = '{"id": "={{ $json.id }}"}';
    const made = fixed('by_mcp_step', { ...given, arguments: args });
    expect(made.newError).toBeNull();
    expect(made.text).toContain('# kept');
    const parameters = { server: 'desk', tool: 'find', arguments: { id: '={{ $json.id }}' } };
    expect(made.document).toMatchObject({
      mcp_servers: { desk: { transport: 'http', url: 'https://x.example/mcp' } },
      components: { functions: { call: { implementation: 'n8n.mcpCall' } } },
      metadata: {
        flow: { steps: { call: { type: 'specwright.mcpCall', version: 1, parameters } } },
      },
    });
    const text = TEXT.concat('mcp_servers: {desk: {transport: http, url: https://y.example}}\n');
    const again = applyFix(
      { ...DRAFT, text },
      {
        fix: 'by_mcp_step',
        values: { ...given, url: '', arguments: '={{ $json }}' },
        targets: [CALL],
      },
    );
    expect(again.text).toContain('https://y.example');
    expect(again.text).not.toContain('x.example');
    for (const values of [
      { ...given, tool: '' },
      { ...given, url: '' },
      { ...given, arguments: '[1]' },
    ])
      expect(fixed('by_mcp_step', values).refused).toHaveLength(1);
    const [offer] = fixOffers(DRAFT, [CALL]).filter(({ id }) => id === 'by_mcp_step');
    expect(offer?.portability).toMatch(/elsewhere it blocks the export.*goes along/);
  });

  test('of a tool is one of an MCP server, which the draft may have already', () => {
    const made = fixed(
      'by_mcp',
      { server: 'desk', url: 'https://x.example/mcp', tool: 'find' },
      LOOK_UP,
    );
    expect(made.newError).toBeNull();
    expect(made.document).toMatchObject({
      mcp_servers: { desk: { transport: 'http', url: 'https://x.example/mcp' } },
      tools: { look_up: { description: 'Looks up.', mcp: { server: 'desk', name: 'find' } } },
    });
    expect(made.text).not.toContain('imported.look_up');
    expect(fixed('by_mcp', { server: 'desk', tool: 'find' }, LOOK_UP).refused).toHaveLength(1);
  });

  test('each edit says what it does to the export', () => {
    const told = Object.fromEntries(
      fixOffers(DRAFT, [CALL]).map(({ id, portability }) => [id, portability]),
    );
    expect(told['by_http']).toContain('every platform that offers it');
    expect(told['name_function']).toContain('Code of this project');
    expect(told['by_person']).toContain('Nothing of it');
  });
});
