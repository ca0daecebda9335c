import { Button } from '@mantine/core';
import {
  IconAlertTriangleFilled,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleXFilled,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { AuthoredArtifact } from '../../../server/contract/studio/artifact-view.ts';
import { AppLink } from '../../app/app-link.tsx';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useBindings } from '../../data/studio.ts';
import { useAction } from '../../data/use-action.ts';
import { CapabilityFindings } from '../../ui/capability-findings.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyError } from '../../ui/notify.tsx';
import type { Opener } from './artifact-places.ts';
import type { CheckLine, Remedy } from './readiness-model.ts';
import { renewArtifact } from './renew-artifact.ts';

const TITLES: Readonly<Record<Exclude<Remedy, 'none'>, string>> = {
  open_gaps: t('Review gaps'),
  acknowledge: t('Review gaps'),
  assert_not_applicable: t('No analysis needed'),
  new_artifact: t('Create a new artifact'),
  environments: t('Environments'),
  stages: t('See the findings'),
  preflight: t('See the credentials'),
  freshness: t('See the freshness'),
};

/** What blocks export, line by line, each with the one action that unblocks it. */
export function ExportChecklist(props: {
  readonly artifact: AuthoredArtifact;
  readonly lines: readonly CheckLine[];
  readonly portabilityError: unknown;
  readonly opener: Opener;
  /** Below the line on portability: what is in the way, and where it is fixed. */
  readonly blockers: ReactNode;
}) {
  return (
    <div data-testid="export-checklist">
      {props.lines.map((line) => (
        <div
          className="sw-check"
          key={line.id}
          data-ok={line.ok}
          data-state={stateOf(line)}
          data-testid={`check-${line.id}`}
        >
          <LineIcon line={line} />
          <span>
            <strong>{line.title}</strong>
            <span className="sw-faint">{line.detail}</span>
            {line.id === 'portability' && props.blockers}
          </span>
          {line.remedy !== 'none' && (
            <RemedyButton artifact={props.artifact} remedy={line.remedy} />
          )}
        </div>
      ))}
      {props.portabilityError !== undefined && (
        <>
          <ErrorState
            compact
            title={t('Portability is not known')}
            error={props.portabilityError}
            actions={<NextGeneration artifact={props.artifact} />}
          />
          <CapabilityFindings
            error={props.portabilityError}
            place={(path) => <AppLink to={props.opener(path)}>{path}</AppLink>}
          />
        </>
      )}
    </div>
  );
}

/** An artifact stays with the rules that it was made under; a new one gets those of now. */
function NextGeneration(props: { readonly artifact: AuthoredArtifact }) {
  const { artifact } = props;
  const bindings = useBindings(artifact.project_id).data ?? [];
  const now = bindings.find(({ alias }) => alias === artifact.alias)?.generation ?? 0;
  return now <= artifact.alias_generation ? null : (
    <span data-testid="next-generation">
      {t('{alias} has other rules since then (generation {now}).', { alias: artifact.alias, now })}{' '}
      <RemedyButton artifact={artifact} remedy="new_artifact" />
    </span>
  );
}

function stateOf(line: CheckLine): 'done' | 'pending' | 'advice' | 'open' {
  if (line.ok) {
    return 'done';
  }
  if (line.pending === true) {
    return 'pending';
  }
  return line.advice === true ? 'advice' : 'open';
}

function LineIcon(props: { readonly line: CheckLine }) {
  switch (stateOf(props.line)) {
    case 'done':
      return <IconCircleCheckFilled size={18} aria-label={t('Done')} />;
    case 'pending':
      return <IconCircleDashed size={18} aria-label={t('Being checked')} />;
    case 'advice':
      return <IconAlertTriangleFilled size={18} aria-label={t('Advice')} />;
    case 'open':
      return <IconCircleXFilled size={18} aria-label={t('Open')} />;
  }
}

function RemedyButton(props: {
  readonly artifact: AuthoredArtifact;
  readonly remedy: Exclude<Remedy, 'none'>;
}) {
  const { artifact, remedy } = props;
  const renewal = useAction(() =>
    renewArtifact(artifact, remedy === 'assert_not_applicable').catch((error) =>
      notifyError(t('No new artifact was created'), error),
    ),
  );
  const run = (): void => {
    if (remedy === 'open_gaps' || remedy === 'acknowledge') {
      navigateTo(paths.reviewGaps(artifact.project_id, { artifact: artifact.id }));
    } else if (remedy === 'environments') {
      navigateTo(paths.environments(artifact.project_id, { alias: artifact.alias }));
    } else if (remedy === 'freshness') {
      navigateTo(paths.artifactFreshness(artifact.project_id, artifact.id));
    } else if (remedy === 'stages' || remedy === 'preflight') {
      const part = document.getElementById(`artifact-${remedy}`);
      part?.scrollIntoView({ block: 'start' });
      part?.focus({ preventScroll: true });
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
