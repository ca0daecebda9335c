import { expect, test } from 'vitest';
import { apiErrorFrom, toApiError } from '../data/api-error.ts';
import { errorTitle } from './error-titles.ts';

const titleOf = (status: number, code: string) =>
  errorTitle(apiErrorFrom(status, new Headers(), { code, message: 'm' }));

test('a title says what happened: by the code, else by the status', () => {
  expect(titleOf(404, 'project_not_found')).toBe('There is no such project');
  expect(titleOf(404, 'some_new_code')).toBe('It does not exist');
  expect(titleOf(504, 'connection_lost')).toBe('A service cannot be reached');
  expect(titleOf(500, 'x')).toBe('The service failed');
  expect(titleOf(418, 'x')).toBe('The request was refused');
  expect(errorTitle(toApiError(new Error('x')))).toBe('The window met a problem');
});
