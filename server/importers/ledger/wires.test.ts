import { describe, expect, it, vi } from 'vitest';
import { n8nExport, n8nNode } from '../../../test/support/n8n-export.ts';
import { analyze } from '../analyze.ts';
import type { LedgerEntry } from './ledger.ts';

vi.mock(
  '../../items/n8n-types.ts',
  async () => (await import('../testing/step-types.ts')).NO_STEP_TYPES,
);

function accountOf(raw: string): { gaps: readonly string[]; wires: Map<string, LedgerEntry> } {
  const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
  if (!outcome.ok || outcome.ledger === null) throw new Error('it was refused');
  const wired = outcome.ledger.filter(({ what }) => what === 'output');
  return {
    gaps: outcome.gaps.map(({ detail }) => detail),
    wires: new Map(wired.map((entry) => [entry.locator, entry])),
  };
}

describe('the ledger of wires', () => {
  it('names the edge of each of two outputs to one target', () => {
    const nodes = [
      n8nNode('T', 'manualTrigger'),
      n8nNode('H', 'httpRequest'),
      n8nNode('I', 'if'),
      n8nNode('A', 'slack'),
    ];
    const { wires } = accountOf(n8nExport(nodes, 'T>H H>I I>A I:1>A'));
    expect(wires.get('$.connections.I.main[0][0]')?.draft).toBe('workflow.edges[0]');
    expect(wires.get('$.connections.I.main[1][0]')?.draft).toBe('workflow.edges[1]');
  });

  it('names it of a step that has its outputs itself', () => {
    const nodes = [
      n8nNode('T', 'manualTrigger'),
      n8nNode('H', 'httpRequest', {}, { onError: 'continueErrorOutput' }),
      n8nNode('A', 'slack'),
    ];
    const { wires } = accountOf(n8nExport(nodes, 'T>H H>A H:1>A'));
    const places = [0, 1].map((port) => wires.get(`$.connections.H.main[${port}][0]`)?.draft);
    expect(new Set(places).size).toBe(2);
  });

  it('follows only the first output of what is switched off', () => {
    const nodes = [
      n8nNode('T', 'manualTrigger'),
      n8nNode('A', 'slack'),
      n8nNode('Off', 'if', {}, { disabled: true }),
      n8nNode('B', 'gmail'),
    ];
    const { gaps, wires } = accountOf(n8nExport(nodes, 'T>A T>B A>Off Off:1>B'));
    expect(gaps.filter((detail) => detail.includes('does not have this way'))).toEqual([]);
    expect(wires.get('$.connections.Off.main[1][0]')?.gaps).toEqual(['deactivated_node:off']);
  });

  it('tells wires of a model once', () => {
    const nodes = [
      n8nNode('T', 'manualTrigger'),
      n8nNode('A', 'lc:agent'),
      n8nNode('M', 'lc:lmChatOpenAi'),
      n8nNode('B', 'slack'),
    ];
    const { gaps, wires } = accountOf(n8nExport(nodes, 'T>A M-ai_languageModel>A A>M M:1>B A>B'));
    expect(gaps.filter((detail) => detail.includes('does not have this way'))).toEqual([]);
    const told = ['A.main[0][0]', 'M.main[1][0]'].map((at) => wires.get(`$.connections.${at}`));
    expect(told.map((entry) => entry?.fate)).toEqual(['told', 'told']);
    expect(new Set(told.map((entry) => entry?.gaps.join())).size).toBe(1);
  });

  const TWO = [n8nNode('T', 'manualTrigger'), n8nNode('U', 'webhook')];
  const AGENTS = [n8nNode('A', 'lc:agent'), n8nNode('B', 'lc:agent')];

  it('gives a trigger that begins elsewhere in the same steps a program of its own', () => {
    const { gaps, wires } = accountOf(n8nExport([...TWO, ...AGENTS], 'T>A A>B B>A U>B'));
    expect(gaps.filter((detail) => detail.includes('does not have this way'))).toEqual([]);
    const draft = 'components.workflows.u.nodes.b';
    expect(wires.get('$.connections.U.main[0][0]')).toMatchObject({ fate: 'carried', draft });
  });

  it('tells of a trigger what is told of another one that starts the same', () => {
    const raw = n8nExport([...TWO, ...AGENTS], 'T>A T>B A>B U>A U>B');
    const { gaps, wires } = accountOf(raw);
    expect(gaps.filter((detail) => detail.includes('does not have this way'))).toEqual([]);
    expect(gaps).toContainEqual(expect.stringContaining('"U" starts what "T" starts'));
    const told = wires.get('$.connections.U.main[0][1]');
    expect(told?.gaps).toEqual([expect.stringMatching(/^carried_as:u/)]);
  });

  it('keeps the circle of the only step in an arm of a fork', () => {
    const off = n8nNode('Off', 'slack', {}, { disabled: true });
    const { wires } = accountOf(n8nExport([...TWO, ...AGENTS, off], 'T>A T>B A>Off Off>A'));
    expect(wires.get('$.connections.A.main[0][0]')?.fate).toBe('carried');
  });

  it('tells a wire of what nothing leads to as idle', () => {
    const nodes = [...TWO, ...AGENTS, n8nNode('N', 'noOp')];
    const { gaps } = accountOf(n8nExport(nodes, 'T>A N>B A>B'));
    expect(gaps).toContainEqual(expect.stringContaining('No trigger of the source leads to "N"'));
  });

  it('finds the fork above what only passes its input on', () => {
    const nodes = [...TWO, ...AGENTS, n8nNode('N', 'noOp')];
    const { gaps } = accountOf(n8nExport(nodes, 'T>N N>A N>B A>B'));
    expect(gaps.filter((detail) => detail.includes('does not have this way'))).toEqual([]);
  });
});
