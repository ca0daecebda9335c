import { useRoom } from '../../ui/use-room.ts';

/** Widths of the window, zoom included, from which the run list has room for more columns. */
export const WIDE = 1121;
export const MIDDLE = 840;

/** The largest of these widths that the window has; 0 where it has none. */
export function useTableRoom(): number {
  const middle = useRoom({ width: MIDDLE });
  const wide = useRoom({ width: WIDE });
  if (wide) {
    return WIDE;
  }
  return middle ? MIDDLE : 0;
}
