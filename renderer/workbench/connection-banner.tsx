import { IconLogin2, IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getGatewayStatus } from '../../server/contract/gateway/status.ts';
import { isSignedOut } from '../data/api-error.ts';
import { routeQuery } from '../data/query-client.ts';

const LOOK_MS = 10_000;

/** Says that the session has ended or which service does not answer; nothing while all is well. */
export function ConnectionBanner() {
  const status = useQuery({
    ...routeQuery(getGatewayStatus),
    refetchInterval: LOOK_MS,
    retry: false,
  });
  if (isSignedOut(status.error)) {
    return (
      <div className="sw-banner" role="alert" data-tone="warning" data-testid="signed-out">
        <IconLogin2 size={16} aria-hidden />
        <span className="sw-banner-text">
          Your session has ended. Ask the program for a new link and open it in this browser.
          Unsaved text is kept.
        </span>
      </div>
    );
  }
  const platform = status.data?.services.platform;
  return platform?.present === true && !platform.reachable ? (
    <div className="sw-banner" role="alert" data-tone="danger" data-testid="platform-down">
      <IconPlugConnectedX size={16} aria-hidden />
      <span className="sw-banner-text">
        The run platform at <code>{platform.address}</code> does not answer. Drafts and imports work
        on; runs and tasks come back with it.
      </span>
    </div>
  ) : null;
}
