import { StartRefusal } from '../kernel/start-refusal.ts';
import { systemCode } from '../kernel/system-code.ts';
import { StoreError } from '../store/store-error.ts';
import type { RefusalReason } from './protocol.ts';

/** A start that the host itself refuses, with the reason for the shell's rules. */
export class HostRefusal extends Error {
  override readonly name = 'HostRefusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Why the host did not start, for a person and for the shell's rules. */
export interface Refused {
  readonly reason: RefusalReason;
  /** One line. */
  readonly message: string;
}

function portOf(error: Error): string {
  return 'port' in error ? String(error.port) : 'asked for';
}

function addressOf(error: Error): string {
  return 'address' in error ? String(error.address) : 'asked for';
}

function fromSystem(error: Error): Refused | undefined {
  switch (systemCode(error)) {
    case 'EADDRINUSE':
      return {
        reason: 'port_in_use',
        message: `Port ${portOf(error)} is in use. Close the program that uses it, or choose another port (0 picks a free one).`,
      };
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return {
        reason: 'configuration',
        message: `The address ${addressOf(error)} is none of this machine. Choose another --host.`,
      };
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return {
        reason: 'data_unwritable',
        message: `No permission: ${error.message}. Check the data folder and the ports.`,
      };
    case 'ENOSPC':
      return { reason: 'store', message: 'The disk is full. Free some space and start again.' };
    default:
      return undefined;
  }
}

/** Names of the errors by which a service says that it must not start as configured. */
const CONFIGURATION_ERRORS = new Set(['StartRefusal', 'StudioConfigError', 'ConfigError']);

/** What a failed start means to a person; undefined for a defect of the program. */
export function describeRefusal(error: unknown): Refused | undefined {
  if (!(error instanceof Error)) return undefined;
  const message = error.message.replaceAll(/(?<!\s)\s*\n\s*/g, ' ');
  if (error instanceof HostRefusal) return { reason: error.reason, message };
  if (error instanceof StoreError) return { reason: 'store', message };
  if (error instanceof StartRefusal || CONFIGURATION_ERRORS.has(error.name)) {
    return { reason: 'configuration', message };
  }
  return fromSystem(error);
}
