import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { desktopApi } from '../desktop/bridge.ts';
import { localStore } from '../desktop/local-store.ts';

const KEY = 'theme';

function isScheme(value: string | null): value is MantineColorScheme {
  return value === 'light' || value === 'dark' || value === 'auto';
}

/** Remembers light, dark or system in this window and tells the shell, whose menus follow. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: (fallback) => {
    const stored = localStore.get(KEY);
    return isScheme(stored) ? stored : fallback;
  },
  set: (value) => {
    localStore.set(KEY, value);
    void desktopApi()?.setTheme(value === 'auto' ? 'system' : value);
  },
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  clear: () => localStore.remove(KEY),
};
