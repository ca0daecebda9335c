import type { ExpressionLimits } from '../port/limits.ts';
import { Machine } from './machine.ts';

/** Interpreters of one thread: a session keeps its own while there are enough of them. */
export class MachinePool {
  readonly #limits: ExpressionLimits;
  /** The one used last stands last. */
  #machines: Machine[] = [];
  readonly #waiting: (() => void)[] = [];

  constructor(limits: ExpressionLimits) {
    this.#limits = limits;
  }

  /** One for the session; `isWaiting` is set and cleared by who takes it. */
  async take(session: string): Promise<Machine> {
    for (;;) {
      const machine = this.#free(session) ?? (await this.#made());
      if (machine === undefined) {
        await new Promise<void>((resolve) => void this.#waiting.push(resolve));
        continue;
      }
      if (machine.isWaiting) continue;
      if (machine.session !== session) machine.renew(session);
      this.#machines = [...this.#machines.filter((other) => other !== machine), machine];
      return machine;
    }
  }

  /** Lets go of one: it is dropped when a failure spoiled it. */
  release(machine: Machine): void {
    machine.isWaiting = false;
    if (machine.isSpoiled) this.#machines = this.#machines.filter((other) => other !== machine);
    this.#waiting.shift()?.();
  }

  #free(session: string): Machine | undefined {
    const free = this.#machines.filter((machine) => !machine.isWaiting);
    return free.find((machine) => machine.session === session) ?? free[0];
  }

  async #made(): Promise<Machine | undefined> {
    if (this.#machines.length >= this.#limits.machines) return undefined;
    const machine = await Machine.create(this.#limits);
    this.#machines.push(machine);
    return machine;
  }
}
