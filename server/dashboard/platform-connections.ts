import { bareAddress } from '../http/bare-address.ts';
import type { Ids } from '../kernel/ids.ts';
import {
  type CallOutcome,
  createPlatformClient,
  type PlatformClient,
} from '../platform-client/client.ts';
import type { PlatformProfile } from '../platform-client/profiles.ts';
import { refuse } from './refusals.ts';

/** The clients of this dashboard's platforms, one per profile. */
export interface PlatformConnections {
  /**
   * The client of a named profile; null = the default connection.
   * @throws Refusal `platform_not_configured` when address or key is unknown.
   */
  clientOf(profile: string | null): PlatformClient;
  /** Where the platform of a profile is asked, as people are shown it; null = nowhere. */
  addressOf(profile: string | null): string | null;
}

export interface PlatformConnectionOptions {
  readonly defaultConnection: PlatformProfile;
  readonly defaultProfile: string | undefined;
  readonly profiles: ReadonlyMap<string, PlatformProfile>;
  readonly ids: Ids;
  readonly userAgent: string;
  observe?(call: CallOutcome): void;
}

/** Builds clients on first use and keeps them. */
export function createPlatformConnections(options: PlatformConnectionOptions): PlatformConnections {
  const clients = new Map<string, PlatformClient>();

  function profileOf(name: string | null): PlatformProfile | undefined {
    const effective = name ?? options.defaultProfile;
    if (effective === undefined) return options.defaultConnection;
    return options.profiles.get(effective);
  }

  function clientOf(name: string | null): PlatformClient {
    const key = name === null ? '' : `=${name}`;
    const known = clients.get(key);
    if (known !== undefined) return known;
    const profile = profileOf(name);
    if (profile?.url === undefined || profile.apiKey === undefined) {
      throw refuse('platform_not_configured');
    }
    const { observe } = options;
    const client = createPlatformClient({
      baseUrl: profile.url,
      apiKey: profile.apiKey,
      authScheme: profile.authScheme,
      timeoutMs: profile.timeout * 1000,
      userAgent: options.userAgent,
      newRequestId: () => options.ids.uuid(),
      ...(observe === undefined ? {} : { observe }),
    });
    clients.set(key, client);
    return client;
  }

  return {
    clientOf,
    addressOf: (name) => bareAddress(profileOf(name)?.url ?? ''),
  };
}
