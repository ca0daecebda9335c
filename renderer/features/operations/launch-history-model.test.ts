import { expect, test } from 'vitest';
import type { LaunchHistoryEntry } from '../../../server/contract/dashboard/launch.ts';
import { groupsOf } from './launch-history-model.ts';

let count = 0;
function entry(more: Partial<LaunchHistoryEntry>): LaunchHistoryEntry {
  count += 1;
  return {
    id: String(count),
    environment: null,
    mode: 'inline',
    spec_path: null,
    digest: 'sha256:aa',
    label: 'desk',
    run_id: `run-${count}`,
    created_by: 'static-operator',
    created_at: '2026-11-21T12:00:00.000000+00:00',
    ...more,
  };
}

const draft = { kind: 'draft', project_id: 'p', ref: 'specs/desk.yaml', revision: 'one' } as const;
const artifact = {
  kind: 'artifact',
  project_id: 'p',
  artifact_id: 'a1',
  draft_ref: 'specs/desk.yaml',
  revision: 'two',
} as const;
const path = { mode: 'path', spec_path: 'desk.yaml', label: 'desk.yaml', digest: null } as const;
const rerun = { digest: null, label: 'run r again' } as const;

test('launches stand together by their spec, the one launched last first', () => {
  const groups = groupsOf([
    entry({ source: draft }),
    entry({ source: artifact }),
    entry({ source: { ...draft, revision: 'zero' } }),
    entry({}),
    entry(path),
    entry(rerun),
    entry({ ...rerun, label: 'run s again' }),
    entry(path),
  ]);
  expect(groups.map(({ title, from, earlier }) => [title, from, earlier.length])).toEqual([
    ['desk', 'draft of project p', 1],
    ['desk', 'artifact of project p', 0],
    ['desk', 'pasted text', 0],
    ['desk.yaml', 'file of the platform', 1],
    ['Runs that began at a checkpoint', 'another run', 1],
  ]);
});
