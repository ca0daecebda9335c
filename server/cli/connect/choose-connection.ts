import type { CliSettings } from './cli-settings.ts';
import { type Profiles, profileNamed, type ServiceProfile } from './profiles.ts';
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
  | {
      readonly kind: 'remote';
      readonly url: string;
      readonly apiKey: string | undefined;
      /** The name of the stored secret that is the key; it goes before `apiKey`. */
      readonly secret?: string;
    }
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

/** A platform behind an address, with the key of a profile or another one. */
function remote(
  url: string,
  other: string | undefined,
  profile?: Pick<ServiceProfile, 'api_key' | 'api_key_secret'>,
): Connection {
  const secret = profile?.api_key_secret ?? null;
  const stored = secret === null ? {} : { secret };
  return { kind: 'remote', url, apiKey: profile?.api_key || other, ...stored };
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
  if (known !== undefined) return remote(url, apiKey, known);
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
  const reach = (url: string, profile?: ServiceProfile): Connection =>
    remote(serviceUrl(url), facts.settings.apiKey, profile);
  if (options.profile !== undefined) {
    const profile = profileNamed(facts.profiles(), options.profile);
    return reach(options.serviceUrl ?? profile.service_url, profile);
  }
  if (options.serviceUrl !== undefined) return reach(options.serviceUrl);
  if (options.data !== undefined) return { kind: 'local', data: options.data };
  const projectUrl = facts.projectUrl();
  const profiles = facts.profiles();
  if (projectUrl !== undefined) return ofProject(serviceUrl(projectUrl), profiles, facts);
  if (profiles.active !== null) {
    const profile = profileNamed(profiles, profiles.active);
    return reach(profile.service_url, profile);
  }
  return { kind: 'local', data: undefined };
}
