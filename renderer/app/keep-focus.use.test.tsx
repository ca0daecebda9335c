// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useEffect, useRef, useState } from 'react';
import { expect, test } from 'vitest';
import { freshWindows, mounted } from '../../test/support/mounted.ts';
import { keepFocus } from './keep-focus.ts';

freshWindows();

function Draft() {
  const [open, setOpen] = useState(false);
  const [found, setFound] = useState(true);
  const [listed, setListed] = useState(true);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => keepFocus(document), []);
  useEffect(() => {
    if (!listed) list.current?.focus();
  }, [listed]);
  return (
    <main>
      <h1 tabIndex={-1}>letters.yaml</h1>
      <textarea aria-label="Text" onKeyDown={(event) => event.key === 'F1' && setOpen(true)} />
      {found && (
        <button type="button" onClick={() => setFound(false)}>
          Add all
        </button>
      )}
      {listed && (
        <button type="button" onClick={() => setListed(false)}>
          Take out
        </button>
      )}
      <ul ref={list} tabIndex={-1} aria-label="Layers" />
      {open && (
        <div role="dialog" aria-label="Conflict">
          <button type="button">Close</button>
          <button type="button" onClick={() => setOpen(false)}>
            Save merged
          </button>
        </div>
      )}
    </main>
  );
}

test('from a dialog that goes, the keyboard is back in the text', async () => {
  const user = mounted(<Draft />);
  const text = screen.getByLabelText('Text');
  await user.type(text, 'a{F1}');
  screen.getByText('Close').focus();
  await user.tab();
  await user.keyboard('{Enter}');
  await expect.poll(() => document.activeElement).toBe(text);
});

test('a button that goes leaves the keyboard on its page', async () => {
  const user = mounted(<Draft />);
  screen.getByLabelText('Text').focus();
  await user.tab();
  await user.keyboard('{Enter}');
  await expect.poll(() => document.activeElement?.textContent).toBe('letters.yaml');
});

test('who moves the keyboard itself is left alone', async () => {
  const user = mounted(<Draft />);
  screen.getByText('Take out').focus();
  await user.keyboard('{Enter}');
  await new Promise((done) => requestAnimationFrame(done));
  expect(document.activeElement).toBe(screen.getByLabelText('Layers'));
});
