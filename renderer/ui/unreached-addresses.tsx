import { useQuery } from '@tanstack/react-query';
import { t } from '../../preload/texts/t.ts';
import { getGatewayStatus } from '../../server/contract/gateway/status.ts';
import { routeQuery } from '../data/query-client.ts';
import { rich } from './rich.ts';

/** Names the addresses that were asked in vain, once a read says that a service was not reached. */
export function UnreachedAddresses() {
  const status = useQuery({ ...routeQuery(getGatewayStatus), staleTime: 5_000, retry: false });
  const down = Object.entries(status.data?.services ?? {}).filter(
    ([, { present, reachable }]) => present && !reachable,
  );
  if (down.length === 0) {
    return null;
  }
  return (
    <div data-testid="unreached">
      {down.map(([name, { address }]) => (
        <div key={name}>
          {rich('The {detail} at {code} does not answer.', {
            detail: name === 'platform' ? t('run platform') : name,
            code: <code>{address}</code>,
          })}
        </div>
      ))}
    </div>
  );
}
