// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { freshWindows, mounted } from '../../../test/support/mounted.ts';
import { RecordingField } from './recording-field.tsx';
import { isReady, type RecordingDraft, rememberRecording } from './recording-model.ts';

freshWindows();

function field(first: RecordingDraft) {
  const told: RecordingDraft[] = [];
  function Form() {
    const [draft, setDraft] = useState(first);
    const change = (next: RecordingDraft): void => {
      told.push(next);
      setDraft(next);
    };
    return <RecordingField projectId="default" draft={draft} onChange={change} />;
  }
  return { user: mounted(<Form />), told };
}

const WRONG = 'Letters, digits, dots, underscores and hyphens; 100 at most.';

test('the choice is made by keyboard; the name is kept from one choice to the next', async () => {
  const { user, told } = field({ mode: 'off', name: 'order' });
  await user.click(screen.getByText('Call and record'));
  await user.type(screen.getByLabelText('Name of the recording'), '-7');
  expect(told.at(-1)).toEqual({ mode: 'record', name: 'order-7' });
  await user.click(screen.getByText('Replay a recording'));
  expect(screen.getByTestId<HTMLInputElement>('recording-name').value).toBe('order-7');
  await user.click(screen.getByText('Call them'));
  expect(screen.queryByTestId('recording-name')).toBeNull();
});

test('a name that no file can have is told while it is typed, and mended', async () => {
  const { user, told } = field({ mode: 'record', name: 'order' });
  await user.type(screen.getByLabelText('Name of the recording'), '/');
  screen.getByText(WRONG);
  expect(isReady(told.at(-1) ?? { mode: 'off', name: '' })).toBe(false);
  await user.keyboard('{Backspace}');
  expect(screen.queryByText(WRONG)).toBeNull();
});

test('recordings of this project are offered to a replay, and taken with Enter', async () => {
  rememberRecording('default', { mode: 'record', name: 'order-a7' });
  rememberRecording('default', { mode: 'record', name: 'refund-b2' });
  const { user, told } = field({ mode: 'replay', name: '' });
  await user.click(screen.getByTestId('recording-name'));
  await user.keyboard('refu{ArrowDown}{Enter}');
  expect(told.at(-1)).toEqual({ mode: 'replay', name: 'refund-b2' });
});
