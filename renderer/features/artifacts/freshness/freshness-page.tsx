import { t } from '../../../../preload/texts/t.ts';
import { rich } from '../../../ui/rich.ts';
import './freshness.css';
import { Button } from '@mantine/core';
import { IconInfoCircle, IconPackage, IconShieldX } from '@tabler/icons-react';
import type { AuthoredArtifact } from '../../../../server/contract/studio/artifact-view.ts';
import type {
  ArtifactFreshnessView,
  ComponentFreshnessView,
} from '../../../../server/contract/studio/freshness.ts';
import { AppLink } from '../../../app/app-link.tsx';
import { navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { fileName } from '../../../data/draft-names.ts';
import { useArtifact } from '../../../data/studio.ts';
import { useAction } from '../../../data/use-action.ts';
import { CopyCode } from '../../../ui/copy-code.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { notifyError } from '../../../ui/notify.tsx';
import { Page } from '../../../ui/page.tsx';
import { Badge } from '../../../ui/status-badge.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { Unread } from '../../../ui/unread.tsx';
import { SaidOf } from '../freshness-note.tsx';
import { renewArtifact } from '../renew-artifact.ts';
import { exportHindrance, OUTCOMES } from './freshness-model.ts';
import { useFreshness } from './freshness-queries.ts';
import { LineageCard } from './lineage-card.tsx';

/** Whether the analyses that an artifact carries are still the latest word, component by component. */
export function FreshnessPage(props: { readonly projectId: string; readonly artifactId: string }) {
  const { projectId, artifactId } = props;
  const artifact = useArtifact(projectId, artifactId);
  const freshness = useFreshness(projectId, artifactId);
  if (!artifact.isSuccess || !freshness.isSuccess) {
    return (
      <Page title={t('Freshness')}>
        <Unread query={artifact.isSuccess ? freshness : artifact} />
      </Page>
    );
  }
  return <Fresh artifact={artifact.data} freshness={freshness.data} />;
}

function Fresh(props: {
  readonly artifact: AuthoredArtifact;
  readonly freshness: ArtifactFreshnessView;
}) {
  const { artifact, freshness } = props;
  const projectId = artifact.project_id;
  const renewal = useAction(() =>
    renewArtifact(artifact, false).catch((error) =>
      notifyError(t('No new artifact was created'), error),
    ),
  );
  const { label, tone, about } = OUTCOMES[freshness.outcome];
  return (
    <Page
      title={t('Freshness of {file}', { file: fileName(artifact.base.path) })}
      testId="freshness-page"
      sub={
        <>
          {rich('Artifact {link}, created {time} · running analyzer {running_analyzer_version}', {
            link: (
              <AppLink to={paths.artifact(projectId, artifact.id)}>
                {artifact.id.slice(0, 8)}
              </AppLink>
            ),
            time: <TimeAgo at={artifact.created_at} />,
            running_analyzer_version: freshness.running_analyzer_version,
          })}
        </>
      }
      actions={
        <>
          <Button variant="default" onClick={() => navigateTo(paths.freshness(projectId))}>
            {t('All artifacts')}
          </Button>
          <Button
            variant="default"
            leftSection={<IconPackage size={16} />}
            onClick={() => navigateTo(paths.artifact(projectId, artifact.id))}
            data-testid="open-artifact"
          >
            {t('Open artifact')}
          </Button>
        </>
      }
    >
      <p className="sw-fresh-outcome" data-testid="outcome" data-outcome={freshness.outcome}>
        <Badge tone={tone}>{label}</Badge> {about}
      </p>
      <Advice artifact={artifact} readiness={freshness.readiness} />
      {freshness.components.map((component) => (
        <Component
          key={component.position}
          projectId={projectId}
          component={component}
          renewing={renewal.busy}
          onRenew={() => renewal.start()}
        />
      ))}
    </Page>
  );
}

/** What on this page is advice, and what refuses an export. */
function Advice(props: { readonly artifact: AuthoredArtifact; readonly readiness: string }) {
  const { artifact, readiness } = props;
  const hindrance = exportHindrance(readiness);
  return (
    <>
      <Notice tone="info" icon={<IconInfoCircle size={16} aria-hidden />} testId="freshness-advice">
        {t('All of this is advice: an artifact stays what it is, and its age refuses no export.')}
      </Notice>
      {hindrance !== undefined && (
        <Notice
          tone="warning"
          icon={<IconShieldX size={16} aria-hidden />}
          testId="freshness-blocks"
        >
          {rich(
            'What holds the export back is something else: {hindrance}. <link>See the checklist</link>',
            {
              hindrance,
              link: (text) => (
                <AppLink to={paths.artifact(artifact.project_id, artifact.id)}>{text}</AppLink>
              ),
            },
          )}
        </Notice>
      )}
    </>
  );
}

function Component(props: {
  readonly projectId: string;
  readonly component: ComponentFreshnessView;
  readonly renewing: boolean;
  readonly onRenew: () => void;
}) {
  const { projectId, component } = props;
  const { ref, position, revision, lineages } = component;
  const { label, tone } = OUTCOMES[component.outcome];
  return (
    <section className="sw-fresh-component" data-testid={`component-${position}`}>
      <h2 className="sw-section-title">
        {position === 0 ? t('Base') : t('Overlay {position}', { position })}:{' '}
        <AppLink to={paths.draft(projectId, ref)}>{ref}</AppLink>{' '}
        <CopyCode value={revision} shown={revision.slice(0, 8)} />{' '}
        <Badge tone={tone}>{label}</Badge>
      </h2>
      {component.edited_revision && (
        <p className="sw-faint">
          {t(
            'It was edited after its import, so no analysis describes exactly this revision; all that were linked to the draft are shown.',
          )}
        </p>
      )}
      {lineages.length === 0 && (
        <>
          <p className="sw-faint">{OUTCOMES.no_inherited_analysis.about}</p>
          <SaidOf projectId={projectId} componentRef={ref} revision={revision} />
        </>
      )}
      {lineages.map((lineage) => (
        <LineageCard
          key={`${lineage.importer} ${lineage.source_sha256} ${lineage.output_sha256}`}
          projectId={projectId}
          componentRef={ref}
          lineage={lineage}
          renewing={props.renewing}
          onRenew={props.onRenew}
        />
      ))}
    </section>
  );
}
