// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { useDraftBuffer } from './use-draft-buffer.ts';

freshWindows();

const AT = '/studio/api/projects/default/drafts/desk.yaml';

function Draft() {
  const session = useDraftBuffer('default', 'desk.yaml');
  return session.buffer === null ? null : (
    <button
      type="button"
      onClick={() => {
        session.type('first');
        void session.save();
        setTimeout(() => {
          session.type('first and second');
          void session.save();
        });
      }}
    >
      Save twice
    </button>
  );
}

test('a save that is pressed while one is under way saves what was typed meanwhile', async () => {
  peer.answer('GET', AT, 200, { ref: 'desk.yaml', text: 'none', revision: '0'.repeat(64) });
  peer.answer('PUT', AT, 200, { ref: 'desk.yaml', revision: '1'.repeat(64) });
  const user = mounted(<Draft />);
  await user.click(await screen.findByText('Save twice'));
  await expect
    .poll(() => peer.writes.map(({ body }) => JSON.stringify(body)))
    .toEqual([expect.stringContaining('"first"'), expect.stringContaining('"first and second"')]);
});
