import type { ExpressionLimits } from '../port/limits.ts';
import { Machine, type MachineRealms } from './machine.ts';

/** Interpreters of one thread: a session keeps its own while there are enough of them. */
export class MachinePool {
  readonly #limits: ExpressionLimits;
  readonly #realms: MachineRealms;
  /** The one used last stands last. */
  #machines: Machine[] = [];
  #inTheMaking = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limits: ExpressionLimits, realms: MachineRealms) {
    this.#limits = limits;
    this.#realms = realms;
  }

  /** One for the session alone, until it is released. */
  async take(session: string): Promise<Machine> {
    for (;;) {
      const machine = this.#free(session);
      if (machine !== undefined) {
        // Before anybody else can ask: the caller goes on in a later turn.
        machine.isTaken = true;
        if (machine.session !== session) machine.renew(session);
        if (this.#machines.at(-1) !== machine)
          this.#machines = [...this.#machines.filter((other) => other !== machine), machine];
        return machine;
      }
      if (this.#machines.length + this.#inTheMaking < this.#limits.machines) await this.#make();
      else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    }
  }

  /** Lets go of one: it is dropped when a failure spoiled it. */
  release(machine: Machine): void {
    machine.isTaken = false;
    if (machine.isSpoiled) this.#machines = this.#machines.filter((other) => other !== machine);
    this.#waiting.shift()?.();
  }

  #free(session: string): Machine | undefined {
    const last = this.#machines.at(-1);
    if (last?.session === session && !last.isTaken) return last;
    const free = this.#machines.filter((machine) => !machine.isTaken);
    return free.find((machine) => machine.session === session) ?? free[0];
  }

  async #make(): Promise<void> {
    this.#inTheMaking += 1;
    try {
      this.#machines.push(await Machine.create(this.#limits, this.#realms));
    } finally {
      this.#inTheMaking -= 1;
    }
  }
}
