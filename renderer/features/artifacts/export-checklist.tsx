import { Button } from '@mantine/core';
import { IconCircleCheckFilled, IconCircleXFilled } from '@tabler/icons-react';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useDrafts } from '../../data/studio.ts';
import { useAction } from '../../data/use-action.ts';
import { CapabilityFindings } from '../../ui/capability-findings.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyError } from '../../ui/notify.tsx';
import type { CheckLine, Remedy } from './readiness-model.ts';
import { renewArtifact } from './renew-artifact.ts';

const TITLES: Readonly<Record<Exclude<Remedy, 'none'>, string>> = {
  open_gaps: 'Open gaps',
  acknowledge: 'Review gaps',
  edit_draft: 'Open draft',
  assert_not_applicable: 'No analysis needed',
  new_artifact: 'Create a new artifact',
};

/** What blocks export, line by line, each with the one action that unblocks it. */
export function ExportChecklist(props: {
  readonly artifact: AuthoredArtifact;
  readonly lines: readonly CheckLine[];
  readonly portabilityError: unknown;
}) {
  return (
    <div data-testid="export-checklist">
      {props.lines.map((line) => (
        <div className="sw-check" key={line.id} data-ok={line.ok} data-testid={`check-${line.id}`}>
          {line.ok ? (
            <IconCircleCheckFilled size={18} aria-label="Done" />
          ) : (
            <IconCircleXFilled size={18} aria-label="Open" />
          )}
          <span>
            <strong>{line.title}</strong>
            <span className="sw-faint">{line.detail}</span>
          </span>
          {line.remedy !== 'none' && (
            <RemedyButton artifact={props.artifact} remedy={line.remedy} />
          )}
        </div>
      ))}
      {props.portabilityError !== undefined && (
        <>
          <ErrorState compact title="Portability is not known" error={props.portabilityError} />
          <CapabilityFindings error={props.portabilityError} />
        </>
      )}
    </div>
  );
}

function RemedyButton(props: {
  readonly artifact: AuthoredArtifact;
  readonly remedy: Exclude<Remedy, 'none'>;
}) {
  const { artifact, remedy } = props;
  const drafts = useDrafts(artifact.project_id).data ?? [];
  const renewal = useAction(() =>
    renewArtifact(artifact, drafts, remedy === 'assert_not_applicable').catch((error) =>
      notifyError('No new artifact was created', error),
    ),
  );
  const run = (): void => {
    const analysisId = artifact.analysis_ids[0];
    if ((remedy === 'open_gaps' || remedy === 'acknowledge') && analysisId !== undefined) {
      navigateTo(
        paths.gaps(artifact.project_id, analysisId, {
          ref: artifact.base.path,
          artifact: artifact.id,
        }),
      );
    } else if (remedy === 'edit_draft') {
      navigateTo(paths.draft(artifact.project_id, artifact.base.path));
    } else {
      renewal.start();
    }
  };
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={renewal.busy}
      onClick={run}
      data-testid={`remedy-${remedy}`}
    >
      {TITLES[remedy]}
    </Button>
  );
}
