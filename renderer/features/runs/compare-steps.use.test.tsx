// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, mounted } from '../../../test/support/mounted.ts';
import { CompareSteps } from './compare-steps.tsx';

freshWindows();

const pairs = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ node: `step ${at}`, leftMs: at, rightMs: null }));

test('of a run with thousands of steps the first are shown, all of them when asked for', async () => {
  const user = mounted(<CompareSteps pairs={pairs(2_500)} />);
  expect(screen.getByRole('heading').textContent).toBe('Path 2,500 steps');
  expect(screen.getAllByRole('row')).toHaveLength(100);
  await user.click(screen.getByTestId('compare-all-steps'));
  expect(screen.getAllByRole('row')).toHaveLength(2_500);
  expect(screen.queryByTestId('compare-all-steps')).toBeNull();
});

test('a short path is shown whole, and none says so', () => {
  mounted(<CompareSteps pairs={pairs(3)} />);
  expect(screen.getAllByRole('row')).toHaveLength(3);
  expect(screen.queryByTestId('compare-all-steps')).toBeNull();
  mounted(<CompareSteps pairs={[]} />);
  screen.getByText('Neither run has ended a step.');
});
