import { t } from '../../../../preload/texts/t.ts';
import { SERVICE_TEXT } from '../../../ui/service-text.tsx';
import './run.css';
import { ActionIcon, Button, Group } from '@mantine/core';
import { IconPlayerPlay, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { handlersStore, runCommand } from '../../../app/commands.ts';
import { useShortcutText } from '../../../app/shortcuts.ts';
import { WINDOW_PART } from '../../../app/window-parts.ts';
import { RunInput } from '../../../run-input/run-input.tsx';
import { CapabilityFindings } from '../../../ui/capability-findings.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Badge, StatusBadge } from '../../../ui/status-badge.tsx';
import { useStore } from '../../../ui/store.ts';
import type { PlacedFinding } from '../locate-findings.ts';
import type { DraftRunState } from './draft-run-store.ts';
import { MissingBindings } from './missing-bindings.tsx';
import { RehearsalList } from './rehearsal-list.tsx';
import type { DraftRunProgress } from './run-progress.ts';
import { UNTRUSTED } from './untrusted-findings.ts';
import type { DraftRunSession } from './use-draft-run.ts';
import type { RehearsalSession } from './use-rehearsal.ts';

/** What the part that follows a run is given; other features draw it. */
export interface LiveRunProps {
  readonly runId: string;
  readonly onProgress: (progress: DraftRunProgress) => void;
  /** Goes to the text of a node. */
  readonly onNode: (node: string) => void;
  /** Goes to a place of the document. */
  readonly onPath: (path: string) => void;
  /** Shows another run of the same text in place of this one. */
  readonly onFollow: (runId: string) => void;
}

/** Below the text: the input of the draft's run, and the run as it goes. */
export function RunPanel(props: {
  readonly session: DraftRunSession;
  readonly state: DraftRunState;
  readonly text: string;
  /** What the check of the text, and the last refusal, told. */
  readonly findings: readonly {
    readonly code: string;
    readonly message: string;
    readonly path: string | null;
  }[];
  readonly onFinding: (finding: PlacedFinding) => void;
  /** The draft's cases. */
  readonly cases?: ReactNode;
  readonly live: (runId: string) => ReactNode;
  /** What that platform lacks for the text. */
  readonly needs?: ReactNode;
  /** The platform that it runs on. */
  readonly where?: ReactNode;
  /** Opens the question whether code of the project may run. */
  readonly onTrust: () => void;
}) {
  const { session, state } = props;
  const input = useRef<HTMLTextAreaElement>(null);
  const keys = useShortcutText('draft.run');
  const asking = state.phase === 'asking';
  useEffect(() => {
    if (asking) {
      input.current?.focus();
    }
  }, [asking]);
  const changed = state.phase !== 'asking' && state.text !== props.text;
  return (
    <section
      className="sw-draft-run"
      aria-label={t('Run of this draft')}
      {...WINDOW_PART}
      data-testid="draft-run"
    >
      <div className="sw-draft-run-input">
        <div className="sw-draft-run-fields">
          <div className="sw-draft-run-head">
            <h2 className="sw-section-title">{t('Run')}</h2>
            {props.where}
            {changed && <Badge tone="warning">{t('About an earlier text')}</Badge>}
          </div>
          <RunInput
            flow={session.flow}
            trigger={session.trigger}
            onTrigger={session.setTrigger}
            input={session.input}
            onInput={session.setInput}
            problem={session.problem}
            inputRef={input}
            testId="draft-run"
          />
        </div>
        <Button
          size="xs"
          leftSection={<IconPlayerPlay size={14} aria-hidden />}
          loading={state.phase === 'starting'}
          onClick={session.run}
          rightSection={keys !== undefined && <kbd className="sw-kbd">{keys}</kbd>}
          data-testid="draft-run-start"
        >
          {runWord(session, state)}
        </Button>
      </div>
      <div className="sw-draft-run-body">
        {props.cases}
        {asking && !session.rehearsal.on && (
          <p className="sw-faint">
            {t('Runs the text as it stands, saved or not. The input is kept for this draft.')}
          </p>
        )}
        {state.phase === 'started' ? (
          <RehearsedLine session={session.rehearsal} />
        ) : (
          <>
            {props.needs}
            <RehearsalList session={session.rehearsal} />
            <MissingBindings findings={props.findings} session={session.rehearsal} />
          </>
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
        aria-label={t('Close the run')}
        onClick={session.close}
      >
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </section>
  );
}

function runWord({ rehearsal }: DraftRunSession, { phase }: DraftRunState): string {
  if (phase === 'started') {
    return rehearsal.on ? t('Rehearse again') : t('Run again');
  }
  return rehearsal.on ? t('Rehearse') : t('Run');
}

/** Above a run: what was answered in it, and the way to other answers. */
function RehearsedLine(props: { readonly session: RehearsalSession }) {
  const { session } = props;
  const [open, setOpen] = useState(false);
  const count = session.needs.filter((need) => session.draftOf(need).choice !== 'run').length;
  if (!session.on) return null;
  return (
    <>
      <div className="sw-rehearsed" data-testid="rehearsed">
        <Badge tone="info">{t('rehearsal')}</Badge>
        <span className="sw-faint">
          {t('{count, plural, one {# answer} other {# answers}}', { count })}
        </span>
        <Button
          size="compact-xs"
          variant="default"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? t('Hide answers') : t('Change answers')}
        </Button>
      </div>
      {open && <RehearsalList session={session} />}
    </>
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
        <ErrorState
          compact
          title={t('The run was not started')}
          error={error}
          onRetry={props.onRetry}
        />
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
        {t('{count, plural, one {An error prevents} other {# errors prevent}} the run:', {
          count: errors.length,
        })}
      </p>
      <ul className="sw-draft-run-findings">
        {errors.map((finding) => (
          <li key={`${finding.code} ${finding.path ?? ''} ${finding.message}`}>
            <button type="button" className="sw-bare" onClick={() => props.onFinding(finding)}>
              <StatusBadge status="error" />
              <span {...SERVICE_TEXT}>
                {finding.message}{' '}
                {finding.suggestion !== null && (
                  <span className="sw-faint">{finding.suggestion}</span>
                )}
              </span>
              {finding.line !== null && (
                <span className="sw-faint">{t('line {line}', { line: finding.line })}</span>
              )}
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
            {t('Trust this folder…')}
          </Button>
        )}
        {isMissing && hasGaps && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => runCommand('draft.gaps')}
            data-testid="draft-run-gaps"
          >
            {t('Let an agent or a person do it (Gaps)')}
          </Button>
        )}
      </Group>
    </div>
  );
}
