import './artifacts.css';
import { Button } from '@mantine/core';
import { IconArrowsDiff, IconPackage } from '@tabler/icons-react';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useArtifacts } from '../../data/studio.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { Unread } from '../../ui/unread.tsx';
import { versionGroups } from './version-groups.ts';
import { type DifferenceView, VersionList } from './version-list.tsx';

/** How many drafts show their versions at first. */
const OPEN = 3;

/** Artifacts of a project as versions of their drafts, newest first. */
export function ArtifactsPage(props: {
  readonly projectId: string;
  /** The draft whose versions are asked for. */
  readonly draftRef: string | undefined;
  readonly difference: DifferenceView;
}) {
  const { projectId, draftRef } = props;
  const artifacts = useArtifacts(projectId);
  const groups = versionGroups(artifacts.data ?? [], draftRef);
  const asked = draftRef !== undefined && groups[0]?.ref === draftRef;
  return (
    <Page
      title="Artifacts"
      sub="Frozen versions of drafts, that can be checked, exported and run"
      testId="artifacts-page"
      actions={
        groups.length > 0 && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowsDiff size={15} />}
            onClick={() => navigateTo(paths.compareVersions(projectId))}
            data-testid="compare-any"
          >
            Compare two versions
          </Button>
        )
      }
    >
      <Unread query={artifacts} />
      {artifacts.data?.length === 0 && (
        <EmptyState icon={<IconPackage size={32} stroke={1.25} />} title="No artifacts yet">
          Open a draft and create an artifact from it.
        </EmptyState>
      )}
      {draftRef !== undefined && artifacts.isSuccess && !asked && groups.length > 0 && (
        <p className="sw-faint" data-testid="no-versions">
          {draftRef} has no version yet: open it and create an artifact.
        </p>
      )}
      {groups.map((group, at) => (
        <VersionList
          key={group.ref}
          projectId={projectId}
          group={group}
          open={asked ? at === 0 : at < OPEN}
          difference={props.difference}
        />
      ))}
    </Page>
  );
}
