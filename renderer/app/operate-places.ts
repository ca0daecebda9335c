import { useEffect } from 'react';
import { t } from '../../preload/texts/t.ts';
import { isServed } from '../data/served.ts';
import { registerHandlers } from './commands.ts';
import { navigateTo } from './navigation.ts';
import { paths } from './paths.ts';

/** The operator's pages: each names the others, the palette reaches them. */
export const OPERATE_PLACES = [
  { command: 'go.overview', label: t('Overview'), path: paths.overview },
  { command: 'go.failures', label: t('Failures'), path: () => paths.failures() },
  { command: 'go.spend', label: t('Spend'), path: paths.spend },
  { command: 'go.launch', label: t('Launch'), path: paths.launch },
  { command: 'go.policies', label: t('Policies'), path: () => paths.policies() },
  { command: 'go.audit', label: t('Audit'), path: () => paths.audit() },
  { command: 'go.health', label: t('Health'), path: paths.health },
  { command: 'go.webhooks', label: t('Webhooks'), path: paths.webhooks },
  { command: 'go.secrets', label: t('Credentials'), path: paths.secrets },
  { command: 'go.administration', label: t('Administration'), path: paths.administration },
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
