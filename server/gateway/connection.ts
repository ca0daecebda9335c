/** The services that a connection leads to; also the first segment of the gateway's paths. */
export const SERVICE_NAMES = ['studio', 'dashboard', 'platform'] as const;
/** A service behind the gateway. */
export type ServiceName = (typeof SERVICE_NAMES)[number];

/** How people sign in at a service that has a sign-in of its own (decision record 0028). */
export interface OwnSignIn {
  readonly mode: 'static' | 'oidc';
  /** The identity provider's name for people; null where there are passwords. */
  readonly provider: string | null;
}

/** One service of a connection. */
export interface Target {
  /** Absolute; its path replaces the gateway's prefix. */
  readonly baseUrl: string;
  /** Value of the Authorization header that the gateway adds. */
  readonly authorization?: string;
  /** Runs in a process of its own: it can end while the gateway goes on. */
  readonly apart?: boolean;
  /** By this the service believes whom the gateway asks for. */
  readonly gatewayKey?: string;
  /** It asks who somebody is; undefined = whoever is let in here may use it. */
  readonly signIn?: OwnSignIn;
}

/** Where the workbench is connected: the services of this process, or those of another host. */
export interface Connection {
  readonly id: string;
  readonly name: string;
  readonly kind: 'embedded' | 'remote';
  readonly targets: Readonly<Partial<Record<ServiceName, Target>>>;
}

/** A request path under one of the prefixes, with the service's own part and the query. */
export interface ForwardedPath {
  readonly service: ServiceName;
  readonly rest: string;
}

/** Splits `/studio/api/me?x=1` into its service and `/api/me?x=1`; undefined for other paths. */
export function parseForwardedPath(url: string): ForwardedPath | undefined {
  for (const service of SERVICE_NAMES) {
    const prefix = `/${service}`;
    if (!url.startsWith(prefix)) continue;
    const rest = url.slice(prefix.length);
    if (rest === '' || rest.startsWith('?')) return { service, rest: `/${rest}` };
    if (rest.startsWith('/')) return { service, rest };
  }
  return undefined;
}
