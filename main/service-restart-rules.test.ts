import { describe, expect, test } from 'vitest';
import { decideRestart, type ServicesExit } from './service-restart-rules.ts';

const POLICY = { delays: [10, 20, 30], stableAfter: 1000 };

function exit(part: Partial<ServicesExit>): ServicesExit {
  return { restarts: 0, readyFor: null, code: 1, signal: null, refusal: null, ...part };
}

describe('decideRestart', () => {
  test('a crash is followed by restarts with growing waits, then by the question to the user', () => {
    const seen = [0, 1, 2, 3].map((restarts) => decideRestart(exit({ restarts }), POLICY));
    expect(seen.map((d) => (d.kind === 'restart' ? d.delay : d.kind))).toEqual([
      10,
      20,
      30,
      'give_up',
    ]);
  });

  test('a child that was stable starts the count again', () => {
    expect(decideRestart(exit({ restarts: 3, readyFor: 1000 }), POLICY)).toMatchObject({
      kind: 'restart',
      delay: 10,
      restarts: 1,
    });
    expect(decideRestart(exit({ restarts: 3, readyFor: 999 }), POLICY).kind).toBe('give_up');
  });

  test('a refused start is not repeated, its reason is shown', () => {
    const refusal = { reason: 'store' as const, message: 'The database is newer.' };
    expect(decideRestart(exit({ code: 3, refusal }), POLICY)).toEqual({
      kind: 'give_up',
      restarts: 0,
      problem: 'The database is newer.',
    });
    expect(decideRestart(exit({ code: 3 }), POLICY).kind).toBe('give_up');
  });

  test('a port or data folder in use is tried again, a port with another number', () => {
    const port = { reason: 'port_in_use' as const, message: 'Port taken.' };
    const data = { reason: 'data_in_use' as const, message: 'Data taken.' };
    expect(decideRestart(exit({ code: 3, refusal: port }), POLICY)).toMatchObject({
      kind: 'restart',
      newPort: true,
    });
    expect(decideRestart(exit({ code: 3, refusal: data }), POLICY)).toMatchObject({
      kind: 'restart',
      newPort: false,
    });
  });

  test('the reason names the signal or the code', () => {
    expect(decideRestart(exit({ signal: 'SIGKILL', code: null }), POLICY).problem).toContain(
      'SIGKILL',
    );
    expect(decideRestart(exit({ code: 134 }), POLICY).problem).toContain('134');
  });
});
