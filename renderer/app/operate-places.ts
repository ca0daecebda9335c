import { useEffect } from 'react';
import { isServed } from '../data/served.ts';
import { registerHandlers } from './commands.ts';
import { navigateTo } from './navigation.ts';
import { paths } from './paths.ts';

/** The operator's pages: each names the others, the palette reaches them. */
export const OPERATE_PLACES = [
  { command: 'go.overview', label: 'Overview', path: paths.overview },
  { command: 'go.failures', label: 'Failures', path: () => paths.failures() },
  { command: 'go.spend', label: 'Spend', path: paths.spend },
  { command: 'go.launch', label: 'Launch', path: paths.launch },
  { command: 'go.policies', label: 'Policies', path: () => paths.policies() },
  { command: 'go.audit', label: 'Audit', path: () => paths.audit() },
  { command: 'go.health', label: 'Health', path: paths.health },
  { command: 'go.secrets', label: 'Credentials', path: paths.secrets },
  { command: 'go.administration', label: 'Administration', path: paths.administration },
] as const;

/** Handles the command of each of the operator's pages. */
export function useOperateCommands(): void {
  useEffect(
    () =>
      isServed('dashboard')
        ? registerHandlers(
            OPERATE_PLACES.map(({ command, path }) => ({ command, run: () => navigateTo(path()) })),
          )
        : undefined,
    [],
  );
}
