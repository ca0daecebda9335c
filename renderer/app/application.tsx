import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { queryClient } from '../data/query-client.ts';
import { Announcer } from '../ui/announcer.tsx';
import { theme } from '../ui/theme.ts';
import { colorSchemeManager } from './color-scheme.ts';
import { CommandPalette } from './command-palette.tsx';
import { ConnectionProvider } from './connection-provider.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { router } from './router.tsx';

/** The whole window. */
export function Application() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
    >
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <ErrorBoundary>
            <ConnectionProvider>
              <RouterProvider router={router} />
              <CommandPalette />
            </ConnectionProvider>
          </ErrorBoundary>
          <Announcer />
          <Notifications position="bottom-right" limit={4} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
