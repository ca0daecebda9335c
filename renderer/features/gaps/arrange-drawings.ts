/** What the drawings are looked at for: the place of a gap, or the whole workflow. */
export type DrawingFocus = 'gap' | 'whole';

/** How source and draft share a pane: beside or above each other, or one at a time. */
export type Arrangement = 'beside' | 'stacked' | 'one';

const BESIDE_FROM: Readonly<Record<DrawingFocus, number>> = { gap: 620, whole: 1000 };
const STACKED_FROM = 440;

/**
 * Shares a pane of this size, in pixels, between the two drawings. A source is drawn from left to
 * right, so that the whole of it needs the width more than the height.
 */
export function arrange(focus: DrawingFocus, width: number, height: number): Arrangement {
  if (width >= BESIDE_FROM[focus]) return 'beside';
  return focus === 'whole' && height >= STACKED_FROM ? 'stacked' : 'one';
}
