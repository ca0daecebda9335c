import { Button } from '@mantine/core';
import { useState } from 'react';
import { findingsIn } from '../../../server/contract/platform/findings.ts';
import type { StageView } from '../../../server/contract/studio/govern.ts';
import { useAction } from '../../data/use-action.ts';
import { CapabilityFindings } from '../../ui/capability-findings.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { runStage, type StageName } from './artifact-queries.ts';

const STAGES: readonly {
  readonly name: StageName;
  readonly title: string;
  readonly about: string;
}[] = [
  { name: 'validate', title: 'Validate', about: 'Shape, names and rules of the spec' },
  { name: 'compile', title: 'Compile', about: 'What the platform would build' },
  { name: 'policy_report', title: 'Policy report', about: 'Permissions, guardrails, human steps' },
];

/** The platform's stages on the artifact as it was frozen. */
export function StageList(props: { readonly projectId: string; readonly artifactId: string }) {
  return (
    <>
      {STAGES.map((stage) => (
        <Stage key={stage.name} {...props} {...stage} />
      ))}
    </>
  );
}

function Stage(props: {
  readonly projectId: string;
  readonly artifactId: string;
  readonly name: StageName;
  readonly title: string;
  readonly about: string;
}) {
  const [view, setView] = useState<StageView | null>(null);
  const stage = useAction(async () => {
    try {
      setView(await runStage(props.projectId, props.artifactId, props.name));
    } catch (error) {
      setView(null);
      throw error;
    }
  });
  const findings = view === null ? [] : findingsIn(view.detail);
  return (
    <div data-testid={`stage-${props.name}`}>
      <div className="sw-check" style={{ gridTemplateColumns: 'minmax(0, 1fr) auto auto' }}>
        <span>
          <strong>{props.title}</strong>
          <span className="sw-faint">{props.about}</span>
        </span>
        {view !== null && (
          <StatusBadge status={view.ok ? 'completed' : 'failed'}>
            {view.ok ? 'passed' : 'failed'}
          </StatusBadge>
        )}
        <Button
          size="compact-xs"
          variant="default"
          loading={stage.busy}
          onClick={() => stage.start()}
        >
          {view === null ? 'Check' : 'Check again'}
        </Button>
      </div>
      {findings.map((finding) => (
        <p key={`${finding.code} ${finding.path ?? ''} ${finding.message}`}>
          <StatusBadge status={finding.severity} /> {finding.message}
        </p>
      ))}
      {view !== null && <StageDetail detail={view.detail} />}
      {stage.error !== undefined && (
        <>
          <ErrorState compact title="The stage did not run" error={stage.error} />
          <CapabilityFindings error={stage.error} />
        </>
      )}
    </div>
  );
}

function StageDetail(props: { readonly detail: Readonly<Record<string, unknown>> }) {
  const rest = Object.entries(props.detail).filter(
    ([key]) => key !== 'diagnostics' && key !== 'valid' && key !== 'ok',
  );
  return rest.length === 0 ? null : (
    <details>
      <summary className="sw-faint">Details</summary>
      <pre className="sw-text-box sw-export-text">
        {JSON.stringify(Object.fromEntries(rest), null, 2)}
      </pre>
    </details>
  );
}
