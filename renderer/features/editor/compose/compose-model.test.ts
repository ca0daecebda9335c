import { expect, test } from 'vitest';
import { ApiError } from '../../../data/api-error.ts';
import {
  countValues,
  faultOf,
  freezeLabel,
  layerOf,
  moveTo,
  overridesText,
  readOverrides,
} from './compose-model.ts';

const composing = { base: 'a/base.yaml', overlays: ['eu.yaml', 'prod.yaml'], overrides: '' };

function refusal(code: string, details: Record<string, unknown>): ApiError {
  return new ApiError({
    status: 409,
    code,
    message: 'no',
    requestId: null,
    details,
    retryAfter: null,
  });
}

test('overrides are read as YAML; nothing but comments is none', () => {
  expect(readOverrides('').value).toEqual({});
  expect(readOverrides('# later\n\n').value).toEqual({});
  expect(readOverrides('agent: {name: x}\ngone: null\n').value).toEqual({
    agent: { name: 'x' },
    gone: null,
  });
  expect(readOverrides('- a').value).toBeNull();
  expect(readOverrides('agent: {').problem).toContain('not closed');
  expect(overridesText({})).toBe('');
  expect(readOverrides(overridesText({ a: { b: ['yes', null] } })).value).toEqual({
    a: { b: ['yes', null] },
  });
});

test('a layer is moved to a place, and nowhere beyond the ends', () => {
  const list = ['a', 'b', 'c'];
  expect(moveTo(list, 2, 0)).toEqual(['c', 'a', 'b']);
  expect(moveTo(list, 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moveTo(list, 0, -1)).toBe(list);
  expect(moveTo(list, 2, 3)).toBe(list);
});

test('a refusal stands at the row that it is about', () => {
  const row = (error: unknown) => faultOf(error, composing).row;
  expect(row(refusal('draft_stale', { path: 'a/base.yaml' }))).toBe('base');
  expect(row(refusal('component_wrong_kind', { path: 'prod.yaml' }))).toBe('overlay 1');
  expect(row(refusal('snapshot_unavailable', { path: 'other.yaml' }))).toBeNull();
  const at = (...loc: (string | number)[]) =>
    refusal('request_invalid', { errors: [{ loc, msg: 'Anchors are not allowed.' }] });
  expect(faultOf(at('body', 'overlays', 0), composing)).toMatchObject({
    row: 'overlay 0',
    text: 'Anchors are not allowed.',
  });
  expect(row(at('body', 'base', 'path'))).toBe('base');
  expect(row(at('body', 'overrides'))).toBe('overrides');
  expect(row(at('body', 'alias'))).toBeNull();
  expect(faultOf(refusal('spec_too_complex', {}), composing)).toMatchObject({
    row: null,
    text: 'no',
  });
});

test('a layer says how it stands to the version that it comes from', () => {
  const draft = (ref: string, revision: string | null) => ({
    ref,
    revision,
    kind: 'overlay',
    capabilities: 'read',
    registered_at: '',
    analysis_ids: [],
    can_assert_not_applicable: false,
    not_applicable_asserted: false,
  });
  const from = [{ path: 'eu.yaml', revision: '1' }];
  const state = (...drafts: ReturnType<typeof draft>[]) => layerOf('eu.yaml', drafts, from).state;
  expect(state(draft('eu.yaml', '1'))).toBe('same');
  expect(state(draft('eu.yaml', '2'))).toBe('changed');
  expect(state(draft('eu.yaml', null))).toBe('missing');
  expect(state()).toBe('missing');
  expect(layerOf('eu.yaml', [draft('eu.yaml', '1')], []).state).toBe('new');
});

test('the button says what it freezes', () => {
  expect(freezeLabel({ ...composing, overlays: [] }, {})).toBe('Freeze base.yaml');
  expect(freezeLabel(composing, { agent: { name: 'x', tools: ['a', 'b'] }, gone: null })).toBe(
    'Freeze base.yaml with 2 overlays and 3 overrides',
  );
  expect(freezeLabel({ ...composing, overlays: ['eu.yaml'] }, null)).toBe(
    'Freeze base.yaml with 1 overlay',
  );
  expect(countValues({ a: {}, b: { c: {} } })).toBe(2);
});
