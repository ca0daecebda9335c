import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { getHealthz } from '../../../server/contract/dashboard/probes.ts';
import { every } from '../../data/failure-pace.ts';
import { queryClient, routeQuery } from '../../data/query-client.ts';
import { CopyCode } from '../../ui/copy-code.tsx';
import { Page } from '../../ui/page.tsx';

const LOCKED_MS = 5_000;

/**
 * A place of operators; while the dashboard is locked down after a restore, what that is and what
 * ends it. A read that fails by it asks for the state again, so a lock that begins is seen at once.
 */
export function RecoveryGate(props: { readonly children: ReactNode }) {
  const health = useQuery({
    ...routeQuery(getHealthz),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchInterval: (query) =>
      every(query.state.data?.checks.recovery_mode === true ? LOCKED_MS : false)(query),
  });
  const locked = health.data?.checks.recovery_mode === true;
  const before = useRef(locked);
  useEffect(() => {
    if (before.current && !locked) {
      void queryClient.invalidateQueries();
    }
    before.current = locked;
  }, [locked]);
  return locked ? <LockedDown /> : props.children;
}

function LockedDown() {
  return (
    <Page title={t('Operations are locked down')} testId="locked-down">
      <div className="sw-state" role="alert">
        <div className="sw-state-icon">
          <IconLock size={28} stroke={1.5} aria-hidden />
        </div>
        <div className="sw-state-title">
          {t('The dashboard’s store was put back from a copy, or locked on the server')}
        </div>
        <div className="sw-state-text">
          <p>
            {t(
              'What it says of roles and environments may be old, so nothing is shown and nothing can be done here, and everybody was signed out. The platform and its runs go on meanwhile.',
            )}
          </p>
          <p>
            {t(
              'Who runs the server writes down in a file which role may do what, then ends it there:',
            )}
          </p>
          <CopyCode
            value="specwright dashboard recover --reconcile --access-map FILE --keep-connections"
            label={t('Copy command')}
          />
          <p>{t('This page goes on by itself then.')}</p>
        </div>
      </div>
    </Page>
  );
}
