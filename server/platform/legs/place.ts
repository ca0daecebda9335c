import { LARGE_SPEC } from '../large-spec.ts';
import type { Leg } from './leg.ts';

/** Where the next part of a leg executes: in this thread, or in the execution thread. */
export type Place = 'here' | 'thread';

/** When the place is asked for, and what is known then. */
export type Moment =
  | { readonly before: 'reading'; readonly specChars: number }
  /** `long`: it runs so many steps that it takes time in any case. */
  | { readonly before: 'the first step'; readonly long: boolean }
  /** A model, a tool or code is to be called. */
  | { readonly before: 'a call outside' }
  /** It has computed for as long as one leg may keep others waiting. */
  | { readonly before: 'a further slice' };

/** What of a leg decides about its place. */
export interface Placed {
  readonly kind: Leg['kind'];
  /** False in the execution thread itself, and in a process that has none. */
  readonly hasThread: boolean;
  /** Nothing executes here: legs of requests begin elsewhere. */
  readonly takesAll?: boolean;
}

/** A leg of a request that is certain to move begins where it would move to. */
function movesWhole(kind: Leg['kind'], isSlow: boolean): Place {
  return isSlow && (kind === 'new' || kind === 'resumed') ? 'thread' : 'here';
}

/**
 * A leg that is over within a moment executes where it was asked for, because a thread would cost it
 * a message and a second commit; one that takes time or needs the outside does not keep others
 * waiting there (decision record 0008).
 */
export function placeOf({ kind, hasThread, takesAll = false }: Placed, moment: Moment): Place {
  if (!hasThread) return 'here';
  switch (moment.before) {
    case 'reading':
      return movesWhole(kind, takesAll || moment.specChars > LARGE_SPEC);
    case 'the first step':
      return movesWhole(kind, moment.long);
    case 'a call outside':
    case 'a further slice':
      return 'thread';
  }
}
