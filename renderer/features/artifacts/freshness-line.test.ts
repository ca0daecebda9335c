import { expect, test } from 'vitest';
import {
  type ArtifactFreshnessView,
  FreshnessOutcome,
} from '../../../server/contract/studio/freshness.ts';
import { OUTCOMES } from './freshness/freshness-model.ts';
import { freshnessLine } from './freshness-line.ts';
import { firstHindrance } from './readiness-model.ts';

const view = (outcome: ArtifactFreshnessView['outcome']): ArtifactFreshnessView => ({
  ...{ artifact_id: 'a', components: [], legacy_coverage_rule: false },
  ...{ outcome, readiness: 'clear', running_analyzer_version: '1' },
});

test.each(FreshnessOutcome.options)('%s advises and never holds an export back', (outcome) => {
  const line = freshnessLine({ data: view(outcome), error: null });
  expect(line.title).toBe(`Freshness: ${OUTCOMES[outcome].label}`);
  expect(line.detail).toContain(OUTCOMES[outcome].about);
  expect(line.remedy).toBe(line.ok ? 'none' : 'freshness');
  expect(line.ok).toBe(outcome === 'current' || outcome === 'no_inherited_analysis');
  expect(firstHindrance([line])).toBeUndefined();
});

test('what is not known yet, or not at all, holds nothing back either', () => {
  const reading = freshnessLine({ data: undefined, error: null });
  const failed = freshnessLine({ data: undefined, error: new Error('x') });
  expect(reading.pending).toBe(true);
  expect(failed.detail).toMatch(/^Not known/);
  expect(firstHindrance([reading, failed])).toBeUndefined();
});
