import { Button } from '@mantine/core';
import { t } from '../../../preload/texts/t.ts';
import { findingsIn, type ShownFinding } from '../../../server/contract/platform/findings.ts';
import { isObject } from '../../../server/kernel/json.ts';
import { AppLink } from '../../app/app-link.tsx';
import { CapabilityFindings } from '../../ui/capability-findings.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ServiceText } from '../../ui/service-text.tsx';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import type { Opener } from './artifact-places.ts';
import type { StageName } from './artifact-queries.ts';
import type { ArtifactStage } from './artifact-stages.ts';
import { PolicyReport } from './policy-report.tsx';

const STAGES: Readonly<Record<StageName, { readonly title: string; readonly about: string }>> = {
  validate: { title: t('Validate'), about: t('Shape, names and rules of the spec') },
  compile: { title: t('Compile'), about: t('What the platform would build') },
  policy_report: { title: t('Policy report'), about: t('Permissions, guardrails, human steps') },
};

/** What the platform says of the artifact as it was frozen: each finding leads to its line. */
export function StageList(props: {
  readonly stages: readonly ArtifactStage[];
  readonly opener: Opener;
}) {
  return (
    <>
      {props.stages.map((stage) => (
        <Stage key={stage.name} stage={stage} opener={props.opener} />
      ))}
    </>
  );
}

function Stage(props: { readonly stage: ArtifactStage; readonly opener: Opener }) {
  const { stage, opener } = props;
  const { title, about } = STAGES[stage.name];
  const { view, error } = stage;
  const report = view?.detail['report'];
  return (
    <div data-testid={`stage-${stage.name}`} data-state={stage.state}>
      <div className="sw-check sw-stage-head">
        <span>
          <strong>{title}</strong>
          <span className="sw-faint">{about}</span>
        </span>
        <StageBadge stage={stage} />
        {stage.state !== 'waiting' && (
          <Button
            size="compact-xs"
            variant="default"
            loading={stage.state === 'running'}
            onClick={stage.again}
            aria-label={t('Check again: {title}', { title })}
          >
            {t('Check again')}
          </Button>
        )}
      </div>
      {view !== undefined && <Findings findings={findingsIn(view.detail)} opener={opener} />}
      {typeof view?.detail['message'] === 'string' && <p>{view.detail['message']}</p>}
      {isObject(report) && (
        <details className="sw-stage-report">
          <summary>{t('Tools, permissions, guardrails and human review')}</summary>
          <PolicyReport report={report} opener={opener} />
        </details>
      )}
      {error !== undefined && (
        <>
          <ErrorState
            compact
            title={t('The stage did not run')}
            error={error}
            onRetry={stage.again}
          />
          <CapabilityFindings
            error={error}
            place={(path) => <AppLink to={opener(path)}>{path}</AppLink>}
          />
        </>
      )}
    </div>
  );
}

function StageBadge(props: { readonly stage: ArtifactStage }) {
  switch (props.stage.state) {
    case 'waiting':
      return <Badge>{t('waits for the one before')}</Badge>;
    case 'running':
      return <Badge>{t('being checked')}</Badge>;
    case 'failed':
      return <Badge tone="danger">{t('did not run')}</Badge>;
    case 'passed':
      return <StatusBadge status="completed">{t('passed')}</StatusBadge>;
    case 'refused':
      return <StatusBadge status="failed">{t('failed')}</StatusBadge>;
  }
}

/** More findings than this are seen in the editor. */
const SHOWN = 50;

function Findings(props: { readonly findings: readonly ShownFinding[]; readonly opener: Opener }) {
  const { findings, opener } = props;
  if (findings.length === 0) {
    return null;
  }
  return (
    <ul className="sw-findings">
      {findings.slice(0, SHOWN).map((finding) => (
        <li key={`${finding.code} ${finding.path ?? ''} ${finding.message}`}>
          <StatusBadge status={finding.severity} />
          <span>
            <ServiceText>
              {finding.message}
              {finding.suggestion !== null && (
                <span className="sw-faint"> {finding.suggestion}</span>
              )}
            </ServiceText>
            <span className="sw-finding-place">
              {finding.path === null || finding.path === '' ? (
                <code>{finding.code}</code>
              ) : (
                <AppLink to={opener(finding.path)} testId="finding-line">
                  {finding.path}
                </AppLink>
              )}
            </span>
          </span>
        </li>
      ))}
      {findings.length > SHOWN && (
        <li className="sw-faint">
          {t('{count, plural, one {# more finding} other {# more findings}}', {
            count: findings.length - SHOWN,
          })}
        </li>
      )}
    </ul>
  );
}
