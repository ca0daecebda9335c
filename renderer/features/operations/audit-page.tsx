import { SegmentedControl } from '@mantine/core';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useHindrance } from '../../data/operator.ts';
import { OperatePage, Shut } from './operate-page.tsx';
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
      {hindrance !== undefined && (
        <Shut title="Your role does not show it" hindrance={hindrance} testId="audit-shut" />
      )}
      {!isShut && tab === 'platform' && <PlatformEvents key={run} run={run} choice={choice} />}
      {!isShut && tab === 'operators' && <OperatorsLog key={run} run={run} choice={choice} />}
    </OperatePage>
  );
}
