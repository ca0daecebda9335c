// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { getTree, getTreeVersion } from '../../../../server/contract/studio/tree.ts';
import { freshWindows, mounted } from '../../../../test/support/mounted.ts';
import { queryClient, routeKey } from '../../../data/query-client.ts';
import { TreeNotes } from './tree-notes.tsx';

freshWindows();

function noted(truncated: boolean, watched: boolean): void {
  const params = { project_id: 'one' };
  const tree = { entries: [], truncated, unusable: [], version: 'v' };
  queryClient.setQueryData(routeKey(getTree, { params }), tree);
  queryClient.setQueryData(routeKey(getTreeVersion, { params }), { version: 'v', watched });
  mounted(<TreeNotes projectId="one" />);
}

test('a folder that is shown and watched whole has no notes', () => {
  noted(false, true);
  expect(screen.queryByTestId('tree-truncated')).toBeNull();
  expect(screen.queryByTestId('tree-unwatched')).toBeNull();
});

test('what is not shown of a large folder, and when changes are seen late, is told', () => {
  noted(true, false);
  expect(screen.getByTestId('tree-truncated').textContent).toContain('5,000 files');
  expect(screen.getByTestId('tree-unwatched').textContent).toContain('every 15 seconds');
});
