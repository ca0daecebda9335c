import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { EffectFailure } from './run-effects.ts';

/** Whether project code must run in a sandbox of the operating system (SERV_FUNCTION_SANDBOX). */
export type SandboxMode = 'auto' | 'require' | 'off';

export const SANDBOX_MODES: readonly SandboxMode[] = ['auto', 'require', 'off'];

/** A command with its words. */
export interface FencedCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What stands between project code and the machine, beside Node's own permissions. */
export interface Fence {
  /** `bubblewrap`: the operating system hides files, sockets and processes; `permissions`: Node alone. */
  readonly kind: 'bubblewrap' | 'permissions';
  /** The command that runs a program which may see these folders and nothing else of the user's. */
  wrap(folders: readonly string[], program: string, args: readonly string[]): FencedCommand;
}

const PERMISSIONS: Fence = {
  kind: 'permissions',
  wrap: (_folders, command, args) => ({ command, args }),
};

/** What a program needs of the system: its libraries, certificates and the names of hosts. */
const SYSTEM_PLACES = [
  '/usr',
  '/lib',
  '/lib32',
  '/lib64',
  '/etc/ca-certificates',
  '/etc/hosts',
  '/etc/ld.so.cache',
  '/etc/nsswitch.conf',
  '/etc/pki',
  '/etc/resolv.conf',
  '/etc/ssl',
];

/** Every namespace but the network's is its own; nothing of it outlives its parent. */
const APART = [
  ...['--unshare-all', '--share-net', '--die-with-parent', '--cap-drop', 'ALL'],
  ...['--proc', '/proc', '--dev', '/dev'],
];

function readable(places: readonly string[]): string[] {
  return places.flatMap((place) => ['--ro-bind-try', place, place]);
}

function bubblewrap(node: string): Fence {
  return {
    kind: 'bubblewrap',
    wrap: (folders, program, args) => {
      const places = [...SYSTEM_PLACES, node, ...folders];
      return { command: 'bwrap', args: [...APART, ...readable(places), program, ...args] };
    },
  };
}

function succeeds({ command, args }: FencedCommand): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(command, [...args], { timeout: 5000, env: {} }, (error) => resolve(error === null));
  });
}

async function probe(): Promise<Fence> {
  if (process.platform !== 'linux') return PERMISSIONS;
  const node = await realpath(process.execPath);
  const fence = bubblewrap(node);
  return (await succeeds(fence.wrap([], node, ['--version']))) ? fence : PERMISSIONS;
}

let found: Promise<Fence> | undefined;

/**
 * The strongest fence that works on this machine; tried once, by starting Node in it.
 * @throws EffectFailure when a sandbox is required and there is none.
 */
export async function findFence(mode: SandboxMode): Promise<Fence> {
  if (mode === 'off') return PERMISSIONS;
  found ??= probe();
  const fence = await found;
  if (mode === 'require' && fence.kind === 'permissions') {
    const message =
      'SERV_FUNCTION_SANDBOX is "require", but no sandbox works here: install bubblewrap, or set it to "auto".';
    throw new EffectFailure(message, { retryable: false });
  }
  return fence;
}
