// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, mounted } from '../../../../test/support/mounted.ts';
import { keptCompositions } from '../../../desktop/kept-compositions.ts';
import { useComposing } from './use-composing.ts';

freshWindows();

const BEGINNING = { base: 'desk.yaml', overlays: ['eu.yaml'], overrides: '' };

function Composition(props: { readonly base: string }) {
  const state = useComposing({ projectId: 'shop', base: props.base }, BEGINNING);
  const { composing, change } = state;
  return (
    <>
      <output>{[...composing.overlays, composing.overrides].join(' ')}</output>
      <button
        type="button"
        onClick={() => change(({ overlays }) => ({ overlays: [...overlays, 'formal.yaml'] }))}
      >
        Add
      </button>
      <button type="button" onClick={() => change(() => ({ overlays: BEGINNING.overlays }))}>
        Take away
      </button>
      {state.changed && (
        <button type="button" onClick={state.discard}>
          Discard
        </button>
      )}
      <button type="button" onClick={state.finish}>
        Freeze
      </button>
    </>
  );
}

const shown = () => screen.getByRole('status').textContent;

test('what is composed is there again on its page, until it is discarded', async () => {
  const user = mounted(<Composition base="desk.yaml" />);
  expect(keptCompositions()).toEqual([]);
  await user.click(screen.getByText('Add'));
  cleanup();
  const other = mounted(<Composition base="other.yaml" />);
  expect(shown()).toBe('eu.yaml ');
  await other.click(screen.getByText('Add'));
  expect(keptCompositions().map(({ place }) => place.base)).toEqual(['desk.yaml', 'other.yaml']);
  await other.click(screen.getByText('Take away'));
  expect(keptCompositions().map(({ place }) => place.base)).toEqual(['desk.yaml']);
  cleanup();

  const again = mounted(<Composition base="desk.yaml" />);
  expect(shown()).toBe('eu.yaml formal.yaml ');
  await again.click(screen.getByText('Discard'));
  await again.click(await screen.findByText('Keep composing'));
  expect(shown()).toBe('eu.yaml formal.yaml ');
  await again.click(screen.getByText('Discard'));
  await again.click(await screen.findByText('Discard composition'));
  expect(shown()).toBe('eu.yaml ');
  expect(screen.queryByText('Discard')).toBeNull();
  expect(keptCompositions()).toEqual([]);
});

test('a page that goes leaves it where the next window reads it; frozen, it is forgotten', async () => {
  const user = mounted(<Composition base="desk.yaml" />);
  await user.click(screen.getByText('Add'));
  window.dispatchEvent(new Event('pagehide'));
  const left = Object.entries(localStorage).filter(([key]) => key.includes('composing:'));
  expect(left.map(([, entry]) => String(entry))).toEqual([expect.stringContaining('formal.yaml')]);
  await user.click(screen.getByText('Freeze'));
  expect(keptCompositions()).toEqual([]);
  cleanup();
  mounted(<Composition base="desk.yaml" />);
  expect(shown()).toBe('eu.yaml ');
});
