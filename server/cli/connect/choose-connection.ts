import type { CliSettings } from './cli-settings.ts';
import { type Profiles, profileNamed } from './profiles.ts';
import { serviceUrl } from './service-url.ts';

/** The connection words of a command, as they were typed. */
export interface ConnectionOptions {
  readonly serviceUrl?: string;
  readonly profile?: string;
  /** Data folder of the platform in this process. */
  readonly data?: string;
}

/** The words of a command that shows an answer. */
export interface AnswerOptions extends ConnectionOptions {
  readonly json?: boolean;
}

/** Which platform a command speaks to: one behind an address, or the one of this computer. */
export type Connection =
  | { readonly kind: 'remote'; readonly url: string; readonly apiKey: string | undefined }
  | { readonly kind: 'local'; readonly data: string | undefined };

/** What the choice looks at; profiles are read only when they are needed. */
export interface ConnectionFacts {
  readonly settings: Pick<CliSettings, 'apiKey'>;
  profiles(): Profiles;
  /** `service.default_url` of the project. */
  projectUrl(): string | undefined;
  /** The platform that serves the usual data folder. */
  served(): ServedPlatform | undefined;
}

/** A platform of this person that runs, with the key that it asks for. */
export interface ServedPlatform {
  readonly url: string;
  readonly key: string | undefined;
}

/** True when both addresses have scheme, host and port in common. */
export function isSamePlace(one: string, other: string): boolean {
  return URL.canParse(one) && new URL(one).origin === new URL(other).origin;
}

/**
 * An address that a file of the project names. The file may be somebody else's, so a key goes there
 * only when the platform of the person's own data folder answers there, or when a profile of the
 * person names the same place: any program of this computer may listen on a loopback address.
 */
function ofProject(url: string, profiles: Profiles, facts: ConnectionFacts): Connection {
  const { apiKey } = facts.settings;
  const known = Object.values(profiles.profiles).find(({ service_url }) =>
    isSamePlace(service_url, url),
  );
  if (known !== undefined) return { kind: 'remote', url, apiKey: known.api_key || apiKey };
  const served = facts.served();
  const isServed = served !== undefined && isSamePlace(served.url, url);
  return { kind: 'remote', url, apiKey: isServed ? (served.key ?? apiKey) : undefined };
}

/**
 * Profile (its url unless --service-url; its key) → --service-url → the project's default address →
 * active profile → this computer (contract/platform.md 13). `--data` names this computer outright.
 * @throws CommandFailure for an unknown profile or an unusable address.
 */
export function chooseConnection(options: ConnectionOptions, facts: ConnectionFacts): Connection {
  const remote = (url: string, key: string | null = null): Connection => ({
    kind: 'remote',
    url: serviceUrl(url),
    apiKey: key || facts.settings.apiKey,
  });
  if (options.profile !== undefined) {
    const { service_url, api_key } = profileNamed(facts.profiles(), options.profile);
    return remote(options.serviceUrl ?? service_url, api_key);
  }
  if (options.serviceUrl !== undefined) return remote(options.serviceUrl);
  if (options.data !== undefined) return { kind: 'local', data: options.data };
  const projectUrl = facts.projectUrl();
  const profiles = facts.profiles();
  if (projectUrl !== undefined) return ofProject(serviceUrl(projectUrl), profiles, facts);
  if (profiles.active !== null) {
    const { service_url, api_key } = profileNamed(profiles, profiles.active);
    return remote(service_url, api_key);
  }
  return { kind: 'local', data: undefined };
}
