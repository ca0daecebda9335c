import { useQuery } from '@tanstack/react-query';
import { getMe as getOperator, logout } from '../../server/contract/dashboard/session.ts';
import { endSession } from '../../server/contract/gateway/session.ts';
import { getSignInWays, type SignInWay } from '../../server/contract/gateway/sign-in.ts';
import { getGatewayStatus } from '../../server/contract/gateway/status.ts';
import { getMe, logout as logoutOfStudio } from '../../server/contract/studio/session.ts';
import { desktopApi } from '../desktop/bridge.ts';
import { call } from './api-client.ts';
import { ApiError, isSignedOut, onUnknownSession } from './api-error.ts';
import { useFailedRead } from './failed-read.ts';
import { forgetKey } from './own-key.ts';
import { queryClient, routeKey, routePrefix, routeQuery } from './query-client.ts';
import { isServed, SERVED } from './served.ts';

/** A service that may ask who somebody is. */
export type SignInService = SignInWay['service'];

/** How people sign in at a service; one that is served by itself may ask for the program's key. */
export type Way = Omit<SignInWay, 'mode'> & { readonly mode: SignInWay['mode'] | 'key' };

/**
 * How this window stands with a service. `open`: it asks nobody. `shut`: it asks nobody and is for
 * who runs the server. `ended`: there was a session, and what it showed is still on screen.
 * `elsewhere`: it does not answer at the address that served this window.
 */
export type Standing = 'unknown' | 'open' | 'shut' | 'in' | 'out' | 'ended' | 'elsewhere';

/** How this window stands with both services. */
export interface Standings {
  readonly ways: readonly Way[];
  /** This browser came by the link of who runs the server. */
  readonly link: boolean;
  readonly studio: Standing;
  readonly dashboard: Standing;
  /** Who is signed in, as the services tell people apart. */
  readonly ids: Readonly<Partial<Record<SignInService, string>>>;
  /** Who is signed in, for people; undefined where nobody is, or nobody is asked. */
  readonly author: string | undefined;
  readonly operator: { readonly identity: string; readonly role: string } | undefined;
}

const ME = { studio: getMe, dashboard: getOperator } as const;

function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

interface Asked {
  readonly data: unknown;
  /** Why there was no answer yet, also while it is asked for again. */
  readonly failure: unknown;
}

interface Ways {
  readonly services: readonly Way[];
  readonly link: boolean;
}

/** What the page itself says where a service is served alone. */
function ownWays(): Ways | undefined {
  const { service, sign_in: mode, provider } = SERVED;
  if (service === 'gateway') {
    return undefined;
  }
  return { services: mode === 'none' ? [] : [{ service, mode, provider }], link: false };
}

const OWN_WAYS = ownWays();

function standingOf(service: SignInService, ways: Ways, me: Asked): Standing {
  if (!isServed(service)) {
    return 'elsewhere';
  }
  const isTeam = ways.services.length > 0 && OWN_WAYS === undefined;
  if (!ways.services.some((way) => way.service === service)) {
    return isTeam && !ways.link ? 'shut' : 'open';
  }
  if (isUnknown(me.failure)) {
    return me.data === undefined ? 'out' : 'ended';
  }
  // Whatever else is wrong with the service is said where it is used.
  return me.data === undefined && me.failure === null ? 'unknown' : 'in';
}

const OPEN: Standings = {
  ways: [],
  link: true,
  studio: 'open',
  dashboard: 'open',
  ids: {},
  author: undefined,
  operator: undefined,
};

/** Who a service knows this window as. */
function useMe<R extends (typeof ME)[SignInService]>(route: R, enabled: boolean) {
  const { data, ...read } = useQuery({ ...routeQuery(route), staleTime: 30_000, enabled });
  const failed = useFailedRead(read);
  return { data, failure: failed?.error ?? read.failureReason };
}

/** How this window stands with the services that ask who somebody is. */
export function useStandings(): Standings {
  const inBrowser = desktopApi() === undefined;
  const ways = useQuery({
    ...routeQuery(getSignInWays),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: inBrowser && OWN_WAYS === undefined,
  });
  const told = OWN_WAYS ?? ways.data;
  const asks = (service: SignInService): boolean =>
    told?.services.some((way) => way.service === service) === true;
  const studio = useMe(getMe, asks('studio'));
  const dashboard = useMe(getOperator, asks('dashboard'));
  if (!inBrowser) {
    return OPEN;
  }
  if (told === undefined) {
    // Where nobody tells the ways, each service speaks for itself.
    const failed = ways.failureReason !== null || ways.errorUpdateCount > 0;
    return failed ? OPEN : { ...OPEN, link: false, studio: 'unknown', dashboard: 'unknown' };
  }
  const standings = {
    studio: standingOf('studio', told, studio),
    dashboard: standingOf('dashboard', told, dashboard),
  };
  const author = standings.studio === 'in' ? studio.data : undefined;
  const operator = standings.dashboard === 'in' ? dashboard.data : undefined;
  return {
    ways: told.services,
    link: told.link,
    ...standings,
    ids: {
      ...(author === undefined ? {} : { studio: author.principal_id }),
      ...(operator === undefined ? {} : { dashboard: operator.identity }),
    },
    author: author?.display_name,
    operator,
  };
}

/** True when the service answers this window: it asks nobody, or knows who asks. */
export function isUsable(standing: Standing): boolean {
  return standing === 'in' || standing === 'open';
}

const CHANNEL = 'specwright-sign-in';

function tell(what: 'changed' | 'opened'): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(what);
  channel.close();
}

/** Other windows of this browser look again who is signed in. */
export function tellWindows(): void {
  tell('changed');
}

/** Windows of this browser whose session is over hear that there is one again. */
export function tellOpened(): void {
  tell('opened');
}

/** A page that waits for a session would look for it by itself after a pause. */
function lookForSession(): void {
  const known = queryClient.getQueryState(routeKey(getGatewayStatus));
  if (isSignedOut(known?.error ?? known?.fetchFailureReason)) {
    void queryClient.invalidateQueries({ queryKey: routePrefix(getGatewayStatus) });
  }
}

function lookAgain(service: SignInService): void {
  void queryClient.invalidateQueries({ queryKey: routePrefix(ME[service]) });
}

/**
 * Looks again who is signed in when an answer says that nobody is, and when another window of this
 * browser signed in or out. Returns the function that stops it.
 */
export function followSignIn(): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (data === 'opened') {
      lookForSession();
      return;
    }
    void queryClient.invalidateQueries({ queryKey: routePrefix(getSignInWays) });
    lookAgain('studio');
    lookAgain('dashboard');
  };
  const stop = onUnknownSession((code) => {
    const service = code === 'unauthenticated' ? 'studio' : 'dashboard';
    const known = queryClient.getQueryCache().find({ queryKey: routeKey(ME[service]) });
    // One that is known to be over is not asked for again.
    if (known?.state.status !== 'success') {
      return;
    }
    if (known.state.fetchStatus === 'idle') {
      lookAgain(service);
    } else {
      // What is under way may have been asked before the session ended, and say yes too late.
      known.promise?.then(() => lookAgain(service)).catch(() => undefined);
    }
  });
  return () => {
    stop();
    channel.close();
  };
}

/** Ends the sessions of this browser everywhere; what it showed goes with the page. */
export async function signOut({ ways, link, studio, dashboard }: Standings): Promise<void> {
  if (studio === 'in') {
    await call(logoutOfStudio);
  }
  if (dashboard === 'in') {
    await call(logout);
  }
  if (link && ways.length > 0) {
    await call(endSession);
  }
  forgetKey();
  tellWindows();
  location.reload();
}
