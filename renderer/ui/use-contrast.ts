import { useMediaQuery } from '@mantine/hooks';
import { preferencesStore } from '../data/preferences.ts';
import { useStore } from './store.ts';

/** `forced` = the system chose the colours of everything. */
export type Contrast = 'usual' | 'more' | 'forced';

const AT_ONCE = { getInitialValueInEffect: false };

/** How much contrast the window has: the system's word, or what the person asked for here. */
export function useContrast(): Contrast {
  const { contrast = 'system' } = useStore(preferencesStore);
  const forced = useMediaQuery('(forced-colors: active)', false, AT_ONCE);
  const more = useMediaQuery('(prefers-contrast: more)', false, AT_ONCE);
  if (forced) {
    return 'forced';
  }
  return more || contrast === 'more' ? 'more' : 'usual';
}
