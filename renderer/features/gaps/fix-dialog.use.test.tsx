// @vitest-environment happy-dom
import '../../../test/support/worker-here.ts';
import './draft/draft-worker.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { FixTarget } from '../../../server/gaps/fixes/fix-types.ts';
import { DESK_DRAFT } from '../../../server/gaps/testing/desk-draft.ts';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { FixDialog } from './fix-dialog.tsx';
import type { GapCard } from './gap-model.ts';

freshWindows();

const [R1, R2, R3] = ['1', '2', '3'].map((sign) => sign.repeat(64)) as [string, string, string];
const AT = '/studio/api/projects/default/drafts/desk.yaml';

const target = (name: string, kind: string): FixTarget => ({
  ...{ gap_id: `${kind}:${name}`, kind, label: name, name },
});

const card = ({ gap_id, kind, label }: FixTarget): GapCard => ({
  gap: {
    ...{ ref: { analysis_id: 'an', gap_id }, kind, severity: 'blocking', spec_ref: null },
    ...{ source_ref: { source_id: 's', source_label: label, locator: null } },
    ...{ title: gap_id, detail: '' },
  },
  ...{ standing: 'open', by: null, at: null },
});

function dialog(...targets: FixTarget[]) {
  peer.answer('GET', AT, 200, { ref: 'desk.yaml', text: DESK_DRAFT, revision: R1 });
  const onStored = vi.fn();
  const user = mounted(
    <FixDialog
      projectId="default"
      draftPath="desk.yaml"
      cards={targets.map(card)}
      targets={targets}
      onStored={onStored}
      onClose={() => undefined}
    />,
  );
  return { user, onStored };
}

const save = () => screen.findByTestId<HTMLButtonElement>('fix-store');

test('an edit is filled in, seen, and saved over the revision that it was made from', async () => {
  const { user, onStored } = dialog(target('fetch', 'proprietary_node'));
  expect((await save()).disabled).toBe(true);
  screen.getByText('Fix fetch');
  await user.clear(screen.getByTestId('fix-field-function'));
  await user.type(screen.getByTestId('fix-field-function'), 'shop.get');
  await waitFor(async () => expect((await save()).disabled).toBe(false));
  peer.answer('PUT', AT, 200, { revision: R3 });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(onStored).toHaveBeenCalledOnce());
  expect(peer.writes).toMatchObject([
    {
      method: 'PUT',
      body: {
        expected_revision: R1,
        text: DESK_DRAFT.replace('imported.fetch', 'shop.get'),
      },
    },
  ]);
});

test('a draft that changed meanwhile is not overwritten: the edit is made anew and said so', async () => {
  const { user, onStored } = dialog(target('fetch', 'proprietary_node'));
  await user.clear(await screen.findByTestId('fix-field-function'));
  await user.type(screen.getByTestId('fix-field-function'), 'shop.get');
  await waitFor(async () => expect((await save()).disabled).toBe(false));
  const error = { error: 'draft_stale', message: 'The draft is another one now.' };
  peer.answer('PUT', AT, 409, { detail: error });
  const newer = DESK_DRAFT.replace('Answer.', 'Answer kindly.');
  peer.answer('GET', AT, 200, { ref: 'desk.yaml', text: newer, revision: R2 });
  await user.click(await save());
  await screen.findByTestId('fix-moved');
  expect(onStored).not.toHaveBeenCalled();
  peer.answer('PUT', AT, 200, { revision: R3 });
  await waitFor(async () => expect((await save()).disabled).toBe(false));
  await user.click(await save());
  await waitFor(() => expect(onStored).toHaveBeenCalledOnce());
  expect(peer.writes.at(-1)?.body).toMatchObject({
    expected_revision: R2,
    text: newer.replace('imported.fetch', 'shop.get'),
  });
});

test('another edit has its own fields; a gap that only the text can answer leads to the editor', async () => {
  const { user } = dialog(target('fetch', 'proprietary_node'));
  await screen.findByTestId('fix-field-function');
  await user.click(screen.getByTestId('fix-take_out'));
  await waitFor(() => expect(screen.queryByTestId('fix-field-function')).toBeNull());
});

test('where no edit fits, the dialog says so', async () => {
  dialog(target('nobody', 'proprietary_node'));
  await screen.findByText('No ready-made edit');
  screen.getByText('Open editor');
});
