import { describe, expect, it } from 'vitest';
import { applyFix, fixOffers } from '../../gaps/fixes/fixes.ts';
import { linkWorkflows } from '../../importers/link/link-workflows.ts';
import {
  analysisOf,
  BASE,
  type Made,
  textOf,
  trigger,
} from '../../importers/testing/item-exports.ts';
import { parseSpecText } from '../../spec/yaml/parse-yaml.ts';

const begin: Made = { type: `${BASE}executeWorkflowTrigger`, version: 1.1, to: [['inner']] };
const CALLER = textOf({
  t: trigger,
  a: { type: `${BASE}executeWorkflow`, version: 1.2, parameters: { workflowId: 'b' } },
});
const CALLED = textOf({ begin, inner: {} }, { id: 'b', name: 'Called' });

function calling(raw: string) {
  const caller = analysisOf(raw);
  const [gap] = caller.gaps.filter(({ kind }) => kind === 'subworkflow');
  const called = analysisOf(CALLED);
  const target = {
    ...{ gap_id: gap?.gap_id ?? '', kind: 'subworkflow', label: 'a', name: gap?.spec_ref ?? 'a' },
    called: [{ ref: 'called.yaml', name: 'Called', text: called.spec_yaml, blocking: 0 }],
  };
  return { caller, called, target, whole: { text: caller.spec_yaml, file: 'caller.yaml' } };
}

type FixArguments = Parameters<typeof applyFix>;

function putIn(whole: FixArguments[0], target: FixArguments[1]['targets'][number]) {
  const values = { draft: 'called.yaml' };
  return applyFix(whole, { fix: 'by_draft', values, targets: [target] });
}

describe('a workflow that is imported after the one that runs it', () => {
  it('is put into the draft, which is then what an import of both had made', () => {
    const { caller, called, target, whole } = calling(CALLER);
    expect(fixOffers(whole, [target])[0]?.id).toBe('by_draft');
    const fixed = putIn(whole, target);
    expect(fixed.refused).toEqual([]);
    expect(fixed.errorsAfter).toBe(0);
    const [together] = linkWorkflows([
      { file: 'caller.json', analysis: caller },
      { file: 'called.json', analysis: called },
    ]);
    expect(parseSpecText(fixed.text, 'yaml').value).toEqual(together?.analysis.spec);
    const again = { text: fixed.text, file: 'caller.yaml' };
    expect(fixOffers(again, [target]).map(({ id }) => id)).not.toContain('by_draft');
  });

  it('is not offered where none is known, and refused where it cannot be nested', () => {
    const { target, whole } = calling(CALLER);
    const { called: _, ...alone } = target;
    expect(fixOffers(whole, [alone]).map(({ id }) => id)).not.toContain('by_draft');
    const empty = {
      ...target,
      called: [{ ref: 'e.yaml', name: 'E', text: 'kind: Spec\n', blocking: 0 }],
    };
    const result = applyFix(whole, {
      fix: 'by_draft',
      values: { draft: 'e.yaml' },
      targets: [empty],
    });
    expect(result.refused[0]?.reason).toBe('"E" has no steps.');
  });

  it('is not offered again after it was put in, also where all its code is missing', () => {
    const whole = {
      file: 'caller.yaml',
      text: [
        'version: v1',
        'workflow: {type: graph, start: a, nodes: {a: {kind: workflow, ref: a}}, edges: []}',
        'components: {workflows: {a: {type: sequential, description: b, steps: []}}}',
      ].join('\n'),
    };
    const text = [
      'version: v1',
      'workflow: {type: sequential, steps: [{id: inner, kind: function, ref: inner}]}',
      'components: {functions: {inner: {implementation: imported.inner}}}',
    ].join('\n');
    const target = {
      ...{ gap_id: 'g', kind: 'subworkflow', label: 'a', name: 'a' },
      called: [{ ref: 'called.yaml', name: 'Called', text, blocking: 0 }],
    };
    expect(fixOffers(whole, [target])[0]?.id).toBe('by_draft');
    const fixed = putIn(whole, target);
    expect(fixed.refused).toEqual([]);
    expect(fixed.text).toContain('imported.inner');
    const again = { ...whole, text: fixed.text };
    expect(fixOffers(again, [target]).map(({ id }) => id)).not.toContain('by_draft');
  });
});
