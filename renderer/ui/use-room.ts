import { useMediaQuery } from '@mantine/hooks';

/** What a part of the window needs beside or below the main one. */
export type Room = { readonly width: number } | { readonly height: number };

function roomQuery(least: Room): string {
  return 'width' in least ? `(min-width: ${least.width}px)` : `(min-height: ${least.height}px)`;
}

/** Whether the window, zoom included, has that room now. */
export function hasRoom(least: Room): boolean {
  return window.matchMedia(roomQuery(least)).matches;
}

/** True while the window, zoom included, has room for a part beside or below the main one. */
export function useRoom(least: Room): boolean {
  return useMediaQuery(roomQuery(least), true, { getInitialValueInEffect: false });
}
