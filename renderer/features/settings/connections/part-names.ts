import { t } from '../../../../preload/texts/t.ts';
import type { ServiceReport } from '../../../../server/contract/gateway/connections.ts';

/** What a connection leads to, by the name that people see. */
export const PART_NAMES: Readonly<Record<ServiceReport['service'], string>> = {
  platform: t('Run platform'),
  dashboard: t('Dashboard'),
  studio: t('Studio'),
};
