import { describe, expect, it } from 'vitest';
import { analyze } from './analyze.ts';
import { toldValue } from './told-value.ts';

const toolOf = (jsCode: string) => ({
  name: 'Desk',
  nodes: [
    { id: 'a', name: 'Agent', type: '@n8n/n8n-nodes-langchain.agent', parameters: {} },
    { id: 't', name: 'Look up', type: '@acme/nodes.lookUp', parameters: { jsCode } },
  ],
  connections: { 'Look up': { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] } },
});

describe('a value of the source in the words of a gap', () => {
  it.each([
    ['customKey', 'customKey'],
    ['America/New_York', 'America/New_York'],
    ['qwen3:8b', 'qwen3:8b'],
    ['飞书日历', '飞书日历'],
    ["return 'thirty days';", `"return 'thirty days';"`],
    ['Stop.', '"Stop."'],
    ['a, b', '"a, b"'],
    ['', '""'],
    ['say "no"', undefined],
    ['two\nlines', undefined],
  ])('%j is told as %j', (text, told) => {
    expect(toldValue(text)).toBe(told);
  });

  it.each([
    ["return 'thirty days';", `jsCode = "return 'thirty days';"; they`],
    ['say "no";', 'jsCode; they'],
  ])('%j ends where the sentence goes on', (jsCode, told) => {
    const raw = JSON.stringify(toolOf(jsCode));
    const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
    const details = outcome.ok ? outcome.gaps.map(({ detail }) => detail) : [];
    expect(details.filter((detail) => detail.includes(told))).toHaveLength(1);
  });
});
