/** Marks a part of the window where dropped specs join the project that is the value. */
export const TAKES_SPECS = 'data-takes-specs';

/** The project whose files an event of dragging is over; undefined elsewhere. */
export function specPlaceOf(event: Event): string | undefined {
  const { target } = event;
  const place = target instanceof Element ? target.closest(`[${TAKES_SPECS}]`) : null;
  return place?.getAttribute(TAKES_SPECS) ?? undefined;
}
