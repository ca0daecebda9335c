import { describe, expect, it, vi } from 'vitest';
import { n8nExport, n8nNode as node, type SampleNode } from '../../test/support/n8n-export.ts';
import { loadSpec } from '../spec/load/load-spec.ts';
import { validateSpec } from '../spec/rules/validate.ts';
import type { Analysis } from './analysis.ts';
import { analyze } from './analyze.ts';

vi.mock(
  '../items/n8n-types.ts',
  async () => (await import('./testing/step-types.ts')).NO_STEP_TYPES,
);

function convert(nodes: readonly SampleNode[], wires: string): Analysis {
  const outcome = analyze({ source: 'n8n', raw: n8nExport(nodes, wires), conversion: 'extended' });
  if (!outcome.ok) throw new Error(`refused: ${outcome.code} ${outcome.message}`);
  const { spec, diagnostics } = loadSpec({ base: outcome.spec });
  const findings = spec === undefined ? diagnostics : validateSpec(spec);
  expect(findings.filter((finding) => finding.severity === 'error')).toEqual([]);
  return outcome;
}

interface Flow {
  readonly edges?: readonly { from: string; to: string; label?: string }[];
  readonly steps?: readonly { id: string }[];
  readonly participants?: readonly { id: string }[];
}

/** Every workflow of a draft: edges as `a>b label`, steps as `a, b`, steps side by side as `a|b`. */
function flowsOf({ spec }: Analysis): Record<string, string> {
  const { workflows = {} } = (spec['components'] ?? {}) as { workflows?: Record<string, Flow> };
  const all = { main: spec['workflow'] as Flow, ...workflows };
  return Object.fromEntries(
    Object.entries(all).map(([name, { edges, steps, participants }]) => {
      const drawn = edges?.map(({ from, to, label }) => `${from}>${to} ${label ?? ''}`.trim());
      const ids = (list: readonly { id: string }[] | undefined): string[] | undefined =>
        list?.map((step) => step.id);
      return [
        name,
        drawn?.join(', ') ?? ids(steps)?.join(', ') ?? ids(participants)?.join('|') ?? '',
      ];
    }),
  );
}

function detailsOf(outcome: Analysis, id: string): string[] {
  return outcome.gaps.filter((gap) => gap.source_ref.source_id === id).map((gap) => gap.detail);
}

const T = node('T', 'manualTrigger');
const steps = (names: string): SampleNode[] => [...names].map((name) => node(name, 'slack'));
const X = node('X', 'if', {}, { typeVersion: 2 });

describe('outputs of a decision that share a target (importers 14)', () => {
  it.each<[string, string, string, Record<string, string>]>([
    [
      'one forks to the target of the other',
      'ABC',
      'T>A A>X X>B X>C X:1>C',
      { main: 'a>after_a 0, a>c 1', after_a: 'b|c_2' },
    ],
    [
      'one forks to the target of the other, and all of it meets again',
      'ABCD',
      'T>A A>X X>B X>C X:1>C B>D C>D',
      { main: 'a>after_a 0, a>c 1, c>d, after_a>d', after_a: 'b|c_2' },
    ],
    [
      'both fork to the same targets',
      'ABC',
      'T>A A>X X>B X>C X:1>B X:1>C',
      { main: 'a>after_a 0, a>after_a_2 1', after_a: 'b_2|c_2', after_a_2: 'b|c' },
    ],
    [
      'one leads into an arm of the other',
      'ABCD',
      'T>A A>X X>B X>D B>C X:1>C',
      { main: 'a>after_a 0, a>c 1, after_a>c', after_a: 'b|d' },
    ],
    [
      'right after the trigger',
      'BC',
      'T>X X>B X>C X:1>C',
      { main: 'x>after_x 0, x>c 1', after_x: 'b|c_2' },
    ],
    ['both lead there and to nothing else', 'AB', 'T>A A>X X>B X:1>B', { main: 'a>b 0, a>b 1' }],
  ])('%s: no output is lost', (_what, names, wires, flows) => {
    const outcome = convert([T, X, ...steps(names)], wires);
    expect(flowsOf(outcome)).toEqual(flows);
  });

  it('says which steps stand in the draft several times', () => {
    const outcome = convert([T, X, ...steps('ABC')], 'T>A A>X X>B X>C X:1>C');
    expect(detailsOf(outcome, 'a').join(' ')).toContain(
      '"C" stands in the draft once for each output that leads there.',
    );
  });

  it('decisions in a row that all share their targets stay a draft of a few steps', () => {
    const names = Array.from({ length: 40 }, (_, i) => `B${i}`);
    const nodes = names.flatMap((name, i) => [
      node(name, 'slack'),
      node(`X${i}`, 'switch', { mode: 'expression', numberOutputs: 2 }, { typeVersion: 3 }),
    ]);
    const wires = names
      .slice(1)
      .map((name, i) => `B${i}>X${i} X${i}>${name} X${i}>B0 X${i}:1>${name} X${i}:1>B0`);
    const outcome = convert([T, ...nodes], `T>B0 ${wires.join(' ')}`);
    expect(outcome.spec_yaml.length).toBeLessThan(60_000);
  });

  it('a decision that is offered as a tool as well stays a decision', () => {
    const agent = node('P', 'lc:agent');
    const outcome = convert([T, X, agent, ...steps('ABC')], 'T>A A>X X>B X:1>C X-ai_tool>P');
    expect(flowsOf(outcome)).toEqual({ main: 'a>b 0, a>c 1' });
    expect(detailsOf(outcome, 'x').join(' ')).toContain('is offered to "P" as a tool');
  });
});
