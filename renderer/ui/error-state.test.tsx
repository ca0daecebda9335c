import { expect, test } from 'vitest';
import { drawn } from '../../test/support/drawn.ts';
import { ApiError } from '../data/api-error.ts';
import { ErrorState } from './error-state.tsx';

const failed = (code: string, message: string) =>
  new ApiError({ code, message, status: 404 } as never);

test('what happened is said once, with what to do and the code to copy', () => {
  const page = drawn(<ErrorState error={failed('draft_not_found', 'There is no such draft.')} />);
  expect(page.text.match(/There is no such draft/g)).toHaveLength(1);
  expect(page.text).toContain('The file is gone or no longer belongs to the project.');
  expect(page.text).toContain('draft_not_found');
});

test('a message that says more than the title stands below it', () => {
  const page = drawn(
    <ErrorState
      title="The run was not started"
      error={failed('queue_full', 'The queue is full.')}
    />,
  );
  expect(page.text).toContain('The run was not started The queue is full.');
});
