// A real Secret Service (gnome-keyring) on a bus of its own, which nothing starts by itself.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

const BUS = '/usr/bin/dbus-daemon';
const KEYRING = '/usr/bin/gnome-keyring-daemon';

/** False on machines without the two programs; `npm test` installs them where it may. */
export const hasSecretService = existsSync(BUS) && existsSync(KEYRING);
/** What a skipped test says. */
export const NO_SECRET_SERVICE = 'needs dbus-daemon and gnome-keyring (apt-get install them)';

export interface SecretService {
  /** For a process that shall find it. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the keyring, and starts it again: opened with its password, locked, or not at all. */
  become(state: 'open' | 'locked' | 'gone'): Promise<void>;
  /** Stops it in the middle of whatever it does, as a hung one would. */
  hang(): void;
  stop(): Promise<void>;
}

function busConfig(folder: string): string {
  return `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=${folder}/bus</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>`;
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Starts a bus with an open keyring. */
export async function startSecretService(): Promise<SecretService> {
  const folder = mkdtempSync(path.join(tmpdir(), 'specwright-bus-'));
  mkdirSync(path.join(folder, 'run'), { mode: 0o700 });
  const config = path.join(folder, 'bus.conf');
  writeFileSync(config, busConfig(folder));
  const bus = spawn(BUS, [`--config-file=${config}`, '--nofork', '--print-address'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [address] = await once(createInterface({ input: bus.stdout }), 'line');
  const env = { DBUS_SESSION_BUS_ADDRESS: String(address) };
  const own = { ...env, PATH: '/usr/bin', HOME: folder, XDG_DATA_HOME: path.join(folder, 'data') };
  let keyring: ChildProcess | undefined;
  const become: SecretService['become'] = async (state) => {
    await end(keyring);
    if (state === 'gone') return;
    const words = ['--foreground', '--components=secrets'];
    keyring = spawn(KEYRING, state === 'open' ? [...words, '--unlock'] : words, {
      env: { ...own, XDG_RUNTIME_DIR: path.join(folder, 'run') },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    keyring.stdin?.end(state === 'open' ? 'password of the keyring' : '');
    await wait(700);
  };
  await become('open');
  return {
    env,
    become,
    hang: () => void keyring?.kill('SIGSTOP'),
    async stop() {
      await end(keyring);
      await end(bus);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
