import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { z } from 'zod';
import {
  type ConnectionView,
  type connectionBody,
  type RemoteSettings,
  remoteSettings,
  type StoredConnection,
} from '../../contract/gateway/connections.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Log } from '../../kernel/log.ts';
import { toTimestamp } from '../../kernel/timestamp.ts';
import { withoutTrailingSlashes } from '../../kernel/trailing-slashes.ts';
import type { Connection, ServiceName, Target } from '../connection.ts';
import { type GatewayErrorCode, refuseAtGateway } from '../gateway-errors.ts';
import { KeptAnswers } from './kept-answers.ts';
import { askRemote } from './remote-ask.ts';
import { failureOf } from './remote-failure.ts';
import { Lacks } from './remote-offers.ts';
import { type RemoteSecrets, SecretsOfRemotes } from './remote-secrets.ts';
import { RemoteSignIn } from './remote-sign-in.ts';
import { openWay, type Way } from './remote-way.ts';
import type { AskSystemProxy } from './system-proxy.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Change = z.output<typeof connectionBody>;

/** How long a description of a platform counts, and is waited for. */
const DESCRIBED_MS = 10 * 60_000;
const DESCRIPTION_MS = 3_000;

/** Where connections are written down. */
export interface ConnectionBook {
  read(): readonly StoredConnection[];
  write(connections: readonly StoredConnection[]): void;
}

export interface RemotesDeps {
  readonly book: ConnectionBook;
  readonly secrets: RemoteSecrets;
  /** Where the system's proxies are told when there is no desktop to ask. */
  readonly env: Env;
  readonly askSystem?: AskSystemProxy | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

/** A server that a request goes to, over the way of its connection. */
export interface Destination {
  readonly target: Target;
  readonly way: Way;
  /** What an answer "nobody knows you" means here. */
  refused(): Promise<GatewayErrorCode>;
}

/** Why a request cannot go where it is meant for. */
export interface NoDestination {
  readonly code: GatewayErrorCode;
}

/** The services of a connection and how they are reached. */
export interface Reached {
  readonly stored: StoredConnection;
  readonly way: Way;
}

function certificatesOf(text: string): X509Certificate[] {
  const parts = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return parts.map((part) => new X509Certificate(part));
}

/** @throws Refusal certificate_refused for what no handshake could use */
function checkCertificates(settings: RemoteSettings, clientKey: string | undefined): void {
  try {
    for (const text of [settings.authorities, settings.client_certificate]) {
      if (text !== null && certificatesOf(text).length === 0) throw new TypeError('none');
    }
    if (settings.client_certificate === null) return;
    const [own] = certificatesOf(settings.client_certificate);
    const fits = own?.checkPrivateKey(createPrivateKey(clientKey ?? '')) === true;
    if (!fits) throw new TypeError('the key belongs to another certificate');
  } catch (cause) {
    throw refuseAtGateway('certificate_refused', { cause });
  }
}

function settingsOf(change: Change): RemoteSettings {
  const { key: _key, client_key: _clientKey, proxy_password: _password, ...settings } = change;
  return remoteSettings.parse(settings);
}

/** Keys of servers that the connection does not name any more are forgotten with them. */
function identitiesKept(
  settings: RemoteSettings,
  identities: StoredConnection['identities'],
): StoredConnection['identities'] {
  const { platform, dashboard, studio, auth } = settings;
  const addresses = [platform, dashboard, studio, auth.kind === 'oidc' ? auth.issuer : null];
  const origins = new Set(addresses.flatMap((one) => (one === null ? [] : [new URL(one).origin])));
  return identities.filter(({ origin }) => origins.has(origin));
}

/** The connections of this computer, with the ways that are open to them. */
export class Remotes {
  readonly #deps: RemotesDeps;
  readonly #ways = new Map<string, Promise<Way>>();
  readonly #lacks = new KeptAnswers<Lacks | undefined>(DESCRIBED_MS);
  /** The keys that servers showed last, also those that were refused. */
  readonly #shown = new Map<string, string>();
  readonly secrets: SecretsOfRemotes;
  readonly signIn: RemoteSignIn;

  constructor(deps: RemotesDeps) {
    this.#deps = deps;
    this.secrets = new SecretsOfRemotes(deps.secrets);
    this.signIn = new RemoteSignIn({ secrets: this.secrets, clock: deps.clock, log: deps.log });
  }

  find(id: string): StoredConnection | undefined {
    return this.#deps.book.read().find((one) => one.id === id);
  }

  /** @throws Refusal connection_unknown */
  get(id: string): StoredConnection {
    const found = this.find(id);
    if (found === undefined) throw refuseAtGateway('connection_unknown');
    return found;
  }

