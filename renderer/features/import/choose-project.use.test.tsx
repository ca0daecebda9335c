// @vitest-environment happy-dom
import { screen, waitForElementToBeRemoved } from '@testing-library/react';
import { expect, test } from 'vitest';
import { freshWindows, mounted, peer } from '../../../test/support/mounted.ts';
import { chooseProject } from './choose-project.tsx';

freshWindows();

test('a project that was not made says why, until it is tried again', async () => {
  const user = mounted(<div />);
  const chosen = chooseProject('Import 2 files', [], '');
  const refusal = { error: 'project_limit_reached', message: 'You have as many as allowed.' };
  peer.answer('POST', '/studio/api/projects', 409, { detail: refusal });
  await user.type(await screen.findByLabelText('Name of the new project'), 'Flows');
  await user.click(screen.getByTestId('import-submit'));
  const said = await screen.findByTestId('error-state');
  const forgotten = waitForElementToBeRemoved(said);
  await user.click(screen.getByTestId('import-submit'));
  await forgotten;
  await screen.findByTestId('error-state');
  await user.click(screen.getByText('Cancel'));
  expect(await chosen).toBeUndefined();
});
