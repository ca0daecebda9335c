import type {
  GatewayAccess,
  OpenedFolder,
  ServicesPhase,
  ServicesState,
} from '../preload/desktop-api.ts';
import type { AskProxyMessage, RefusedMessage, ServicesMessage } from '../server/host/protocol.ts';
import { FolderRequests } from './folder-requests.ts';
import type { LogFile } from './log-file.ts';
import type { ServiceProcess, ServiceProcessEvents } from './service-process.ts';
import { decideRestart } from './service-restart-rules.ts';
import { StorePreparations } from './store-preparation.ts';

/** How long a child may take to drain before it is killed, in milliseconds. */
const STOP_TIMEOUT = 10_000;

export interface SupervisorDeps {
  readonly token: string;
  readonly log: LogFile;
  readonly now: () => number;
  /** A port of the loopback that is free at this moment. */
  readonly freePort: () => Promise<number>;
  readonly launch: (
    gateway: GatewayAccess,
    port: number,
    events: ServiceProcessEvents,
  ) => ServiceProcess;
  readonly onState: (state: ServicesState) => void;
  /** How the system would reach an address, as a proxy script answers. */
  readonly resolveProxy: (url: string) => Promise<string>;
  /** They ended unexpectedly, and answer again. */
  readonly onRecovered: (problem: string) => void;
  /** The gateway moved: documents that name the old address must be loaded again. */
  readonly onGatewayMoved: () => void;
}

/** Starts the services, starts them again after a crash, and stops them. */
export class ServiceSupervisor {
  readonly #deps: SupervisorDeps;
  #port: number;
  #phase: ServicesPhase = 'stopped';
  #problem: string | null = null;
  #restarts = 0;
  #node: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #child: ServiceProcess | undefined;
  #readySince: number | null = null;
  #refusal: RefusedMessage | null = null;
  #stopped: PromiseWithResolvers<void> | undefined;
  #startAfterExit = false;
  readonly #folders = new FolderRequests();
  readonly #preparations = new StorePreparations(() => this.#deps.onState(this.state));

  private constructor(deps: SupervisorDeps, port: number) {
    this.#deps = deps;
    this.#port = port;
  }

  /**
   * The gateway's port is chosen once and kept over restarts, so that the content security policy
   * of the window can name exactly one address before anything listens there.
   */
  static async create(deps: SupervisorDeps): Promise<ServiceSupervisor> {
    return new ServiceSupervisor(deps, await deps.freePort());
  }

  get gateway(): GatewayAccess {
    return { url: `http://127.0.0.1:${this.#port}`, token: this.#deps.token };
  }

  /** The Node of the services; null before they answered. */
  get node(): string | null {
    return this.#node;
  }

  get state(): ServicesState {
    return {
      phase: this.#phase,
      gateway: this.gateway,
      restarts: this.#restarts,
      problem: this.#problem,
      preparing: this.#preparations.now,
    };
  }

  start(): void {
    if (this.#child !== undefined || this.#stopped !== undefined) return;
    clearTimeout(this.#timer);
    this.#refusal = null;
    this.#readySince = null;
    this.#change('starting', this.#problem);
    const events: ServiceProcessEvents = {
      onMessage: (message) => this.#receive(message),
      onOutput: (chunk) => this.#deps.log.write(chunk),
      onExit: (code, signal) => this.#ended(code, signal),
    };
    this.#child = this.#deps.launch(this.gateway, this.#port, events);
  }

  /** A person asked: a running child is drained first, the count of restarts begins again. */
  restart(): void {
    this.#restarts = 0;
    if (this.#child === undefined) {
      this.#problem = null;
      this.start();
      return;
    }
    this.#startAfterExit = true;
    this.#child.requestStop();
  }

  /** Drains and ends the child; resolves when it is gone. No start follows. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopped ??= Promise.withResolvers<void>();
    const child = this.#child;
    if (child === undefined) return;
    child.requestStop();
    const guard = setTimeout(() => child.kill(), STOP_TIMEOUT);
    await this.#stopped.promise;
    clearTimeout(guard);
  }

  /** Starts them after all: what they were stopped for did not come to pass. */
  startAfterAll(): void {
    this.#stopped = undefined;
    this.restart();
  }

  /** Makes a folder that the person chose a project. Never rejects: the answer says why not. */
  openFolder(folder: string): Promise<OpenedFolder> {
    const child = this.#phase === 'ready' ? this.#child : undefined;
    return this.#folders.ask(folder, (message) => child?.send(message) ?? false);
  }

  #receive(message: ServicesMessage): void {
    if (message.type === 'folder') {
      this.#folders.answered(message);
      return;
    }
    if (message.type === 'store_step') {
      this.#preparations.told(message);
      return;
    }
    if (message.type === 'ask_proxy') {
      void this.#answerProxy(message);
      return;
    }
    if (message.type === 'refused') {
      this.#refusal = message;
      return;
    }
    this.#node = message.node;
    this.#readySince = this.#deps.now();
    const problem = this.#problem;
    this.#change('ready', null);
    if (problem !== null) this.#deps.onRecovered(problem);
  }

  async #answerProxy({ id, url }: AskProxyMessage): Promise<void> {
    const ways = await this.#deps.resolveProxy(url).catch(() => null);
    this.#child?.send({ type: 'proxy', id, ways });
  }

  #ended(code: number | null, signal: string | null): void {
    this.#child = undefined;
    this.#folders.ended();
    if (this.#stopped !== undefined) {
      this.#change('stopped', null);
      this.#stopped.resolve();
      return;
    }
    if (this.#startAfterExit) {
      this.#startAfterExit = false;
      this.#problem = null;
      this.start();
      return;
    }
    const readyFor = this.#readySince === null ? null : this.#deps.now() - this.#readySince;
    const decision = decideRestart({
      restarts: this.#restarts,
      readyFor,
      code,
      signal,
      refusal: this.#refusal,
    });
    this.#deps.log.note('error', decision.problem);
    this.#restarts = decision.restarts;
    if (decision.kind === 'give_up') {
      this.#change('crashed', decision.problem);
      return;
    }
    this.#change('restarting', decision.problem);
    this.#timer = setTimeout(() => void this.#startAgain(decision.newPort), decision.delay);
  }

  async #startAgain(newPort: boolean): Promise<void> {
    if (newPort) {
      this.#port = await this.#deps.freePort();
      this.#deps.onGatewayMoved();
    }
    this.start();
  }

  #change(phase: ServicesPhase, problem: string | null): void {
    this.#phase = phase;
    this.#problem = problem;
    this.#preparations.over();
    this.#deps.onState(this.state);
  }
}
