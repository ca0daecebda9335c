import { expect, test } from 'vitest';
import { shortRunId } from '../ui/short-id.ts';
import { runName } from './run-name.ts';

const origin = {
  session_id: 'studio-1',
  project_id: 'default',
  project_name: 'My project',
  artifact_id: 'a',
  artifact_deleted: false,
  draft_ref: '.studio/drafts/refund-desk.yaml',
  draft_revision: 'r',
};
const bare = { spec_name: null, workflow_name: '', agent_name: '' };

test('a run is called what its spec calls itself, also when it never compiled', () => {
  expect(runName({ ...bare, spec_name: 'invoice-review', agent_name: 'desk' })).toBe(
    'invoice-review',
  );
  expect(runName({ ...bare, agent_name: 'desk' })).toBe('desk');
});

test('an import without a name is called like its draft, never like its kind', () => {
  const run = { ...bare, workflow_name: 'sequential-workflow', agent_name: 'imported-agent' };
  expect(runName(run, origin)).toBe('refund-desk');
  expect(runName(run)).toBe('sequential-workflow');
  expect(runName(bare)).toBe('Run without a name');
});

test('ids of one moment are told apart by their ends', () => {
  const ids = ['01a2010e-a794-495e-a422-1515c7143385', '01a2010e-a794-4326-8e04-6e0eb94e10e0'];
  expect(ids.map(shortRunId)).toEqual(['…143385', '…4e10e0']);
  expect(shortRunId('run-7')).toBe('run-7');
});
