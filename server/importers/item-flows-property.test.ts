import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { isItemFlow, itemFlowFaults } from '../../test/support/item-flow-faults.ts';
import { loadSpec } from '../spec/load/load-spec.ts';
import { validateSpec } from '../spec/rules/validate.ts';
import { analyze } from './analyze.ts';
import { readJson } from './read-json.ts';
import { ledgerFaults } from './testing/check-ledger.ts';
import { AGENT, analysisOf, BASE, linkTo, textOf, trigger } from './testing/item-exports.ts';

vi.mock(
  '../items/n8n-types.ts',
  async () => (await import('./testing/step-types.ts')).SOME_STEP_TYPES,
);

const TYPES = [
  ...['set', 'code', 'if', 'switch', 'merge', 'splitInBatches', 'noOp', 'wait', 'slack', 'filter'],
  ...['manualTrigger', 'webhook', 'stickyNote', 'respondToWebhook', 'executeWorkflow', 'form'],
].map((name) => BASE + name);
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('={{ $json.x }}', '=a {{ $("n0").item.json["b"] }}', 'x'.repeat(5000), '', null),
);
const element = fc.record({
  type: fc.constantFrom(...TYPES, AGENT),
  typeVersion: fc.constantFrom(1, 2, 2.2, 3, 4),
  parameters: fc.dictionary(
    fc.oneof(fc.string(), fc.constantFrom('text', 'rules', 'options')),
    value,
    { maxKeys: 4 },
  ),
  disabled: fc.constantFrom(false, false, true),
  onError: fc.constantFrom('continueErrorOutput', 'continueRegularOutput', 'stopWorkflow'),
  position: fc.tuple(fc.nat(3), fc.nat(3)),
  credentials: fc.constantFrom({}, { api: { id: '1', name: 'One' } }),
});
const wires = fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.nat(3), fc.nat(2)), { maxLength: 24 });
const exports = fc
  .tuple(fc.array(element, { minLength: 2, maxLength: 10 }), wires, fc.constantFrom('v0', 'v1'))
  .map(([list, links, executionOrder]) => {
    const nodes = [
      { type: `${BASE}manualTrigger`, typeVersion: 1, parameters: {}, position: [0, 0] },
      { type: `${BASE}set`, typeVersion: 3, parameters: {}, position: [1, 0] },
      ...list,
    ].map((node, i) => ({ id: `id${i}`, name: `n${i}`, ...node }));
    const ports = new Map<string, object[][]>([['n0', [[linkTo('n1')]]]]);
    for (const [from, to, port, index] of links) {
      const name = `n${from % nodes.length}`;
      const own = ports.get(name) ?? [];
      while (own.length <= port) own.push([]);
      own[port]?.push(linkTo(`n${to % nodes.length}#${index}`));
      ports.set(name, own);
    }
    const connections = Object.fromEntries([...ports].map(([name, main]) => [name, { main }]));
    return JSON.stringify({ nodes, connections, settings: { executionOrder } });
  });

describe('any export with a step that runs here', () => {
  it('becomes a valid flow that has every wire and every setting, with a whole ledger', () => {
    fc.assert(
      fc.property(exports, (raw) => {
        const outcome = analyze({ source: 'n8n', raw, conversion: 'extended' });
        if (!outcome.ok) {
          expect(outcome.code).toBe('source_unparseable');
          return;
        }
        expect(isItemFlow(outcome)).toBe(true);
        expect(itemFlowFaults(raw, outcome)).toEqual([]);
        expect(ledgerFaults(readJson(raw), outcome)).toEqual([]);
        const loaded = loadSpec({ base: outcome.spec });
        const findings = loaded.spec === undefined ? loaded.diagnostics : validateSpec(loaded.spec);
        expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
        expect(analysisOf(raw)).toEqual(outcome);
      }),
      { numRuns: 200 },
    );
  });

  it('what looks for wires and settings finds one that is missing', () => {
    const raw = textOf({
      t: trigger,
      a: { type: `${BASE}if`, parameters: { x: 1 }, to: [['b#1'], ['b']] },
      b: { type: `${BASE}merge` },
    });
    const outcome = analysisOf(raw);
    const spec = structuredClone(outcome.spec) as {
      workflow: { edges: { condition?: { key: string } }[] };
      metadata: { flow: { steps: Record<string, { parameters: object; inputs?: unknown }> } };
    };
    const faults = (): number => itemFlowFaults(raw, { ...outcome, spec } as never).length;
    expect(faults()).toBe(0);
    const [first, ...rest] = spec.workflow.edges;
    spec.workflow.edges = rest;
    expect(faults()).toBe(1);
    spec.workflow.edges = first === undefined ? [] : [first, ...rest];
    const condition = rest[0]?.condition;
    if (condition !== undefined) condition.key = 'output_7';
    expect(faults()).toBe(1);
    if (condition !== undefined) condition.key = 'output_0';
    const { steps } = spec.metadata.flow;
    delete steps['b']?.inputs;
    expect(faults()).toBe(1);
    if (steps['a'] !== undefined) steps['a'].parameters = { x: 2 };
    expect(faults()).toBe(2);
  });
});