  async list(): Promise<ConnectionView[]> {
    return Promise.all(this.#deps.book.read().map((one) => this.view(one)));
  }

  /** Whether a secret is stored; one that cannot be opened now is. */
  async #has(id: string, kind: 'key' | 'client-key' | 'proxy'): Promise<boolean> {
    try {
      return (await this.secrets.read(id, kind)) !== undefined;
    } catch {
      return true;
    }
  }

  async view(stored: StoredConnection): Promise<ConnectionView> {
    const { id } = stored;
    const tokens = await this.secrets.tokens(id).catch(() => undefined);
    return {
      ...stored,
      stored: {
        key: await this.#has(id, 'key'),
        client_key: await this.#has(id, 'client-key'),
        proxy_password: await this.#has(id, 'proxy'),
      },
      signed_in:
        tokens === undefined || stored.auth.kind !== 'oidc'
          ? null
          : {
              name: tokens.name,
              until: tokens.ends_at === undefined ? null : toTimestamp(tokens.ends_at),
              renews: tokens.refresh_token !== undefined,
            },
    };
  }

  #write(id: string, next: StoredConnection | undefined): void {
    const others = this.#deps.book.read().filter((one) => one.id !== id);
    this.#deps.book.write(next === undefined ? others : [...others, next]);
  }

  /** @throws Refusal certificate_refused and those of the store of secrets */
  async add(change: Change): Promise<ConnectionView> {
    const id = this.#deps.ids.hex();
    return this.#put({ ...settingsOf(change), id, identities: [] }, change);
  }

  /** @throws Refusal connection_unknown, certificate_refused and those of the store of secrets */
  async change(id: string, change: Change): Promise<ConnectionView> {
    const before = this.get(id);
    const settings = settingsOf(change);
    const identities = identitiesKept(settings, before.identities);
    // A token is for who gave it: another provider, or another client, begins anew.
    if (JSON.stringify(settings.auth) !== JSON.stringify(before.auth)) await this.signIn.end(id);
    return this.#put({ ...settings, id, identities }, change);
  }

