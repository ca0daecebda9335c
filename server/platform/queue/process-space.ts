import { readFileSync, readlinkSync } from 'node:fs';

let known: { readonly name: string | undefined } | undefined;

function read(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

/**
 * Within one such space a process id names one process: a container, or a machine since its start.
 * Undefined where the system does not tell.
 */
export function processSpace(): string | undefined {
  known ??= { name: read() };
  return known.name;
}
