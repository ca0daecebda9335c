// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, mounted } from '../../test/support/mounted.ts';
import { goToPart, WINDOW_PART } from './window-parts.ts';

freshWindows();

function parts() {
  return (
    <>
      <nav {...WINDOW_PART}>
        <a href="#runs">Runs</a>
      </nav>
      <main {...WINDOW_PART}>
        <h1 tabIndex={-1}>Draft</h1>
        <section {...WINDOW_PART}>
          <button type="button" disabled>
            Undo
          </button>
          <button type="button">Add</button>
          <button type="button">Fit</button>
        </section>
        <button type="button">Save</button>
      </main>
      <footer {...WINDOW_PART}>Ready</footer>
    </>
  );
}

const focused = () => document.activeElement?.textContent;

test('the keyboard goes from part to part, and back to where it was in each', async () => {
  const user = mounted(parts());
  goToPart(1);
  expect(focused()).toBe('Runs');
  goToPart(1);
  expect(focused()).toBe('Save');
  goToPart(1);
  expect(focused()).toBe('Add');
  await user.tab();
  expect(focused()).toBe('Fit');
  // The last part has nothing to reach.
  goToPart(1);
  expect(focused()).toBe('Runs');
  goToPart(-1);
  expect(focused()).toBe('Fit');
  goToPart(-1);
  expect(focused()).toBe('Save');
});

test('from no part, F6 begins at the first one and Shift+F6 at the last', () => {
  mounted(parts());
  goToPart(-1);
  expect(focused()).toBe('Add');
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  goToPart(1);
  expect(focused()).toBe('Runs');
});

test('a dialog keeps the keyboard', () => {
  mounted(
    <>
      {parts()}
      <div role="dialog" aria-modal="true" aria-label="Sure?">
        <button type="button">Yes</button>
      </div>
    </>,
  );
  screen.getByText('Yes').focus();
  goToPart(1);
  expect(focused()).toBe('Yes');
});
