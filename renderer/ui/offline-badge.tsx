import { Tooltip } from '@mantine/core';
import { t } from '../../preload/texts/t.ts';
import { Badge } from './status-badge.tsx';

/** Marks what the offline runtime answered in place of a model. */
export function OfflineBadge() {
  return (
    <Tooltip
      multiline
      w={280}
      label={t(
        'The offline runtime answered, not a model: its text only repeats what it was given. Name a model and set its key to get real answers.',
      )}
    >
      <span data-testid="offline-badge">
        <Badge tone="info">{t('offline answer')}</Badge>
      </span>
    </Tooltip>
  );
}
