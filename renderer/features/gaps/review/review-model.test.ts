import { describe, expect, it } from 'vitest';
import type { AnalysisEntry } from '../../../../server/contract/studio/analysis-entries.ts';
import { STUDIO_ERRORS } from '../../../../server/contract/studio/errors.ts';
import { errorTitle } from '../../../ui/error-titles.ts';
import { remedyOf } from '../../../ui/remedies.ts';
import {
  acknowledgingArtifact,
  openElsewhere,
  reviewTarget,
  type Trouble,
  troubleOf,
} from './review-model.ts';

type Part = Partial<AnalysisEntry>;

const entry = (analysis_id: string, part: Part = {}): AnalysisEntry => ({
  analysis_id,
  ref: 'desk.yaml',
  revision: 'edited',
  linked: true,
  source: 'n8n',
  conversion: 'extended',
  importer: 'n8n',
  importer_version: 'n8n@1.0.0',
  analyzer_version: '1.0.0',
  analyzer_age: 'current',
  source_sha256: 's',
  output_sha256: 'made',
  state: 'active',
  record: 'kept',
  superseded_by: null,
  created_at: `2026-01-01T00:00:0${analysis_id.length}`,
  created_by_display_name: 'Ann',
  blocking: 2,
  manual: 2,
  open_blocking: 0,
  open_manual: 0,
  artifact_id: null,
  ...part,
});

const damaged: Part = { state: 'quarantined', open_blocking: 2 };
const dropped: Part = { record: 'reclaimed', open_blocking: 2 };

describe('"Review gaps"', () => {
  it.each<[why: string, entries: AnalysisEntry[], opens: string | undefined]>([
    ['no analysis at all', [], undefined],
    ['one, settled: it says so', [entry('a')], 'a'],
    ['the one with something open', [entry('a'), entry('bb', { open_manual: 1 })], 'bb'],
    ['… wherever it stands', [entry('a', { open_manual: 1 }), entry('bb')], 'a'],
    [
      'what blocks comes before what is to review',
      [entry('a', { open_manual: 9 }), entry('bb', { open_blocking: 1 })],
      'bb',
    ],
    [
      'the elected one before the one that it replaced',
      [entry('aa', { open_blocking: 1, superseded_by: 'b' }), entry('b', { open_blocking: 1 })],
      'b',
    ],
    [
      'a replaced one that is open before an elected one that is not',
      [entry('aa', { open_blocking: 1, superseded_by: 'b' }), entry('b')],
      'aa',
    ],
    ['never a damaged one while another can be read', [entry('aa', damaged), entry('b')], 'b'],
    ['never a dropped one while another can be read', [entry('aa', dropped), entry('b')], 'b'],
    ['a damaged one by itself: its page says what to do', [entry('a', damaged)], 'a'],
    [
      'two that are open: the newer one',
      [entry('a', { open_manual: 1 }), entry('bb', { open_manual: 1 })],
      'bb',
    ],
  ])('%s', (_why, entries, opens) => {
    expect(reviewTarget(entries)?.analysis_id).toBe(opens);
    expect(reviewTarget(entries.toReversed())?.analysis_id).toBe(opens);
  });

  it('when all is settled here, what is open elsewhere is named', () => {
    const here = entry('a');
    expect(openElsewhere([here], 'a')).toBeUndefined();
    expect(openElsewhere([here, entry('b')], 'a')).toBeUndefined();
    expect(openElsewhere([here, entry('b', damaged)], 'a')).toBeUndefined();
    expect(openElsewhere([here, entry('b', { open_manual: 1 })], 'a')?.analysis_id).toBe('b');
  });
});

describe('what an analysis cannot do is said before it is tried', () => {
  it.each<[Trouble['code'] | undefined, Trouble['way'] | undefined, Part]>([
    [undefined, undefined, {}],
    ['quarantined', 'import_again', damaged],
    ['quarantined', 'import_again', { ...damaged, revision: null, linked: false }],
    ['reclaimed', 'import_again', dropped],
    ['missing_file', 'find_file', { revision: null }],
    ['by_bytes_only', null, { linked: false, revision: 'made' }],
    ['superseded', 'open_successor', { superseded_by: 'b' }],
    ['as_imported', 'edit_draft', { revision: 'made', open_blocking: 1 }],
    [undefined, undefined, { revision: 'made', open_manual: 1 }],
  ])('%s → %s', (code, way, part) => {
    const trouble = troubleOf(entry('a', part));
    expect([trouble?.code, trouble?.way]).toEqual([code, way]);
  });
});

describe('acknowledging', () => {
  const artifact = (id: string, path: string, analysis_ids: string[], overlay?: string) => ({
    id,
    analysis_ids,
    base: { path, revision: 'r' },
    overlays: overlay === undefined ? [] : [{ path: overlay, revision: 'r' }],
  });
  const artifacts = [
    artifact('new', 'desk.yaml', ['b']),
    artifact('old', 'desk.yaml', ['a', 'b']),
    artifact('other', 'x.yaml', ['a'], 'over.yaml'),
  ];
  it.each<
    [
      why: string,
      analysis: string,
      ref: string | undefined,
      asked: string | undefined,
      to: string | undefined,
      refused: 'other' | 'gone' | undefined,
    ]
  >([
    ['the newest that carries it', 'b', 'desk.yaml', undefined, 'new', undefined],
    ['… not a newer one that does not', 'a', 'desk.yaml', undefined, 'old', undefined],
    ['the one asked for', 'b', 'desk.yaml', 'old', 'old', undefined],
    ['asked for, but made before the analysis', 'a', 'desk.yaml', 'new', 'old', 'other'],
    ['asked for, but deleted', 'b', 'desk.yaml', 'gone', 'new', 'gone'],
    ['asked for, and no other', 'c', 'desk.yaml', 'new', undefined, 'other'],
    ['one that holds the draft as an overlay', 'a', 'over.yaml', undefined, 'other', undefined],
    ['any, where no draft is named', 'a', undefined, undefined, 'old', undefined],
  ])('%s', (_why, analysis, ref, asked, to, refused) => {
    const found = acknowledgingArtifact(artifacts, analysis, { ref, asked });
    expect([found.artifact?.id, found.refused?.why]).toEqual([to, refused]);
  });
});

it.each([
  'analysis_not_found',
  'analysis_quarantined',
  'analysis_payload_reclaimed',
  'analysis_keys_unavailable',
  'analysis_not_for_ref',
  'analysis_stale',
  'gap_unknown',
  'resolution_requires_an_edit',
  'nothing_to_retract',
  'assertion_refused',
  'draft_stale',
  'draft_not_found',
  'artifact_deleted',
  'analysis_taint_full',
  'analysis_taint_retention_full',
  'snapshot_unavailable',
  'unknown_alias',
] as const)('%s is told in words of its own, with a way out', (code) => {
  const { status } = STUDIO_ERRORS[code];
  expect(errorTitle({ code, status })).not.toBe(errorTitle({ code: 'unheard_of', status }));
  expect(remedyOf(code)).toMatch(/\.$/);
});
