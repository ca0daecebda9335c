import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { findingsIn } from '../../../server/contract/platform/findings.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { AliasPicker } from '../../environments/alias-picker.tsx';
import { CapabilityFindings } from '../../ui/capability-findings.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { OfflineBadge } from '../../ui/offline-badge.tsx';
import { ServiceText } from '../../ui/service-text.tsx';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import { DraftPreflight } from './draft-preflight.tsx';
import type { PreviewState } from './use-preview.ts';

const STAGES: Readonly<Record<string, string>> = {
  validate: t('Validate'),
  compile: t('Compile'),
  policy_report: t('Policy report'),
};

/** What the bound platform says about the text: its stages and their findings. */
export function PreviewPanel(props: {
  readonly projectId: string;
  readonly preview: PreviewState & { readonly run: () => void };
  readonly alias: string | undefined;
  readonly file: string;
  readonly currentText: string;
  readonly offlineAgents: readonly string[];
  /** Goes to a place of the document. */
  readonly onPath: (path: string) => void;
}) {
  const { preview, alias } = props;
  const [flying, setFlying] = useState(false);
  if (alias === undefined) {
    return (
      <EmptyState
        compact
        title={t('No platform is bound')}
        actions={
          <AppLink to={paths.environments(props.projectId)} testId="to-environments">
            {t('Environments')}
          </AppLink>
        }
      >
        {t(
          'Bind one to this project to have it check the text. The editor’s own findings stay available.',
        )}
      </EmptyState>
    );
  }
  const outdated = preview.text !== null && preview.text !== props.currentText;
  return (
    <div className="sw-preview" data-testid="preview">
      <div className="sw-merge-head" style={{ marginTop: 0 }}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlayerPlay size={14} />}
          loading={preview.running}
          onClick={preview.run}
          data-testid="run-preview"
        >
          {t('Check on the platform')}
        </Button>
        <AliasPicker projectId={props.projectId} label={t('On')} />
        {outdated && <Badge tone="warning">{t('About an earlier text')}</Badge>}
        {preview.view !== null && !outdated && (
          <Badge tone={preview.view.ok ? 'success' : 'danger'} testId="preview-verdict">
            {preview.view.ok
              ? t('The platform accepts this text')
              : t('The platform refuses this text')}
          </Badge>
        )}
      </div>
      {props.offlineAgents.length > 0 && (
        <p className="sw-faint" data-testid="preview-offline">
          <OfflineBadge />{' '}
          {t(
            '{offlineAgents} {count, plural, one {names} other {name}} no model, so a run gets offline answers there.',
            { offlineAgents: props.offlineAgents.join(', '), count: props.offlineAgents.length },
          )}
        </p>
      )}
      {preview.error !== undefined && (
        <>
          <ErrorState
            compact
            title={t('The platform did not check the text')}
            error={preview.error}
            onRetry={preview.run}
          />
          <CapabilityFindings
            error={preview.error}
            place={(path) => <PlaceButton path={path} onPath={props.onPath} />}
          />
        </>
      )}
      <details
        className="sw-preview-flight"
        onToggle={(event) => setFlying(event.currentTarget.open)}
        data-testid="preview-preflight"
      >
        <summary>{t('Policy and credentials')}</summary>
        {flying && (
          <DraftPreflight
            projectId={props.projectId}
            alias={alias}
            file={props.file}
            text={props.currentText}
          />
        )}
      </details>
      {preview.view?.stages.map((stage) => {
        const findings = findingsIn(stage.detail);
        return (
          <div key={stage.stage}>
            <div className="sw-stage" data-testid={`stage-${stage.stage}`} data-ok={stage.ok}>
              <span>{STAGES[stage.stage] ?? stage.stage}</span>
              {findings.length > 0 && (
                <span className="sw-faint">
                  {t('{count, plural, one {# finding} other {# findings}}', {
                    count: findings.length,
                  })}
                </span>
              )}
              <StatusBadge status={stage.ok ? 'completed' : 'failed'}>
                {stage.ok ? t('passed') : t('failed')}
              </StatusBadge>
            </div>
            {findings.map((finding) => (
              <p key={`${finding.code} ${finding.path ?? ''} ${finding.message}`}>
                <StatusBadge status={finding.severity} />{' '}
                <ServiceText>{finding.message}</ServiceText>{' '}
                {finding.path === null ? (
                  <span className="sw-mono sw-faint">{finding.code}</span>
                ) : (
                  <PlaceButton path={finding.path} onPath={props.onPath} />
                )}
              </p>
            ))}
          </div>
        );
      })}
    </div>
  );
}

function PlaceButton(props: { readonly path: string; readonly onPath: (path: string) => void }) {
  return (
    <button
      type="button"
      className="sw-bare sw-link sw-mono"
      onClick={() => props.onPath(props.path)}
      data-testid="finding-place"
    >
      {props.path}
    </button>
  );
}
