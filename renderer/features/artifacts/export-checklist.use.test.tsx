// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { type BindingView, listBindings } from '../../../server/contract/studio/environments.ts';
import { freshWindows, memberOf, mounted } from '../../../test/support/mounted.ts';
import { ApiError } from '../../data/api-error.ts';
import { routeKey } from '../../data/query-client.ts';
import { ExportChecklist } from './export-checklist.tsx';

freshWindows();

const ARTIFACT: AuthoredArtifact = {
  ...{ id: 'one', project_id: 'default', alias: 'default', alias_generation: 1 },
  ...{ base: { path: 'a.yaml', revision: 'r' }, overlays: [], overrides_sha256: 'x' },
  ...{ revision: 'y', created_at: '2026-01-01T00:00:00.000000+00:00', analysis_ids: [] },
  source_analysis_state: 'clear',
  ...{ unacknowledged_manual_gaps: [], unresolved_blocking_gaps: [] },
};

function refused(generation: number): void {
  const binding: BindingView = {
    ...{ alias: 'default', platform_environment: 'dev', generation, transport: 'remote' },
    ...{ platform_egress: 'unenforced', capability_policy: 'local', profile_state: 'available' },
  };
  const error = new ApiError({
    ...{ status: 422, code: 'spec_capability_refused', message: 'Not allowed.' },
    ...{ requestId: null, retryAfter: null, details: {} },
  });
  mounted(
    <ExportChecklist
      artifact={ARTIFACT}
      lines={[]}
      portabilityError={error}
      opener={() => '/'}
      blockers={null}
    />,
    [
      memberOf('default'),
      [routeKey(listBindings, { params: { project_id: 'default' } }), [binding]],
    ],
  );
}

test('what the rules refuse can be made anew under the rules of now', () => {
  refused(2);
  expect(screen.getByTestId('next-generation').textContent).toContain('generation 2');
  screen.getByTestId('remedy-new_artifact');
});

test('while the rules are the same, nothing new would come of it', () => {
  refused(1);
  screen.getByTestId('error-state');
  expect(screen.queryByTestId('next-generation')).toBeNull();
});