  async #put(next: StoredConnection, change: Change): Promise<ConnectionView> {
    const { id } = next;
    const kept = change.client_key ?? (await this.secrets.read(id, 'client-key'));
    checkCertificates(next, change.client_key === null ? undefined : kept);
    await this.secrets.change(id, 'key', next.auth.kind === 'key' ? change.key : null);
    await this.secrets.change(
      id,
      'client-key',
      next.client_certificate === null ? null : change.client_key,
    );
    await this.secrets.change(
      id,
      'proxy',
      next.proxy.kind === 'manual' ? change.proxy_password : null,
    );
    this.#write(id, next);
    await this.#closeWay(id);
    return this.view(next);
  }

  /** @throws Refusal connection_unknown and those of the store of secrets */
  async remove(id: string): Promise<void> {
    this.get(id);
    await this.signIn.end(id);
    await this.secrets.forget(id);
    this.#write(id, undefined);
    await this.#closeWay(id);
  }

  /** Takes the key that a server showed for its own from now on. @throws Refusal */
  async accept(id: string, origin: string, keySha256: string): Promise<ConnectionView> {
    const stored = this.get(id);
    // Nobody accepts what no server showed.
    if (this.#shown.get(`${id} ${origin}`) !== keySha256) throw refuseAtGateway('request_invalid');
    const next = this.#withIdentity(stored, origin, keySha256);
    this.#write(id, next);
    await this.#closeWay(id);
    return this.view(next);
  }

  #withIdentity(stored: StoredConnection, origin: string, key: string): StoredConnection {
    const others = stored.identities.filter((one) => one.origin !== origin);
    const since = toTimestamp(this.#deps.clock.now());
    return { ...stored, identities: [...others, { origin, key_sha256: key, since }] };
  }

  /** The key that a server showed last; undefined before its first handshake. */
  shownKey(id: string, origin: string): string | undefined {
    return this.#shown.get(`${id} ${origin}`);
  }

  #met(id: string, origin: string, key: string): void {
    this.#shown.set(`${id} ${origin}`, key);
    const stored = this.find(id);
    if (stored === undefined || stored.identities.some((one) => one.origin === origin)) return;
    try {
      this.#write(id, this.#withIdentity(stored, origin, key));
    } catch (error) {
      // This stands in the middle of a handshake; the next one tries again.
      this.#deps.log.error({ connection: id, err: error }, 'the key of a server was not kept');
    }
  }

  async #openWay(stored: StoredConnection): Promise<Way> {
    const { id } = stored;
    return openWay({
      settings: stored,
      clientKey: await this.secrets.read(id, 'client-key'),
      proxyPassword: await this.secrets.read(id, 'proxy'),
      env: this.#deps.env,
      askSystem: this.#deps.askSystem,
      now: () => this.#deps.clock.now(),
      knownKey: (origin) =>
        this.find(id)?.identities.find((one) => one.origin === origin)?.key_sha256,
      met: (origin, key) => this.#met(id, origin, key),
    });
  }

  /** @throws Refusal of the store of secrets */
  async way(stored: StoredConnection): Promise<Way> {
    const found = this.#ways.get(stored.id);
    if (found !== undefined) return found;
    const opened = this.#openWay(stored);
    this.#ways.set(stored.id, opened);
    opened.catch(() => this.#ways.delete(stored.id));
    return opened;
  }

  async #closeWay(id: string): Promise<void> {
    this.#lacks.forget(id);
    const way = this.#ways.get(id);
    this.#ways.delete(id);
    (await way?.catch(() => undefined))?.close();
  }

  /** The value of the Authorization header for the servers of a connection. @throws Refusal of the store of secrets */
  async authorization(reached: Reached): Promise<string | undefined | NoDestination> {
    const { auth, id } = reached.stored;
    if (auth.kind === 'none') return undefined;
    if (auth.kind === 'key') {
      const key = await this.secrets.read(id, 'key');
      return key === undefined ? { code: 'remote_key_missing' } : `Bearer ${key}`;
    }
    const token = await this.signIn.token({ connection: reached.stored, way: reached.way });
    return typeof token === 'string' ? `Bearer ${token}` : token;
  }

  /**
   * Where a request of a window on a connection goes; undefined = to the studio of this computer.
   * @throws Refusal of the store of secrets
   */
  async destination(
    id: string,
    service: ServiceName,
    asked: { readonly method: string; readonly rest: string },
  ): Promise<Destination | NoDestination | undefined> {
    const stored = this.find(id);
    if (stored === undefined) return { code: 'connection_gone' };
    if (service === 'studio' && stored.drafts === 'here') return undefined;
    const baseUrl = stored[service];
    if (baseUrl === null) return { code: 'connection_unknown' };
    const reached = { stored, way: await this.way(stored) };
    const authorization = await this.authorization(reached);
    if (typeof authorization === 'object') return authorization;
    try {
      await reached.way.prepare(new URL(baseUrl));
    } catch (error) {
      return { code: failureOf(error) };
    }
    const lacks = service === 'platform' ? await this.lacks(stored) : undefined;
    if (lacks?.covers(asked.method, asked.rest) === true) return { code: 'remote_lacks' };
    return {
      target: { baseUrl, ...(authorization === undefined ? {} : { authorization }) },
      way: reached.way,
      refused: () => this.#refused(reached),
    };
  }

  /** What the platform of a connection lacks by its own description; undefined when it gives none. */
  async lacks(stored: StoredConnection): Promise<Lacks | undefined> {
    const { id, platform } = stored;
    if (platform === null) return undefined;
    try {
      return await this.#lacks.get(id, () => this.#readLacks(stored, platform));
    } catch {
      // Whatever is wrong with the server, the request itself meets it and says so.
      return undefined;
    }
  }

  async #readLacks(stored: StoredConnection, platform: string): Promise<Lacks | undefined> {
    const url = new URL(`${withoutTrailingSlashes(platform)}/openapi.json`);
    const way = await this.way(stored);
    const { status, body } = await askRemote(way, url, { patienceMs: DESCRIPTION_MS });
    return status === 200 ? Lacks.in(JSON.parse(body.toString())) : undefined;
  }

  async #refused({ stored, way }: Reached): Promise<GatewayErrorCode> {
    if (stored.auth.kind !== 'oidc') return 'remote_key_refused';
    try {
      await this.signIn.refused({ connection: stored, way });
    } catch (error) {
      // The token stays where it cannot be reached now; the server refuses it again.
      this.#deps.log.warn({ connection: stored.id, err: error }, 'the token was not forgotten');
    }
    return 'remote_sign_in_required';
  }

  /** A connection with the services that its windows see. */
  connection(stored: StoredConnection, own: Connection): Connection {
    const { id, name, drafts } = stored;
    const at = (baseUrl: string | null): Target | undefined =>
      baseUrl === null ? undefined : { baseUrl };
    const studio = drafts === 'here' ? own.targets.studio : at(stored.studio);
    const dashboard = at(stored.dashboard);
    const platform = at(stored.platform);
    return {
      ...{ id, name, kind: 'remote' },
      targets: {
        ...(studio === undefined ? {} : { studio }),
        ...(dashboard === undefined ? {} : { dashboard }),
        ...(platform === undefined ? {} : { platform }),
      },
    };
  }

  async close(): Promise<void> {
    this.signIn.close();
    for (const id of [...this.#ways.keys()]) await this.#closeWay(id);
  }
}
