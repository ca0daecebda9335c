import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import {
  beginSignIn,
  type ConnectionView,
  endSignIn,
  getSignIn,
} from '../../../../server/contract/gateway/connections.ts';
import { call } from '../../../data/api-client.ts';
import { connectionsChanged } from '../../../data/connections.ts';
import { queryClient, routeQuery } from '../../../data/query-client.ts';
import { useAction } from '../../../data/use-action.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { notifyDone } from '../../../ui/notify.tsx';
import { offerAddress } from '../../../ui/outside-link.tsx';
import { rich } from '../../../ui/rich.ts';
import { SERVICE_TEXT } from '../../../ui/service-text.tsx';
import { Badge } from '../../../ui/status-badge.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';

const LOOK_MS = 1_000;

/** Who is signed in for a connection, and the way to the provider in the system's browser. */
export function RemoteSignIn({ connection }: { readonly connection: ConnectionView }) {
  const { id, name, signed_in: person } = connection;
  const attempt = useQuery({
    ...routeQuery(getSignIn, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? LOOK_MS : false),
  });
  const state = attempt.data?.state;
  useEffect(() => {
    if (state === 'done') {
      // What was refused meanwhile is asked again, so that a page goes on where it was.
      void connectionsChanged().then(() => queryClient.invalidateQueries());
    }
  }, [state]);
  const begin = useAction(async () => {
    const { address } = await call(beginSignIn, { params: { id } });
    await attempt.refetch();
    offerAddress(address);
  });
  const end = useAction(async () => {
    await call(endSignIn, { params: { id } });
    await connectionsChanged();
    await attempt.refetch();
    notifyDone(t('You are signed out of {name}', { name }));
  });
  const waiting = state === 'waiting';
  return (
    <div data-testid={`sign-in-${name}`}>
      <Group gap={8}>
        {person === null ? (
          <Badge tone="warning">{t('not signed in')}</Badge>
        ) : (
          <span>
            <Badge tone="success">{t('signed in')}</Badge> {person.name}
            {person.until !== null && !person.renews && (
              <span className="sw-faint">
                {' '}
                {rich('until {time}', { time: <TimeAgo at={person.until} /> })}
              </span>
            )}
          </span>
        )}
        <Button
          size="compact-sm"
          variant="default"
          loading={begin.busy}
          onClick={() => begin.start()}
          data-testid={`sign-in-begin-${name}`}
        >
          {person === null ? t('Sign in in the browser…') : t('Sign in again…')}
        </Button>
        {person !== null && (
          <Button
            size="compact-sm"
            variant="subtle"
            loading={end.busy}
            onClick={() => end.start()}
            data-testid={`sign-out-${name}`}
          >
            {t('Sign out')}
          </Button>
        )}
      </Group>
      {waiting && (
        <p className="sw-faint" role="status">
          {t('Waiting for the browser. This goes on by itself when you have signed in there.')}
        </p>
      )}
      {attempt.data?.problem && (
        <p role="alert" {...SERVICE_TEXT} data-testid="sign-in-problem">
          {attempt.data.problem.message}
        </p>
      )}
      {begin.error !== undefined && <ErrorState compact error={begin.error} />}
      {end.error !== undefined && <ErrorState compact error={end.error} />}
    </div>
  );
}
