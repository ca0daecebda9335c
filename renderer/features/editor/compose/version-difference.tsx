import { useQuery } from '@tanstack/react-query';
import { t } from '../../../../preload/texts/t.ts';
import type { AuthoredArtifact } from '../../../../server/contract/studio/artifact-view.ts';
import { AppLink } from '../../../app/app-link.tsx';
import { paths } from '../../../app/paths.ts';
import { compositionQuery } from '../../../data/artifact-actions.ts';
import { useWorkerAnswer } from '../compare/use-worker-answer.ts';
import { Verdict } from '../compare/verdict.tsx';
import { askSpecWorker } from '../spec-client.ts';
import { sideText } from './compare-side.ts';

export interface VersionDifferenceProps {
  readonly artifact: AuthoredArtifact;
  /** The version before it. */
  readonly before: AuthoredArtifact;
}

/** What a version changes in the one before, by meaning; leads to both side by side. */
export function VersionDifference(props: VersionDifferenceProps) {
  const { artifact, before } = props;
  const projectId = artifact.project_id;
  const [left, right] = [
    useQuery(compositionQuery(projectId, before.id)),
    useQuery(compositionQuery(projectId, artifact.id)),
  ];
  const texts =
    left.data === undefined || right.data === undefined
      ? undefined
      : { left: left.data.text, right: right.data.text, file: 'version.yaml' };
  const { output, error, stale } = useWorkerAnswer(JSON.stringify(texts), async () =>
    texts === undefined ? undefined : askSpecWorker('compare', texts),
  );
  const unread = left.isError || right.isError || error !== undefined;
  return (
    <AppLink
      to={paths.compareVersions(
        projectId,
        sideText({ kind: 'artifact', id: before.id }),
        sideText({ kind: 'artifact', id: artifact.id }),
      )}
      testId={`difference-${artifact.id}`}
    >
      {unread ? (
        <span className="sw-faint">{t('Not known; open both')}</span>
      ) : stale || output === undefined ? (
        <span className="sw-faint">{t('Comparing…')}</span>
      ) : (
        <Verdict comparison={output} />
      )}
    </AppLink>
  );
}
