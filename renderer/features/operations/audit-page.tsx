import { SegmentedControl } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useHindrance } from '../../data/operator.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { OperatePage } from './operate-page.tsx';
import { OperatorsLog } from './operators-log.tsx';
import { PlatformEvents } from './platform-events.tsx';

const SUB = {
  platform: 'What happened on the platform, newest first',
  operators: 'What people did through this dashboard, newest first',
} as const;

/** What happened: on the platform, and through this dashboard. */
export function AuditPage(props: {
  readonly tab: 'platform' | 'operators';
  /** The run that is asked about; empty for all. */
  readonly run: string;
}) {
  const { tab, run } = props;
  const hindrance = useHindrance('audit.read');
  const isShut = hindrance !== undefined;
  const choice = (
    <SegmentedControl
      size="xs"
      aria-label="Whose acts"
      value={tab}
      onChange={(value) => {
        const about = run === '' ? {} : { run };
        const to = value === 'operators' ? { tab: value, ...about } : about;
        navigateTo(paths.audit(to), { replace: true });
      }}
      data={[
        { value: 'platform', label: 'Platform' },
        { value: 'operators', label: 'People' },
      ]}
      data-testid="audit-tab"
    />
  );
  return (
    <OperatePage title="Audit" sub={SUB[tab]} flush={!isShut} testId="audit-page">
      {isShut && (
        <EmptyState
          icon={<IconLock size={32} stroke={1.25} />}
          title="Your role does not show it"
          testId="audit-shut"
        >
          {hindrance}
        </EmptyState>
      )}
      {!isShut && tab === 'platform' && <PlatformEvents key={run} run={run} choice={choice} />}
      {!isShut && tab === 'operators' && <OperatorsLog key={run} run={run} choice={choice} />}
    </OperatePage>
  );
}
