// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import type { DraftSummary } from '../../../../server/contract/studio/drafts.ts';
import { freshWindows, memberOf, mounted } from '../../../../test/support/mounted.ts';
import { AddOverlay } from './add-overlay.tsx';

freshWindows();

function overlay(ref: string): DraftSummary {
  return {
    ref,
    kind: 'overlay',
    capabilities: 'edit',
    registered_at: '2026-11-23T00:00:00Z',
    revision: 'a'.repeat(64),
    analysis_ids: [],
    not_applicable_asserted: false,
    can_assert_not_applicable: false,
  };
}

function Form() {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  return (
    <>
      <output>{chosen.join(' ')}</output>
      <AddOverlay
        projectId="default"
        drafts={[overlay('eu.yaml'), overlay('formal.yaml')]}
        chosen={chosen}
        onAdd={(path) => setChosen((now) => [...now, path])}
      />
    </>
  );
}

test('one overlay after the other is added without leaving the field', async () => {
  const user = mounted(<Form />, [memberOf('default', 'editor')]);
  const field = screen.getByTestId('add-overlay');
  await user.type(field, 'formal{ArrowDown}{Enter}');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('formal.yaml'));
  expect(document.activeElement).toBe(field);
  expect(field).toHaveProperty('value', '');
  await user.keyboard('eu{ArrowDown}{Enter}');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('formal.yaml eu.yaml'));
});
