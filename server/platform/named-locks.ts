/**
 * Locks by name inside the one process that owns the store. A killed process leaves none behind;
 * what two processes could both do is fenced in the store by the execution token.
 */
export interface NamedLocks {
  /** Takes the lock at once, or answers undefined; the result releases it. */
  tryTake(name: string): (() => void) | undefined;
  isHeld(name: string): boolean;
}

export function createNamedLocks(): NamedLocks {
  const held = new Set<string>();
  return {
    tryTake(name) {
      if (held.has(name)) return undefined;
      held.add(name);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        held.delete(name);
      };
    },
    isHeld: (name) => held.has(name),
  };
}
