import { SegmentedControl } from '@mantine/core';
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
        aria-label="View of the import"
        value={part}
        onChange={(view) =>
          navigateTo(paths.importBatch(projectId, view === 'files' ? undefined : view), {
            replace: true,
          })
        }
        data={[
          { value: 'files', label: 'Files' },
          { value: 'calls', label: `Who runs whom ${estate.calls.length}` },
          {
            value: 'credentials',
            label: `Shared credentials ${sharedCredentials(estate).length}`,
          },
          { value: 'causes', label: `Causes ${estate.causes.length}` },
        ]}
        data-testid="batch-views"
      />
    </div>
  );
}
