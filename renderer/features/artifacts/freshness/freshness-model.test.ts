import { describe, expect, it } from 'vitest';
import {
  FreshnessOffer,
  FreshnessOutcome,
  type LineageFreshnessView,
} from '../../../../server/contract/studio/freshness.ts';
import { electionText, exportHindrance, importerOf, OFFERS, OUTCOMES } from './freshness-model.ts';

describe('freshness in words', () => {
  it('says every outcome and every offer, each otherwise (AS-079, AS-090)', () => {
    const told = FreshnessOutcome.options.map((outcome) => OUTCOMES[outcome].about);
    expect(new Set(told).size).toBe(9);
    const offered = FreshnessOffer.shape.kind.options.map((kind) => OFFERS[kind].about);
    expect(new Set(offered).size).toBe(4);
  });

  it('names what refuses an export, and nothing for states that do not (AS-078)', () => {
    const refusing = ['blocked', 'unknown', 'stale'].map(exportHindrance);
    expect(refusing.every((text) => text !== undefined)).toBe(true);
    expect(['clear', 'attested', 'not_applicable'].map(exportHindrance)).toEqual(
      Array(3).fill(undefined),
    );
  });

  it('imports again as it was imported', () => {
    expect(importerOf('n8n/strict')).toEqual({ source: 'n8n', conversion: 'strict' });
    expect(importerOf('dify')).toEqual({ source: 'dify', conversion: 'extended' });
  });

  it('says what the election of a lineage came to (AS-087)', () => {
    const lineage = (part: Partial<LineageFreshnessView>): LineageFreshnessView => ({
      age: null,
      carried: [],
      elected_analysis_id: 'a',
      elected_in_frozen_set: true,
      importer: 'n8n',
      invalid: false,
      offers: [],
      ordered: true,
      outcome: 'current',
      output_sha256: 'o',
      source_sha256: 's',
      ...part,
    });
    expect(electionText(lineage({}))).toMatch(/carries the elected/);
    expect(electionText(lineage({ elected_in_frozen_set: false }))).toMatch(/after the artifact/);
    expect(electionText(lineage({ elected_analysis_id: null }))).toMatch(/damaged/);
    expect(electionText(lineage({ ordered: false }))).toMatch(/cannot be read/);
  });
});
