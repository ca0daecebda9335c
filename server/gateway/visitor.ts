import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { me as operatorShape } from '../contract/dashboard/session.ts';
import { originOf } from '../identity/forwarding.ts';
import { GATEWAY_KEY_HEADER } from '../identity/gateway-key.ts';
import { bearerOf } from '../identity/request-bearer.ts';
import { withoutTrailingSlashes } from '../kernel/trailing-slashes.ts';
import type { Connection, ServiceName, Target } from './connection.ts';
import type { OperatorRights } from './platform-rights.ts';
import { cookiesIn, jarOf } from './visitor-cookies.ts';

/** Somebody at the door of a service that has a sign-in of its own. */
export interface Visit {
  /** The address that the service may believe. */
  readonly client: string;
  readonly isHttps: boolean;
  /** What the service's cookies are named after in this browser. */
  readonly jar: string;
  /** The service's own cookies. */
  readonly cookie: string | undefined;
  /** An access token of the provider that people sign in at. */
  readonly token: string | undefined;
}

const PATIENCE_MS = 5_000;
/** A stream that is open says nothing of its session: it is looked at again. */
const LOOK_AGAIN_MS = 15_000;
/** What everybody may do changes rarely. */
const KNOWN_MS = 2_000;

/** Headers by which a service knows a visitor. */
export function visitHeaders({ client, isHttps, cookie, token }: Visit): Record<string, string> {
  return {
    'x-forwarded-for': client,
    'x-forwarded-proto': isHttps ? 'https' : 'http',
    ...(cookie === undefined ? {} : { cookie }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}

/** Headers by which a service knows the gateway. */
export function targetHeaders({ authorization, gatewayKey }: Target): Record<string, string> {
  return {
    ...(authorization === undefined ? {} : { authorization }),
    ...(gatewayKey === undefined ? {} : { [GATEWAY_KEY_HEADER]: gatewayKey }),
  };
}

/** Why nothing is known of a visitor. */
type Unknown = 'nobody' | 'unreached' | 'untrusted';

/** Asks a service who asks. */
function askMe(target: Target, headers: Record<string, string>): Promise<Response> {
  return fetch(`${withoutTrailingSlashes(target.baseUrl)}/api/me`, {
    headers: { ...targetHeaders(target), ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
}

/** Visitors of the services that ask who somebody is. */
export class Visitors {
  readonly #connection: Connection;
  readonly #proxies: BlockList;
  readonly #port: () => number;
  #everybody: { readonly rights: OperatorRights; readonly until: number } | undefined;
  /** The services that people sign in at. */
  readonly services: readonly ServiceName[];

  constructor(connection: Connection, proxies: BlockList, port: () => number) {
    this.#connection = connection;
    this.#proxies = proxies;
    this.#port = port;
    this.services = (['studio', 'dashboard'] as const).filter(
      (name) => connection.targets[name]?.signIn !== undefined,
    );
  }

  /** The visit that a request is; undefined when a proxy that nobody named speaks for somebody. */
  visitOf(request: IncomingMessage, service: ServiceName): Visit | undefined {
    const { client, isHttps, isUntrusted } = originOf(request, this.#proxies);
    if (isUntrusted || client === null) return undefined;
    const jar = jarOf(service, this.#port(), isHttps);
    const isOidc = this.#connection.targets[service]?.signIn?.mode === 'oidc';
    const token = isOidc ? bearerOf(request.headers) : undefined;
    return { client, isHttps, jar, cookie: cookiesIn(request.headers.cookie, jar), token };
  }

  /** What a service says to "who am I" of a visitor. */
  async #me(request: IncomingMessage, service: ServiceName): Promise<Response | Unknown> {
    const target: Target | undefined = this.#connection.targets[service];
    const visit = this.visitOf(request, service);
    if (visit === undefined) return 'untrusted';
    const isSomebody = visit.cookie !== undefined || visit.token !== undefined;
    if (target?.signIn === undefined || !isSomebody) return 'nobody';
    try {
      const answer = await askMe(target, visitHeaders(visit));
      if (answer.ok) return answer;
      await answer.body?.cancel();
      return answer.status === 401 ? 'nobody' : 'unreached';
    } catch {
      return 'unreached';
    }
  }

  /**
   * The operator that the dashboard takes everybody for; undefined where it asks who somebody is, or
   * there is none.
   */
  async everybody(): Promise<OperatorRights | 'unreached' | undefined> {
    const target = this.#connection.targets.dashboard;
    if (target === undefined || target.signIn !== undefined) return undefined;
    const now = performance.now();
    if (this.#everybody !== undefined && now < this.#everybody.until) return this.#everybody.rights;
    const rights = await this.#readEverybody(target);
    if (rights !== 'unreached') this.#everybody = { rights, until: now + KNOWN_MS };
    return rights;
  }

  async #readEverybody(target: Target): Promise<OperatorRights | 'unreached'> {
    try {
      const answer = await askMe(target, {});
      const read = operatorShape.safeParse(await answer.json());
      if (!answer.ok || !read.success) return 'unreached';
      const { capabilities, environments } = read.data;
      return { capabilities, isLimited: environments !== null };
    } catch {
      return 'unreached';
    }
  }

  /** Ends a stream of a visitor soon after their last session ended. */
  endWithVisit(
    request: IncomingMessage,
    response: ServerResponse,
    services: readonly ServiceName[] = this.services,
  ): void {
    const look = async (): Promise<void> => {
      if (!(await this.isKnown(request, services))) response.destroy();
    };
    const timer = setInterval(() => void look(), LOOK_AGAIN_MS);
    timer.unref();
    response.once('close', () => clearInterval(timer));
  }

  /** True for somebody who is signed in at any of the services. */
  async isKnown(request: IncomingMessage, services = this.services): Promise<boolean> {
    const answers = await Promise.all(
      services.map(async (service) => {
        const answer = await this.#me(request, service);
        if (typeof answer === 'string') return false;
        await answer.body?.cancel();
        return true;
      }),
    );
    return answers.includes(true);
  }
}
