import { useQueries } from '@tanstack/react-query';
import { t } from '../../../preload/texts/t.ts';
import { getAnalysis } from '../../../server/contract/studio/analyses.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { routeQuery } from '../../data/query-client.ts';
import type { Opener } from './artifact-places.ts';
import { type Blocker, type BlockerFix, blockerAdvice, gapOf } from './blocker-model.ts';

/** Everything that keeps the artifact from travelling, each with where it is fixed. */
export function BlockerList(props: {
  readonly artifact: AuthoredArtifact;
  readonly blockers: readonly Blocker[];
  readonly opener: Opener;
}) {
  const { artifact, blockers } = props;
  const { project_id } = artifact;
  const analyses = useQueries({
    queries: artifact.analysis_ids.map((analysis_id) =>
      routeQuery(getAnalysis, { params: { project_id, analysis_id } }),
    ),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  return (
    <ul className="sw-blockers" data-testid="blockers">
      {blockers.map((blocker) => {
        const { what, todo, fixes } = blockerAdvice(blocker);
        const gap = gapOf(blocker, analyses);
        return (
          <li key={`${blocker.code} ${blocker.spec_ref ?? ''}`} data-code={blocker.code}>
            <div>
              <strong>{what}</strong>
              {blocker.spec_ref !== null && <code>{blocker.spec_ref}</code>}
            </div>
            <div className="sw-faint">{todo}</div>
            <div className="sw-blocker-fixes">
              {fixes.map((fix) => (
                <Fix key={fix} fix={fix} blocker={blocker} {...props} />
              ))}
              {gap !== undefined && (
                <AppLink
                  to={paths.gaps(project_id, gap.analysisId, {
                    ref: artifact.base.path,
                    artifact: artifact.id,
                    gap: gap.gapId,
                  })}
                  testId="blocker-gap"
                >
                  {t('Open the gap')}
                </AppLink>
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Fix(props: {
  readonly fix: BlockerFix;
  readonly blocker: Blocker;
  readonly artifact: AuthoredArtifact;
  readonly opener: Opener;
}) {
  const { artifact, blocker, opener } = props;
  const { alias } = artifact;
  switch (props.fix) {
    case 'line':
      return (
        <AppLink to={opener(blocker.spec_ref ?? '')} testId="blocker-line">
          {t('Open the line')}
        </AppLink>
      );
    case 'registry':
      return (
        <AppLink
          to={paths.environments(artifact.project_id, { alias, open: 'registry' })}
          testId="blocker-registry"
        >
          {t('Registry of {alias}', { alias })}
        </AppLink>
      );
    case 'environments':
      return (
        <AppLink
          to={paths.environments(artifact.project_id, { alias })}
          testId="blocker-environments"
        >
          {t('Environments')}
        </AppLink>
      );
  }
}
