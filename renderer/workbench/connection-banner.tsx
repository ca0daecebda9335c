import { Button } from '@mantine/core';
import { IconLogin2, IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../preload/texts/t.ts';
import { getHealthz } from '../../server/contract/dashboard/probes.ts';
import { getGatewayStatus } from '../../server/contract/gateway/status.ts';
import { getReadiness } from '../../server/contract/studio/probes.ts';
import { isSignedOut, isUnanswered } from '../data/api-error.ts';
import { connectionStore } from '../data/chosen-connection.ts';
import { type Read, useFailedRead } from '../data/failed-read.ts';
import { followGatewayStatus } from '../data/gateway-status.ts';
import { queryClient, routeQuery } from '../data/query-client.ts';
import { isServed, SERVED } from '../data/served.ts';
import { tellOpened } from '../data/sign-in.ts';
import { desktopApi } from '../desktop/bridge.ts';
import { RetryLine } from '../ui/retry-line.tsx';
import { rich } from '../ui/rich.ts';
import { useStore } from '../ui/store.ts';
import { RemoteBanner } from './remote-banner.tsx';
import { SessionEnded } from './session-ended.tsx';

const LOOK_MS = 60_000;
const LOOK_AGAIN_MS = 5_000;

/** Says that the session has ended or what does not answer; nothing while all is well. */
export function ConnectionBanner() {
  return isServed('gateway') ? <GatewayBanner /> : <OwnBanner />;
}

/** Whether the one service that served this page still answers. */
function OwnBanner() {
  const route = SERVED.service === 'studio' ? getReadiness : getHealthz;
  const query = useQuery({
    ...routeQuery<typeof getReadiness | typeof getHealthz>(route),
    retry: false,
    refetchInterval: ({ state }) => (state.error === null ? LOOK_MS : LOOK_AGAIN_MS),
  });
  const silent = isUnanswered(query.error);
  useReadAgainAfter(silent);
  return silent ? <Unanswered query={query} /> : null;
}

/** What could not be read meanwhile is read once a trouble is over. */
function useReadAgainAfter(trouble: boolean): void {
  const before = useRef(trouble);
  useEffect(() => {
    if (before.current && !trouble) {
      void queryClient.invalidateQueries();
    }
    before.current = trouble;
  }, [trouble]);
}

function Unanswered({ query }: { readonly query: Read }) {
  const failed = useFailedRead(query);
  return (
    <div className="sw-banner" role="alert" data-tone="danger" data-testid="gateway-down">
      <IconPlugConnectedX size={16} aria-hidden />
      <span className="sw-banner-text">
        {rich(
          'Specwright at {code} does not answer. Start it again; this page goes on by itself. Unsaved text is kept. {retryLine}',
          {
            code: <code>{location.origin}</code>,
            retryLine: failed !== undefined && (
              <RetryLine failed={failed} isFetching={query.isFetching} />
            ),
          },
        )}
      </span>
    </div>
  );
}

function GatewayBanner() {
  const connection = useStore(connectionStore);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another connection is followed anew.
  useEffect(followGatewayStatus, [connection]);
  const status = useQuery({ ...routeQuery(getGatewayStatus), retry: false });
  // One that was never answered forgets its error while it is made again: that is no sign-in.
  const cause = useFailedRead(status)?.cause;
  const signedOut = isSignedOut(cause);
  const [explained, setExplained] = useState(true);
  const isIn = status.isSuccess && desktopApi() === undefined;
  useEffect(() => {
    if (isIn) {
      tellOpened();
    }
  }, [isIn]);
  const wasSignedOut = useRef(false);
  useEffect(() => {
    // Requests that failed while the connection was lost are sent again, so that the page goes on
    // where it was.
    if (wasSignedOut.current && !signedOut) {
      setExplained(true);
      void queryClient.invalidateQueries();
    }
    wasSignedOut.current = signedOut;
  }, [signedOut]);
  if (signedOut) {
    return (
      <div className="sw-banner" role="alert" data-tone="warning" data-testid="signed-out">
        <IconLogin2 size={16} aria-hidden />
        <span className="sw-banner-text">
          {t(
            'Your session has ended. Ask the program for a new link and open it in this browser. Unsaved text is kept.',
          )}
        </span>
        <Button size="compact-sm" variant="default" onClick={() => setExplained(true)}>
          {t('What to do')}
        </Button>
        {explained && (
          <SessionEnded
            error={cause}
            looking={status.isFetching}
            onLookAgain={() => void status.refetch()}
            onClose={() => setExplained(false)}
          />
        )}
      </div>
    );
  }
  // In the desktop's window the shell says that the services ended.
  if (isUnanswered(cause) && desktopApi() === undefined) {
    return <Unanswered query={status} />;
  }
  if (connection !== null) {
    return <RemoteBanner status={status.data} />;
  }
  const platform = status.data?.services.platform;
  return platform?.present === true && !platform.reachable ? (
    <div className="sw-banner" role="alert" data-tone="danger" data-testid="platform-down">
      <IconPlugConnectedX size={16} aria-hidden />
      <span className="sw-banner-text">
        {rich(
          'The run platform at {code} does not answer. Drafts and imports work on; runs and tasks come back with it.',
          { code: <code>{platform.address}</code> },
        )}
      </span>
    </div>
  ) : null;
}
