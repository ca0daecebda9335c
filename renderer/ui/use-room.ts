import { useMediaQuery } from '@mantine/hooks';

/** True while the window, zoom included, has room for a part beside or below the main one. */
export function useRoom(least: { readonly width: number } | { readonly height: number }): boolean {
  const query =
    'width' in least ? `(min-width: ${least.width}px)` : `(min-height: ${least.height}px)`;
  return useMediaQuery(query, true, { getInitialValueInEffect: false });
}
