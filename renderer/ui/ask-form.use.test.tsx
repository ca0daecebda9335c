// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { freshWindows, mounted } from '../../test/support/mounted.ts';
import { useAction } from '../data/use-action.ts';
import { AskForm } from './ask-form.tsx';

freshWindows();

function Form(props: { readonly work: () => Promise<unknown> }) {
  const action = useAction(props.work);
  return (
    <AskForm action={action} failure="It was not done" label="Do it" ready testId="do">
      <input aria-label="Name" />
    </AskForm>
  );
}

test('a double click does the work once; when it is over it can be done again', async () => {
  let finish = (): void => undefined;
  const work = vi.fn(
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  const user = mounted(<Form work={work} />);
  const button = screen.getByTestId('do-submit');
  button.click();
  button.click();
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1));
  finish();
  await vi.waitFor(() => expect(button.hasAttribute('data-loading')).toBe(false));
  expect(work).toHaveBeenCalledTimes(1);
  await user.click(button);
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2));
  finish();
});

test('why it failed comes into view, below a long form too, and it can be tried again', async () => {
  const into = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue();
  const work = vi.fn(() => Promise.reject(new Error('no room')));
  const user = mounted(<Form work={work} />);
  await user.type(screen.getByLabelText('Name'), 'a{Enter}');
  await screen.findByText('It was not done');
  expect(into).toHaveBeenCalledWith({ block: 'nearest' });
  await user.click(screen.getByTestId('do-submit'));
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2));
  into.mockRestore();
});
