import { expect, test } from 'vitest';
import type { AnalysisView } from '../../../server/contract/studio/analyses.ts';
import { overlayAt } from './artifact-places.ts';
import { type Blocker, blockerAdvice, gapOf } from './blocker-model.ts';

const blocker = (code: Blocker['code'], spec_ref: string | null): Blocker => ({
  ...{ code, spec_ref, detail: 'd' },
});

test('each blocker leads to where it is fixed', () => {
  const fixes = (code: Blocker['code'], place: string | null) =>
    blockerAdvice(blocker(code, place)).fixes;
  expect(fixes('registry_reference', 'a.implementation')).toEqual(['line', 'registry']);
  expect(fixes('filesystem_dependency', 'a.implementation')).toEqual(['line', 'environments']);
  expect(fixes('filesystem_dependency', 'skills.s.source')).toEqual(['line']);
  expect(fixes('spec_path_reference', 'workflow.nodes.n.ref')).toEqual(['line']);
  expect(fixes('unsupported_transport', 'mcp_servers.m.transport')).toEqual(['line']);
  expect(fixes('unsupported_transport', null)).toEqual(['environments']);
});

test('a blocker finds the gap about its element', () => {
  const gap = (spec_ref: string | null): AnalysisView['gaps'][number] => ({
    ...{ severity: 'blocking', kind: 'k', title: 't', detail: 'd', spec_ref },
    source_ref: { source_id: 's', source_label: 's', locator: null },
    ref: { analysis_id: 'one', gap_id: `gap ${spec_ref}` },
  });
  const analysis: AnalysisView = {
    ...{ analysis_id: 'one', analyzer_version: '1', analyzer_age: 'current' },
    ...{ related_refs: [], suggestions: [] },
    gaps: [gap(null), gap('components.functions.pay')],
  };
  const at = (place: string | null) => gapOf(blocker('filesystem_dependency', place), [analysis]);
  expect(at('components.functions.pay.implementation')).toEqual({
    analysisId: 'one',
    gapId: 'gap components.functions.pay',
  });
  expect(at('components.functions.other.implementation')).toBeUndefined();
  expect(at(null)).toBeUndefined();
});

test('a place belongs to the overlay that its value comes from', () => {
  const origins = [
    { path: 'agent.name', origin: 'base' as const, overlay: null },
    { path: 'tools.mail.description', origin: 'overlay' as const, overlay: 1 },
    { path: 'list[0].a', origin: 'overlay' as const, overlay: 0 },
  ];
  expect(overlayAt(origins, 'tools.mail')).toBe(1);
  expect(overlayAt(origins, 'list')).toBe(0);
  expect(overlayAt(origins, 'list[0].a.deeper')).toBe(0);
  expect(overlayAt(origins, 'agent.name')).toBeNull();
  expect(overlayAt(origins, 'nowhere')).toBeNull();
});
