// Luxon asks for the offset of a zone at a moment, often: the host tells it with the span in which it holds.
import { IANAZone } from 'luxon';
import { askHost } from './host.ts';

type Span = readonly [from: number, to: number, offset: number];

const SPANS_OF_A_ZONE = 64;
const spans = new Map<string, Span[]>();

function spanAt(zone: string, moment: number): Span {
  const known = spans.get(zone) ?? [];
  const found = known.find(([from, to]) => from <= moment && moment < to);
  if (found !== undefined) return found;
  const span = askHost('zone_span', [zone, moment]) as Span;
  if (known.length >= SPANS_OF_A_ZONE) known.length = 0;
  known.unshift(span);
  spans.set(zone, known);
  return span;
}

/** Lets zones answer from what is known of them. */
export function installZones(): void {
  IANAZone.prototype.offset = function offset(this: IANAZone, moment: number): number {
    return this.isValid && !Number.isNaN(moment) ? spanAt(this.name, moment)[2] : Number.NaN;
  };
}
