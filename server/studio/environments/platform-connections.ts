import { PROJECT_HEADER } from '../../contract/platform/specs.ts';
import { refuse } from '../../contract/studio/errors.ts';
import type { Ids } from '../../kernel/ids.ts';
import { sha256Hex } from '../../kernel/sha256.ts';
import { createPlatformClient, type PlatformClient } from '../../platform-client/client.ts';
import { readProfilesFile } from '../../platform-client/profiles.ts';
import type { ProjectEnvironmentRow } from '../../store/studio-tables.ts';
import type { Handle } from '../handle.ts';
import { storeFingerprint } from './environments-repository.ts';
import { lookUpProfile, type Profile, type ProfileLookup } from './profiles.ts';

/** The profile that the host injects: the platform of this installation. */
export const LOCAL_PROFILE = 'local';

export interface ConnectionOptions {
  /** The platform behind profile `local`. */
  readonly local: { readonly url: string; readonly apiKey?: string | undefined };
  readonly profilesFiles: readonly string[];
  readonly ids: Ids;
}

/** `scheme://host:port` with the default port filled in, hashed (studio.md 13). */
function endpointFingerprint(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  const standard = protocol === 'https:' ? '443' : '80';
  return sha256Hex(`${protocol}//${hostname.toLowerCase()}:${port === '' ? standard : port}`);
}

/** Leads from a binding to the platform behind it. */
export class PlatformConnections {
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** The profile of a name, or why it cannot be used. */
  lookUp(name: string): ProfileLookup {
    if (name !== LOCAL_PROFILE) return lookUpProfile(this.#options.profilesFiles, name);
    const { url, apiKey } = this.#options.local;
    return { ok: true, profile: { url, apiKey, authScheme: 'bearer', timeoutMs: 30_000 } };
  }

  /** Every profile that can be named, the own platform first. */
  profileNames(): string[] {
    const file = readProfilesFile(this.#options.profilesFiles);
    const names = file.kind === 'read' ? [...file.profiles.keys()] : [];
    return [LOCAL_PROFILE, ...names.filter((name) => name !== LOCAL_PROFILE).sort()];
  }

  /** Where a generation leads now, and whether that is where it led at first; nobody is asked. */
  endpointOf(binding: ProjectEnvironmentRow): {
    readonly url: string;
    readonly endpoint: 'own' | 'not_seen' | 'same' | 'changed' | 'unknown';
  } {
    const found = this.lookUp(binding.profile_name);
    if (!found.ok) return { url: '', endpoint: 'unknown' };
    const { url } = found.profile;
    if (binding.profile_name === LOCAL_PROFILE) return { url, endpoint: 'own' };
    if (binding.endpoint_fingerprint === null) return { url, endpoint: 'not_seen' };
    const same = binding.endpoint_fingerprint === endpointFingerprint(url);
    return { url, endpoint: same ? 'same' : 'changed' };
  }

  /**
   * A client for a binding.
   * The endpoint of a profile is remembered at first use and may not change under a generation;
   * profile `local` is exempt, since the installation's own platform may take another port.
   */
  async clientFor(handle: Handle, binding: ProjectEnvironmentRow): Promise<PlatformClient> {
    const found = this.lookUp(binding.profile_name);
    if (!found.ok) throw refuse('environment_unavailable', { message: found.reason });
    if (binding.profile_name !== LOCAL_PROFILE) {
      const fingerprint = endpointFingerprint(found.profile.url);
      if (binding.endpoint_fingerprint === null) {
        await storeFingerprint(handle, binding, fingerprint);
      } else if (binding.endpoint_fingerprint !== fingerprint) {
        throw refuse('environment_changed');
      }
    }
    // The own platform looks for code in the folder of the project that asks.
    const own = binding.profile_name === LOCAL_PROFILE;
    return this.#client(found.profile, own ? { [PROJECT_HEADER]: binding.project_id } : {});
  }

  #client(profile: Profile, headers: Readonly<Record<string, string>>): PlatformClient {
    return createPlatformClient({
      headers,
      baseUrl: profile.url,
      apiKey: profile.apiKey,
      authScheme: profile.authScheme,
      timeoutMs: profile.timeoutMs,
      userAgent: 'specwright-studio',
      newRequestId: () => this.#options.ids.uuid(),
    });
  }
}
