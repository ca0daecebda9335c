import type { GatewayStatus } from '../../contract/gateway/status.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Connection, SERVICE_NAMES, type ServiceName } from '../connection.ts';
import { refuseAtGateway } from '../gateway-errors.ts';
import { probesApart, readGatewayStatus } from '../gateway-status.ts';
import { type StatusFollower, type StatusWatch, watchStatus } from '../status-watch.ts';
import type { Remotes } from './remotes.ts';

const LOOK_MS = 5_000;

/** What each connection's services answer, for the windows on it. */
export class Statuses {
  readonly #own: Connection;
  readonly #remotes: Remotes;
  readonly #version: string;
  readonly #watches = new Map<string, StatusWatch>();

  constructor(own: Connection, remotes: Remotes, version: string) {
    this.#own = own;
    this.#remotes = remotes;
    this.#version = version;
  }

  /** What a window that asks is told. @throws Refusal connection_gone, and those of the store of secrets */
  async answer(id: string | undefined): Promise<GatewayStatus> {
    const status = await this.#read(id);
    this.#watches.get(id ?? this.#own.id)?.answered(status);
    return status;
  }

  async #read(id: string | undefined): Promise<GatewayStatus> {
    if (id === undefined || id === this.#own.id) {
      return readGatewayStatus(this.#own, this.#version);
    }
    const stored = this.#remotes.find(id);
    if (stored === undefined) throw refuseAtGateway('connection_gone');
    const services = new Set<ServiceName>(
      SERVICE_NAMES.filter((name) => name !== 'studio' || stored.drafts === 'there'),
    );
    const way = await this.#remotes.way(stored);
    const connection = this.#remotes.connection(stored, this.#own);
    return readGatewayStatus(connection, this.#version, {
      ...{ way, services },
      lacks: (await this.#remotes.lacks(stored))?.words ?? [],
    });
  }

  /** A window that follows is told also why nothing can be asked. */
  async #told(id: string): Promise<GatewayStatus> {
    try {
      return await this.#read(id);
    } catch (error) {
      const problem = error instanceof Refusal ? error.code : 'internal_error';
      const silent = { present: true, reachable: false, address: null, problem, here: false };
      const name = this.#remotes.find(id)?.name ?? id;
      return {
        version: this.#version,
        connection: { id, name, kind: 'remote' },
        lacks: [],
        services: { studio: silent, dashboard: silent, platform: silent },
      };
    }
  }

  #watch(id: string): StatusWatch {
    const found = this.#watches.get(id);
    if (found !== undefined) return found;
    const isOwn = id === this.#own.id;
    const made = watchStatus({
      status: () => this.#told(id),
      probes: isOwn ? probesApart(this.#own) : [],
      ...(isOwn ? {} : { everyMs: LOOK_MS }),
    });
    this.#watches.set(id, made);
    return made;
  }

  /** Tells the status of a connection now and whenever it is another one, until the answer is called. */
  follow(id: string | undefined, follower: StatusFollower): () => void {
    return this.#watch(id ?? this.#own.id).follow(follower);
  }

  close(): void {
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
  }
}
