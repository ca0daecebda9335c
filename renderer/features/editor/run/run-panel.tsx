import { ActionIcon, Button, Group, NativeSelect, Textarea } from '@mantine/core';
import { IconPlayerPlay, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { handlersStore, runCommand } from '../../../app/commands.ts';
import { isMac } from '../../../app/keyboard.ts';
import { shortcutText } from '../../../app/shortcut.ts';
import { CapabilityFindings } from '../../../ui/capability-findings.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Badge, StatusBadge } from '../../../ui/status-badge.tsx';
import { useStore } from '../../../ui/store.ts';
import type { PlacedFinding } from '../locate-findings.ts';
import type { DraftRunState } from './draft-run-store.ts';
import type { DraftRunProgress } from './run-progress.ts';
import { UNTRUSTED } from './untrusted-findings.ts';
import type { DraftRunSession } from './use-draft-run.ts';

/** What the part that follows a run is given; other features draw it. */
export interface LiveRunProps {
  readonly runId: string;
  readonly onProgress: (progress: DraftRunProgress) => void;
  /** Goes to the text of a node. */
  readonly onNode: (node: string) => void;
  /** Goes to a place of the document. */
  readonly onPath: (path: string) => void;
}

const ITEMS_HINT = "A text, one JSON object, or a list of objects: the trigger's items.";

/** Below the text: the input of the draft's run, and the run as it goes. */
export function RunPanel(props: {
  readonly session: DraftRunSession;
  readonly state: DraftRunState;
  readonly text: string;
  readonly onFinding: (finding: PlacedFinding) => void;
  readonly live: (runId: string) => ReactNode;
  /** Opens the question whether code of the project may run. */
  readonly onTrust: () => void;
}) {
  const { session, state } = props;
  const input = useRef<HTMLTextAreaElement>(null);
  const asking = state.phase === 'asking';
  useEffect(() => {
    if (asking) {
      input.current?.focus();
    }
  }, [asking]);
  const changed = state.phase !== 'asking' && state.text !== props.text;
  return (
    <section className="sw-draft-run" aria-label="Run of this draft" data-testid="draft-run">
      <div className="sw-draft-run-input">
        <div className="sw-draft-run-head">
          <h2 className="sw-section-title">Run</h2>
          {changed && <Badge tone="warning">About an earlier text</Badge>}
        </div>
        {session.flow !== null && session.flow.length > 1 && (
          <NativeSelect
            size="xs"
            label="Trigger"
            value={session.trigger}
            onChange={(event) => session.setTrigger(event.currentTarget.value)}
            data={session.flow.map(({ key, name }) => ({ value: key, label: name }))}
            data-testid="draft-run-trigger"
          />
        )}
        <Textarea
          ref={input}
          label="Input"
          description={session.flow === null ? undefined : ITEMS_HINT}
          error={session.problem}
          value={session.input}
          onChange={(event) => session.setInput(event.currentTarget.value)}
          autosize
          minRows={2}
          maxRows={6}
          data-testid="draft-run-input"
        />
        <Button
          size="xs"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          loading={state.phase === 'starting'}
          onClick={session.run}
          rightSection={<kbd className="sw-kbd">{shortcutText('F5', isMac)}</kbd>}
          data-testid="draft-run-start"
        >
          {state.phase === 'started' ? 'Run again' : 'Run'}
        </Button>
      </div>
      <div className="sw-draft-run-body">
        {asking && (
          <p className="sw-faint">
            Runs the text as it stands, saved or not. The input is kept for this draft.
          </p>
        )}
        {state.phase === 'refused' && (
          <Prevented
            state={state}
            onFinding={props.onFinding}
            onRetry={session.run}
            onTrust={props.onTrust}
          />
        )}
        {state.phase === 'started' && props.live(state.runId)}
      </div>
      <ActionIcon
        className="sw-draft-run-close"
        variant="subtle"
        color="gray"
        size="sm"
        aria-label="Close the run"
        onClick={session.close}
      >
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </section>
  );
}

function Prevented(props: {
  readonly state: Extract<DraftRunState, { phase: 'refused' }>;
  readonly onFinding: (finding: PlacedFinding) => void;
  readonly onRetry: () => void;
  readonly onTrust: () => void;
}) {
  const { findings, error } = props.state;
  const hasGaps = useStore(handlersStore).has('draft.gaps');
  if (error !== undefined) {
    return (
      <>
        <ErrorState compact title="The run was not started" error={error} onRetry={props.onRetry} />
        <CapabilityFindings error={error} />
      </>
    );
  }
  const errors = findings.filter(({ severity }) => severity === 'error');
  const aboutTrust = errors.some(({ code }) => code.startsWith('E_HANDLER_') || code === UNTRUSTED);
  const isMissing = errors.some(({ code }) => code === 'E_HANDLER_NOT_FOUND');
  return (
    <div role="alert" data-testid="draft-run-prevented">
      <p>
        {errors.length === 1 ? 'An error prevents' : `${errors.length} errors prevent`} the run:
      </p>
      <ul className="sw-draft-run-findings">
        {errors.map((finding) => (
          <li key={`${finding.code} ${finding.path ?? ''} ${finding.message}`}>
            <button type="button" className="sw-bare" onClick={() => props.onFinding(finding)}>
              <StatusBadge status="error" />
              <span>
                {finding.message}{' '}
                {finding.suggestion !== null && (
                  <span className="sw-faint">{finding.suggestion}</span>
                )}
              </span>
              {finding.line !== null && <span className="sw-faint">line {finding.line}</span>}
            </button>
          </li>
        ))}
      </ul>
      <Group gap={8} mt={8}>
        {aboutTrust && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={props.onTrust}
            data-testid="draft-run-trust"
          >
            Trust this folder…
          </Button>
        )}
        {isMissing && hasGaps && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => runCommand('draft.gaps')}
            data-testid="draft-run-gaps"
          >
            Let an agent or a person do it (Gaps)
          </Button>
        )}
      </Group>
    </div>
  );
}
