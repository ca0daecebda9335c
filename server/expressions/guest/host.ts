// What the confined interpreter may ask of the program around it. Questions and answers are JSON texts.
import type { NodeLook } from './facts.ts';

type HostCall = (operation: string, argument: string) => string;

interface HostSlot {
  askTheHost?: HostCall;
}

const slot = globalThis as HostSlot;
const call = slot.askTheHost;
// Code that runs here later finds no door.
delete slot.askTheHost;

/** Tells the host that code is done, with its answers as a JSON text: what is long is written once. */
export function tellDone(answers: string): void {
  if (call === undefined) throw new Error('the guest was loaded without its host');
  call('done', answers);
}

/** Asks and waits. The host answers within the same turn or refuses with an error. */
export function askHost(operation: string, argument: unknown): unknown {
  if (call === undefined) throw new Error('the guest was loaded without its host');
  return JSON.parse(call(operation, JSON.stringify(argument)));
}

/** What the host shows of an earlier step. */
export function lookAtStep(name: string): NodeLook {
  return askHost('node', name) as NodeLook;
}
