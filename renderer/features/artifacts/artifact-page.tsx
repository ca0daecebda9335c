import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import './artifacts.css';
import { Button, Menu } from '@mantine/core';
import { modals } from '@mantine/modals';
import {
  IconDots,
  IconFileExport,
  IconPackage,
  IconPlayerPlay,
  IconStack2,
  IconTrash,
  IconVersions,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, type ReactNode, useState } from 'react';
import {
  type AuthoredArtifact,
  NO_OVERRIDES,
} from '../../../server/contract/studio/artifact-view.ts';
import { getPortability } from '../../../server/contract/studio/artifacts.ts';
import { AppLink } from '../../app/app-link.tsx';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useCommand } from '../../app/use-command.ts';
import { fileName } from '../../data/draft-names.ts';
import { routeQuery } from '../../data/query-client.ts';
import { useArtifact, useMayEdit } from '../../data/studio.ts';
import { ArtifactPreflight, useArtifactPreflight } from '../../environments/artifact-preflight.tsx';
import { CopyCode } from '../../ui/copy-code.tsx';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { useOpener } from './artifact-places.ts';
import { removeArtifact } from './artifact-queries.ts';
import { ArtifactRuns } from './artifact-runs.tsx';
import { useArtifactStages } from './artifact-stages.ts';
import { BlockerList } from './blocker-list.tsx';
import { ExportChecklist } from './export-checklist.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { useFreshness } from './freshness/freshness-queries.ts';
import { freshnessLine } from './freshness-line.ts';
import { FreshnessNote } from './freshness-note.tsx';
import { PlatformGraph } from './platform-graph.tsx';
import { platformLines } from './platform-lines.ts';
import { type CheckLine, exportChecklist, firstHindrance } from './readiness-model.ts';
import { renewArtifact } from './renew-artifact.ts';
import { type FlowOfArtifact, RunDialog } from './run-dialog.tsx';
import { StageList } from './stage-list.tsx';

/** Draws the text of an artifact; `otherwise` is shown where that is not possible. */
type Drawing = ComponentType<{
  readonly projectId: string;
  readonly artifactId: string;
  readonly name: string;
  readonly otherwise: ReactNode;
}>;

/** One artifact: what keeps it from export, what the platform says, and running it. */
export function ArtifactPage(props: {
  readonly projectId: string;
  readonly artifactId: string;
  readonly drawing: Drawing;
  readonly flow: FlowOfArtifact;
}) {
  const artifact = useArtifact(props.projectId, props.artifactId);
  if (!artifact.isSuccess) {
    return (
      <Page title={t('Artifact')}>
        <Unread query={artifact} />
      </Page>
    );
  }
  return <OpenArtifact key={artifact.data.id} {...props} artifact={artifact.data} />;
}

const BUNDLED: ReadonlySet<CheckLine['id']> = new Set(['portability', 'environment', 'governance']);

function OpenArtifact(props: {
  readonly artifact: AuthoredArtifact;
  readonly drawing: Drawing;
  readonly flow: FlowOfArtifact;
}) {
  const { artifact, drawing: Drawing } = props;
  const projectId = artifact.project_id;
  const drawn = { projectId, artifactId: artifact.id, name: fileName(artifact.base.path) };
  const portability = useQuery(
    routeQuery(getPortability, { params: { project_id: projectId, artifact_id: artifact.id } }),
  );
  const [open, setOpen] = useState<'export' | 'run' | null>(null);
  const opener = useOpener(artifact);
  const stages = useArtifactStages(artifact);
  const flight = useArtifactPreflight(artifact);
  const freshness = useFreshness(projectId, artifact.id);
  const lines = [
    ...exportChecklist(artifact, portability.data),
    ...platformLines(artifact, stages, flight),
    freshnessLine(freshness),
  ];
  const blockers = portability.data?.blockers ?? [];
  const hindrance = firstHindrance(lines);
  // A bundle takes along what ties the spec to this computer, and asks no platform.
  const held = firstHindrance(lines.filter(({ id }) => !BUNDLED.has(id)));
  useCommand('artifact.export', () => setOpen('export'));
  useCommand('run.start', () => setOpen('run'));
  return (
    <Page
      title={fileName(artifact.base.path)}
      sub={
        <>
          {rich('Artifact {code} created {time}', {
            code: <CopyCode value={artifact.id} shown={artifact.id.slice(0, 8)} />,
            time: <TimeAgo at={artifact.created_at} />,
          })}
        </>
      }
      testId="artifact-page"
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconPlayerPlay size={16} />}
            onClick={() => setOpen('run')}
            data-testid="run-artifact"
          >
            {t('Run')}
          </Button>
          <Button
            leftSection={<IconFileExport size={16} />}
            onClick={() => setOpen('export')}
            disabled={held !== undefined}
            title={held?.detail}
            data-testid="export-artifact"
          >
            {t('Export')}
          </Button>
          <MoreMenu artifact={artifact} />
        </>
      }
    >
      <div className="sw-artifact">
        <div>
          <section className="sw-artifact-section">
            <h2 className="sw-section-title">
              {hindrance === undefined ? t('Ready for export') : t('Before it can be exported')}
            </h2>
            <ExportChecklist
              artifact={artifact}
              lines={lines}
              opener={opener}
              portabilityError={portability.isError ? portability.error : undefined}
              blockers={
                blockers.length > 0 && (
                  <BlockerList artifact={artifact} blockers={blockers} opener={opener} />
                )
              }
            />
          </section>
          <section className="sw-artifact-section" id="artifact-stages" tabIndex={-1}>
            <h2 className="sw-section-title">{t('On the platform')}</h2>
            <StageList stages={stages} opener={opener} />
          </section>
          <section className="sw-artifact-section" id="artifact-preflight" tabIndex={-1}>
            <h2 className="sw-section-title">{t('Before it runs')}</h2>
            <ArtifactPreflight artifact={artifact} flight={flight} />
          </section>
          <section className="sw-artifact-section">
            <h2 className="sw-section-title">{t('Runs')}</h2>
            <ArtifactRuns projectId={projectId} artifactId={artifact.id} />
          </section>
        </div>
        <div>
          <section className="sw-artifact-section">
            <h2 className="sw-section-title">{t('What it is made of')}</h2>
            <Facts artifact={artifact} />
            <FreshnessNote projectId={projectId} artifactId={artifact.id} />
          </section>
          <section className="sw-artifact-section">
            <h2 className="sw-section-title">{t('Graph')}</h2>
            <Drawing {...drawn} otherwise={<PlatformGraph {...drawn} />} />
          </section>
        </div>
      </div>
      {open === 'export' && (
        <ExportDialog
          artifact={artifact}
          first={hindrance === undefined ? 'spec' : 'bundle'}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'run' && (
        <RunDialog
          artifact={artifact}
          flow={props.flow}
          flight={flight}
          onClose={() => setOpen(null)}
        />
      )}
    </Page>
  );
}

