import { SegmentedControl } from '@mantine/core';
import { t } from '../../../../preload/texts/t.ts';
import type { Estate } from '../../../../server/contract/studio/estate.ts';
import { navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { sharedCredentials } from './estate-graph.ts';

/** The views of an import: its files, and what they have to do with each other. */
export function BatchViews(props: {
  readonly projectId: string;
  readonly part: string;
  readonly estate: Estate;
}) {
  const { projectId, part, estate } = props;
  return (
    <div className="sw-batch-views">
      <SegmentedControl
        size="xs"
        aria-label={t('View of the import')}
        value={part}
        onChange={(view) =>
          navigateTo(paths.importBatch(projectId, view === 'files' ? undefined : view), {
            replace: true,
          })
        }
        data={[
          { value: 'files', label: t('Files') },
          { value: 'calls', label: t('Who runs whom {count}', { count: estate.calls.length }) },
          {
            value: 'credentials',
            label: t('Shared credentials {count}', { count: sharedCredentials(estate).length }),
          },
          { value: 'causes', label: t('Causes {count}', { count: estate.causes.length }) },
        ]}
        data-testid="batch-views"
      />
    </div>
  );
}
