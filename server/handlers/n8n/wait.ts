import { DateTime } from 'luxon';
import { type Handler, StepFailure } from '../handler.ts';
import { evaluateOnce } from './fields.ts';
import { millisOf } from './moments.ts';
import { numberOf } from './typed-value.ts';

const UNITS: ReadonlyMap<unknown, number> = new Map([
  ['seconds', 1_000],
  ['minutes', 60_000],
  ['hours', 3_600_000],
  ['days', 86_400_000],
]);

/** @returns Milliseconds. @throws StepFailure */
function spanOf(amount: unknown, unit: unknown): number {
  const size = UNITS.get(unit);
  if (size === undefined)
    throw new StepFailure(
      "Invalid wait unit. Valid units are 'seconds', 'minutes', 'hours', or 'days'.",
    );
  const count = numberOf(amount);
  if (amount === null || amount === '' || !Number.isFinite(count) || count < 0)
    throw new StepFailure('Invalid wait amount. Please enter a number that is 0 or greater.');
  return count * size;
}

/** @returns Milliseconds since the epoch. @throws StepFailure */
function momentOf(value: unknown, zone: string): number {
  const millis = millisOf({ kind: 'json', value }, zone);
  if (!Number.isNaN(millis)) return millis;
  throw new StepFailure(
    'Cannot put execution to wait because `dateTime` parameter is not a valid date. Please pick a specific date and time to wait until.',
  );
}

/** Wait: items go on after a span or at a moment. */
export const handleWait: Handler = async (call) => {
  const { version, parameters } = call.node;
  const { facts } = call.step;
  const old = version < 1.1;
  const { resume = 'timeInterval', dateTime } = parameters;
  const { amount = old ? 1 : 5, unit = old ? 'hours' : 'seconds' } = parameters;
  const read = await evaluateOnce(call, [resume, dateTime, amount, unit]);
  const outputs = [call.inputs[0] ?? []];
  switch (read(resume)) {
    case 'timeInterval': {
      const waitUntil = facts.now + spanOf(read(amount), read(unit));
      if (!DateTime.fromMillis(waitUntil).isValid)
        throw new StepFailure('The step waits longer than any clock goes. Give it a shorter time.');
      return { outputs, waitUntil };
    }
    case 'specificTime':
      return { outputs, waitUntil: momentOf(read(dateTime), facts.zone) };
    default:
      throw new StepFailure(
        'This step waits for a call or a form from outside, and nothing here can call it yet. Let it wait for a time instead, or put a person in its place.',
      );
  }
};
