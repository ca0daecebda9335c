import { useEffect, useRef } from 'react';
import { registerHandler } from './commands.ts';

/** Handles a command of the table while the component is mounted and `enabled` is not false. */
export function useCommand(id: string, run: () => void, enabled = true): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(
    () => (enabled ? registerHandler(id, () => latest.current()) : undefined),
    [id, enabled],
  );
}
