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

test('what is no finding stays as it is', () => {
  expect(errorInBrief('Run stopped after reaching max iterations.')).toBe(
    'Run stopped after reaching max iterations.',
  );
  expect(errorInBrief('E_MAIL is not set')).toBe('E_MAIL is not set');
  expect(errorInBrief(null)).toBeNull();
});
