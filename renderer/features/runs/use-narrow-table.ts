import { useMediaQuery } from '@mantine/hooks';

/** True where the run list has no room for its wide columns. */
export function useNarrowTable(): boolean {
  return useMediaQuery('(max-width: 1120px)') === true;
}
