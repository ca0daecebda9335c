import { t } from '../preload/texts/t.ts';
import { EXIT_REFUSED, type RefusalReason } from '../server/host/protocol.ts';

/** How often and how fast a crashed child is started again. Times in milliseconds. */
export interface RestartPolicy {
  /** The wait before the first, second, … restart; the list's length is the number of tries. */
  readonly delays: readonly number[];
  /** Readiness that lasted this long wipes the count of restarts. */
  readonly stableAfter: number;
}

export const RESTART_POLICY: RestartPolicy = {
  delays: [200, 1_000, 2_000, 5_000, 10_000],
  stableAfter: 60_000,
};

/** One end of the child that nobody asked for. */
export interface ServicesExit {
  /** Restarts since the child was last stable. */
  readonly restarts: number;
  /** How long it had been ready; null when it never was. */
  readonly readyFor: number | null;
  readonly code: number | null;
  readonly signal: string | null;
  readonly refusal: { readonly reason: RefusalReason; readonly message: string } | null;
}

export type RestartDecision =
  | {
      readonly kind: 'restart';
      readonly delay: number;
      readonly restarts: number;
      readonly newPort: boolean;
      readonly problem: string;
    }
  | { readonly kind: 'give_up'; readonly restarts: number; readonly problem: string };

// These go away by themselves: the predecessor is still draining, or another program took the port.
const PASSING: ReadonlySet<RefusalReason> = new Set(['data_in_use', 'port_in_use']);

function describe(exit: ServicesExit): string {
  if (exit.refusal !== null) return exit.refusal.message;
  if (exit.signal !== null)
    return t('The services were ended by signal {signal}.', { signal: exit.signal });
  return t('The services ended with code {code}.', { code: exit.code ?? t('unknown') });
}

/** Decides what follows an unexpected end: another start after a wait, or the question to the user. */
export function decideRestart(
  exit: ServicesExit,
  policy: RestartPolicy = RESTART_POLICY,
): RestartDecision {
  const stable = exit.readyFor !== null && exit.readyFor >= policy.stableAfter;
  const restarts = stable ? 0 : exit.restarts;
  const problem = describe(exit);
  const refused = exit.code === EXIT_REFUSED || exit.refusal !== null;
  if (refused && (exit.refusal === null || !PASSING.has(exit.refusal.reason))) {
    return { kind: 'give_up', restarts, problem };
  }
  const delay = policy.delays[restarts];
  if (delay === undefined) return { kind: 'give_up', restarts, problem };
  return {
    kind: 'restart',
    delay,
    restarts: restarts + 1,
    newPort: exit.refusal?.reason === 'port_in_use',
    problem,
  };
}
