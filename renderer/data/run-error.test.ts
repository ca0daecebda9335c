import { expect, test } from 'vitest';
import { errorInBrief } from './run-error.ts';

test('one line of an error begins with what happened, not with a code and a place', () => {
  const missing = "There is no code for 'desk.stamp': functions/desk.ts is not in the folder.";
  expect(errorInBrief(`E_HANDLER_NOT_FOUND at components.functions.stamp: ${missing}`)).toBe(
    missing,
  );
  expect(errorInBrief(`E_SPEC: ${missing}`)).toBe(missing);
  expect(errorInBrief(`E_A at one: ${missing} E_B at two: ${missing}`)).toBe(
    `${missing} ${missing}`,
  );
});

test('a finding that a preview cuts off is left out, unless it is the only one', () => {
  const one = "There is no code for 'desk.stamp'.";
  for (const cut of ['E_B at two: Th…', 'E_B at components.fun…', 'E_HANDL…', 'E_…']) {
    expect(errorInBrief(`E_A at one: ${one} ${cut}`)).toBe(`${one} …`);
  }
  expect(errorInBrief(`E_A: ${one} E_B: ${one} E_C: The t…`)).toBe(`${one} ${one} …`);
  expect(errorInBrief("E_A at one: There is no code for 'desk…")).toBe(
    "There is no code for 'desk…",
  );
  expect(errorInBrief('The variable E_MAIL is not set, so n…')).toBe(
    'The variable E_MAIL is not set, so n…',
  );
});

test('what is no finding stays as it is', () => {
  expect(errorInBrief('Run stopped after reaching max iterations.')).toBe(
    'Run stopped after reaching max iterations.',
  );
  expect(errorInBrief('E_MAIL is not set')).toBe('E_MAIL is not set');
  expect(errorInBrief(null)).toBeNull();
});
