// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useRef, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { freshWindows, mounted } from '../../../test/support/mounted.ts';
import { SettingsSearch } from './settings-search.tsx';
import { useSettingsSearch } from './use-settings-search.ts';

freshWindows();

function Room() {
  const [text, setText] = useState('');
  const [later, setLater] = useState('');
  const room = useRef<HTMLDivElement>(null);
  const { sections, count, at, step } = useSettingsSearch(room, text);
  const shown = (id: string) => sections?.has(id) ?? true;
  return (
    <>
      <SettingsSearch
        text={text}
        onText={setText}
        sections={sections?.size ?? 0}
        count={count}
        at={at}
        onStep={step}
      />
      <div ref={room}>
        <section data-section="looks" hidden={!shown('looks')}>
          <h2>Preferences</h2>
          <p>How the window looks, by day and by night. Night is dark.</p>
          <select aria-label="Tongue">
            <option>Deutsch</option>
          </select>
        </section>
        <section data-section="keys" hidden={!shown('keys')}>
          <h2>Keyboard</h2>
          <p>Keys of every command. {later}</p>
        </section>
      </div>
      <button type="button" onClick={() => setLater('Night shift')}>
        more
      </button>
    </>
  );
}

const sections = () =>
  [...document.querySelectorAll<HTMLElement>('section')]
    .filter((one) => !one.hidden)
    .map(({ dataset }) => dataset['section']);
const told = () => screen.getByTestId('settings-found').textContent;

test('only sections with all the words stay; Enter goes from place to place, Escape empties', async () => {
  const gone = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue();
  const user = mounted(<Room />);
  await user.keyboard('/');
  const field = screen.getByTestId('settings-search');
  expect(document.activeElement).toBe(field);
  await user.type(field, 'NIGHT');
  expect(sections()).toEqual(['looks']);
  expect(told()).toBe('2 places');
  await user.keyboard('{Enter}');
  expect(told()).toBe('1 of 2');
  await user.keyboard('{Enter}{Enter}');
  expect(told()).toBe('1 of 2');
  await user.keyboard('{Shift>}{Enter}{/Shift}');
  expect(told()).toBe('2 of 2');
  expect(gone).toHaveBeenCalledTimes(4);
  // What comes later is looked through too.
  await user.click(screen.getByText('more'));
  await vi.waitFor(() => expect(sections()).toEqual(['looks', 'keys']));
  await user.type(field, ' command');
  expect(sections()).toEqual(['keys']);
  await user.keyboard('{Escape}');
  expect(sections()).toEqual(['looks', 'keys']);
  expect(screen.queryByTestId('settings-found')).toBeNull();
  gone.mockRestore();
});

test('names of fields and folded choices are found, and nothing is said to be nothing', async () => {
  const user = mounted(<Room />);
  const field = screen.getByTestId('settings-search');
  await user.type(field, 'deutsch');
  expect(sections()).toEqual(['looks']);
  expect(told()).toBe('1 section');
  await user.clear(field);
  await user.type(field, 'tongue');
  expect(sections()).toEqual(['looks']);
  await user.type(field, ' nobody');
  expect(sections()).toEqual([]);
  expect(told()).toBe('Nothing');
  await user.click(screen.getByLabelText('Clear the search'));
  expect(document.activeElement).toBe(field);
  expect(sections()).toEqual(['looks', 'keys']);
});
