import type { PlatformDeps } from './deps.ts';

type LockDeps = Pick<PlatformDeps, 'commits' | 'locks' | 'log'>;

/** Gives a lock back without holding the event loop up; never throws. */
export async function giveBack(deps: LockDeps, name: string, release: () => void): Promise<void> {
  try {
    if (deps.locks.isShared(name)) await deps.commits.turn(release);
    else release();
  } catch (error) {
    // What the store still holds of it runs out by itself.
    deps.log.warn({ lock: name, err: error }, 'a lock could not be given back in the store');
    deps.locks.forget(name);
  }
}

/**
 * Takes a lock that services on the store share, without holding the event loop up while others
 * write; undefined when somebody holds it. The result gives it back.
 */
export async function takeLock(
  deps: LockDeps,
  name: string,
): Promise<(() => Promise<void>) | undefined> {
  const release = await deps.commits.turn(() => deps.locks.tryTake(name));
  return release === undefined ? undefined : () => giveBack(deps, name, release);
}
