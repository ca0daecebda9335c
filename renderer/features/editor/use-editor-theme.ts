import { useComputedColorScheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect } from 'react';
import { useContrast } from '../../ui/use-contrast.ts';
import { monaco } from './monaco-setup.ts';

/** Gives every editor the theme of the window: its colour scheme, and its contrast. */
export function useEditorTheme(): void {
  const chosen = useComputedColorScheme('dark');
  const contrast = useContrast();
  // Where the system forces its colours, they are light or dark whatever was chosen here.
  const systemIsDark = useMediaQuery('(prefers-color-scheme: dark)', false, {
    getInitialValueInEffect: false,
  });
  const scheme = contrast === 'forced' ? (systemIsDark ? 'dark' : 'light') : chosen;
  useEffect(() => {
    const high = scheme === 'dark' ? 'hc-black' : 'hc-light';
    monaco.editor.setTheme(contrast === 'usual' ? `specwright-${scheme}` : high);
  }, [scheme, contrast]);
}
