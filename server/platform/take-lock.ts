import type { PlatformDeps } from './deps.ts';

/** Gives a lock back; never throws. */
export type Release = () => Promise<void>;

/**
 * Takes a lock that services on the store share, without holding the event loop up while others
 * write; undefined when somebody holds it.
 */
export async function takeLock(
  deps: Pick<PlatformDeps, 'commits' | 'locks' | 'log'>,
  name: string,
): Promise<Release | undefined> {
  const release = await deps.commits.turn(() => deps.locks.tryTake(name));
  if (release === undefined) return undefined;
  return async () => {
    try {
      await deps.commits.turn(release);
    } catch (error) {
      // What the store still holds of it runs out by itself.
      deps.log.warn({ lock: name, err: error }, 'a lock could not be given back in the store');
      deps.locks.forget(name);
    }
  };
}
