import { expect, test } from 'vitest';
import { apiErrorFrom, toApiError } from '../data/api-error.ts';
import { errorTitle } from './error-titles.ts';
import { remedyOf } from './remedies.ts';

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

test.each(['code_not_trusted', 'code_unusable', 'code_too_large'])(
  'functions that a run cannot take along have their words and a way out: %s',
  (code) => {
    expect(titleOf(418, code)).not.toBe('The request was refused');
    expect(remedyOf(code)).toBeDefined();
  },
);

test.each([
  'draft_write_failed',
  'draft_stale',
  'draft_read_only',
  'draft_exists',
  'draft_not_found',
  'project_root_unavailable',
  'exposure_unconfirmed',
  'store_unavailable',
  'request_too_large',
  'git_unavailable',
])('a fault of the project folder has its words and a way out: %s', (code) => {
  expect(titleOf(418, code)).not.toBe('The request was refused');
  expect(remedyOf(code)).toBeDefined();
});
