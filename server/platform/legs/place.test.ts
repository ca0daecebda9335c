import { expect, test } from 'vitest';
import { LARGE_SPEC } from '../large-spec.ts';
import type { Leg } from './leg.ts';
import { type Moment, type Place, placeOf } from './place.ts';

const ASKED: readonly Leg['kind'][] = ['new', 'resumed'];
const CLAIMED: readonly Leg['kind'][] = ['claimed', 'taken_over'];
const IN_THREAD: readonly Leg['kind'][] = ['sent', 'moved'];

const SMALL: Moment = { before: 'reading', specChars: LARGE_SPEC };
const LARGE: Moment = { before: 'reading', specChars: LARGE_SPEC + 1 };
const SHORT: Moment = { before: 'the first step', long: false };
const LONG: Moment = { before: 'the first step', long: true };
const CALL: Moment = { before: 'a call outside' };
const SLICE: Moment = { before: 'a further slice' };

test.each<[what: string, kinds: readonly Leg['kind'][], hasThread: boolean, Moment, Place]>([
  ['a small spec is read where it is asked for', ASKED, true, SMALL, 'here'],
  ['a large one is not', ASKED, true, LARGE, 'thread'],
  ['a few steps begin where they are asked for', ASKED, true, SHORT, 'here'],
  ['many steps do not', ASKED, true, LONG, 'thread'],
  ['who calls the outside moves', ASKED, true, CALL, 'thread'],
  ['who has computed for a slice moves', ASKED, true, SLICE, 'thread'],
  ['a claimed run is read by its worker', CLAIMED, true, LARGE, 'here'],
  ['a claimed run is begun by its worker', CLAIMED, true, LONG, 'here'],
  ['without a thread a large spec is read here', ASKED, false, LARGE, 'here'],
  ['without a thread many steps begin here', ASKED, false, LONG, 'here'],
  ['without a thread the outside is called from here', [...ASKED, ...CLAIMED], false, CALL, 'here'],
  ['without a thread slices follow one another here', [...ASKED, ...CLAIMED], false, SLICE, 'here'],
  ['in the thread nothing moves: a large spec', IN_THREAD, false, LARGE, 'here'],
  ['in the thread nothing moves: many steps', IN_THREAD, false, LONG, 'here'],
  ['in the thread nothing moves: the outside', IN_THREAD, false, CALL, 'here'],
  ['in the thread nothing moves: a slice', IN_THREAD, false, SLICE, 'here'],
])('%s', (_what, kinds, hasThread, moment, place) => {
  for (const kind of kinds) expect(placeOf({ kind, hasThread }, moment)).toBe(place);
});