function Facts(props: { readonly artifact: AuthoredArtifact }) {
  const { artifact } = props;
  return (
    <dl className="sw-facts">
      <dt>{t('Draft')}</dt>
      <dd>
        <AppLink to={paths.draft(artifact.project_id, artifact.base.path)}>
          {artifact.base.path}
        </AppLink>{' '}
        <CopyCode value={artifact.base.revision} shown={artifact.base.revision.slice(0, 8)} />
      </dd>
      {artifact.overlays.map((overlay, index) => (
        <OverlayFact key={overlay.path} index={index} artifact={artifact} path={overlay.path} />
      ))}
      <dt>{t('Composition')}</dt>
      <dd>
        <AppLink to={paths.composition(artifact.project_id, artifact.id)} testId="composition-link">
          {artifact.overrides_sha256 === NO_OVERRIDES
            ? t('Its text and layers')
            : t('Its text, layers and overrides')}
        </AppLink>
      </dd>
      <dt>{t('Alias')}</dt>
      <dd>
        <AppLink to={paths.environments(artifact.project_id, { alias: artifact.alias })}>
          {t('{alias}, generation {alias_generation}', {
            alias: artifact.alias,
            alias_generation: artifact.alias_generation,
          })}
        </AppLink>
      </dd>
      <dt>{t('Analysis')}</dt>
      <dd>
        <StatusBadge status={artifact.source_analysis_state} />
      </dd>
      <dt>{t('Revision')}</dt>
      <dd>
        <CopyCode value={artifact.revision} shown={artifact.revision.slice(0, 8)} />
      </dd>
    </dl>
  );
}

function OverlayFact(props: {
  readonly index: number;
  readonly artifact: AuthoredArtifact;
  readonly path: string;
}) {
  return (
    <>
      <dt>{t('Overlay {index}', { index: props.index + 1 })}</dt>
      <dd>
        <AppLink to={paths.draft(props.artifact.project_id, props.path)}>{props.path}</AppLink>
      </dd>
    </>
  );
}

function MoreMenu(props: { readonly artifact: AuthoredArtifact }) {
  const { artifact } = props;
  const mayEdit = useMayEdit(artifact.project_id);
  const renew = async (): Promise<void> => {
    try {
      await renewArtifact(artifact, false);
    } catch (error) {
      notifyError(t('No new artifact was created'), error);
    }
  };
  const remove = async (): Promise<void> => {
    try {
      await removeArtifact(artifact.project_id, artifact.id);
      notifyDone(t('Artifact deleted'));
      navigateTo(paths.artifacts(artifact.project_id), { replace: true });
    } catch (error) {
      notifyError(t('The artifact was not deleted'), error);
    }
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" px={8} aria-label={t('More actions')}>
          <IconDots size={16} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconPackage size={15} />}
          disabled={!mayEdit}
          onClick={() => void renew()}
          data-testid="renew-artifact"
        >
          {t('New version from the draft as it is now')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconStack2 size={15} />}
          disabled={!mayEdit}
          onClick={() => navigateTo(paths.compose(artifact.project_id, { from: artifact.id }))}
          data-testid="compose-from"
        >
          {t('Compose a new version…')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconVersions size={15} />}
          onClick={() => navigateTo(paths.artifacts(artifact.project_id, artifact.base.path))}
        >
          {t('All versions of the draft')}
        </Menu.Item>
        <Menu.Item
          color="var(--sw-danger)"
          leftSection={<IconTrash size={15} />}
          onClick={() =>
            modals.openConfirmModal({
              title: t('Delete this artifact?'),
              children: t(
                'Artifact {id} of {path} can no longer be exported or run. The draft and earlier exports stay.',
                { id: artifact.id.slice(0, 8), path: artifact.base.path },
              ),
              labels: { confirm: t('Delete artifact'), cancel: t('Keep it') },
              confirmProps: { color: 'red' },
              onConfirm: () => void remove(),
            })
          }
        >
          {t('Delete artifact…')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
