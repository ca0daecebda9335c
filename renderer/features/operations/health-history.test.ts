import { expect, test } from 'vitest';
import { type HealthLook, lastReady, outages, stateOf, withLook } from './health-history.ts';

const whole = {
  service: 'run-platform',
  version: '1',
  probes: { livez: true, readyz: true, healthz: true },
  subsystems: [{ name: 'store', ok: true, degraded: false, detail: '', checked_age: '' }],
};
const look = (at: number, state: HealthLook['state']): HealthLook => ({ at, state });

test('a platform that answers with a part that does not is degraded, one without life is down', () => {
  expect(stateOf(whole)).toBe('ready');
  expect(stateOf({ ...whole, probes: { ...whole.probes, readyz: false } })).toBe('degraded');
  const [part] = whole.subsystems;
  expect(stateOf({ ...whole, subsystems: part ? [{ ...part, degraded: true }] : [] })).toBe(
    'impaired',
  );
  expect(stateOf({ ...whole, probes: { ...whole.probes, livez: false } })).toBe('down');
});

test('looks are kept for an hour, each instant once', () => {
  let looks: readonly HealthLook[] = [];
  for (let at = 0; at < 500; at += 1) {
    looks = withLook(withLook(looks, look(at, 'ready')), look(at, 'down'));
  }
  expect(looks).toHaveLength(360);
  expect(looks.every(({ state }) => state === 'ready')).toBe(true);
  expect(looks.at(-1)?.at).toBe(499);
});

test('an outage lasts from the first look that is not ready to the next one that is', () => {
  const looks = [
    look(1, 'ready'),
    look(2, 'down'),
    look(3, 'degraded'),
    look(4, 'ready'),
    look(5, 'unknown'),
  ];
  expect(outages(looks)).toEqual([
    { from: 2, until: 4 },
    { from: 5, until: undefined },
  ]);
});

test('the last time at which it was ready is remembered through an outage', () => {
  expect(lastReady([])).toBe(undefined);
  expect(lastReady([look(1, 'down')])).toBe(undefined);
  expect(lastReady([look(1, 'ready'), look(2, 'ready'), look(3, 'unknown')])).toBe(2);
});
