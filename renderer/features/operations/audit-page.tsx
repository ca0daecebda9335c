import { t } from '../../../preload/texts/t.ts';
import './audit.css';
import { SegmentedControl } from '@mantine/core';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useHindrance } from '../../data/operator.ts';
import { type AuditView, otherTab } from './audit-model.ts';
import { OperatePage, Shut } from './operate-page.tsx';
import { OperatorsLog } from './operators-log.tsx';
import { PlatformEvents } from './platform-events.tsx';

const SUB = {
  platform: t('What happened on the platform, newest first'),
  operators: t('What people did through this dashboard, and runs of artifacts, newest first'),
} as const;

function show(view: AuditView): void {
  navigateTo(paths.audit(view), { replace: true });
}

/** What happened: on the platform, and through this dashboard. The address says what is shown. */
export function AuditPage({ view }: { readonly view: AuditView }) {
  const tab = view.tab ?? 'platform';
  const hindrance = useHindrance('audit.read');
  const isShut = hindrance !== undefined;
  const choice = (
    <SegmentedControl
      size="xs"
      aria-label={t('Whose acts')}
      value={tab}
      onChange={(value) => show(otherTab(view, value))}
      data={[
        { value: 'platform', label: t('Platform') },
        { value: 'operators', label: t('People') },
      ]}
      data-testid="audit-tab"
    />
  );
  const props = { view, onView: show, choice };
  return (
    <OperatePage title={t('Audit')} sub={SUB[tab]} flush={!isShut} testId="audit-page">
      {hindrance !== undefined && (
        <Shut title={t('Your role does not show it')} hindrance={hindrance} testId="audit-shut" />
      )}
      {!isShut && tab === 'platform' && <PlatformEvents {...props} />}
      {!isShut && tab === 'operators' && <OperatorsLog {...props} />}
    </OperatePage>
  );
}
