import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
} from '@tabler/icons-react';
import { t } from '../../preload/texts/t.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { moveFocus } from '../ui/move-focus.ts';
import { SERVICE_TEXT } from '../ui/service-text.tsx';
import { useStore } from '../ui/store.ts';
import { editorStatusStore, type Problem } from './editor-status.ts';
import { closeOver } from './layout-store.ts';

const ICONS = { error: IconCircleX, warning: IconAlertTriangle, info: IconInfoCircle } as const;

/** Findings of the draft in front; a press goes to the line, arrow keys move between them. */
export function ProblemsPanel() {
  const status = useStore(editorStatusStore);
  if (status === null) {
    return (
      <EmptyState compact title={t('No draft is open')}>
        {t('Findings of the draft in front appear here as you type.')}
      </EmptyState>
    );
  }
  if (status.problems.length === 0) {
    return (
      <EmptyState
        compact
        icon={<IconCircleCheck size={22} stroke={1.5} color="var(--sw-success)" />}
        title={t('No problems found')}
      />
    );
  }
  return (
    <section
      data-testid="problems"
      aria-label={t('Problems')}
      onKeyDown={(event) => moveFocus(event, '.sw-problem')}
    >
      {status.problems.map((problem) => (
        <ProblemRow
          key={problem.id}
          problem={problem}
          onOpen={() => {
            closeOver();
            status.reveal(problem);
          }}
        />
      ))}
    </section>
  );
}

function ProblemRow(props: { readonly problem: Problem; readonly onOpen: () => void }) {
  const { problem } = props;
  const Icon = ICONS[problem.severity];
  return (
    <button
      type="button"
      className="sw-bare sw-problem"
      data-severity={problem.severity}
      data-code={problem.code}
      onClick={props.onOpen}
    >
      <Icon size={15} aria-label={problem.severity} />
      <span {...SERVICE_TEXT}>
        {problem.message}
        {problem.suggestion !== null && <span className="sw-faint"> {problem.suggestion}</span>}
      </span>
      <span className="sw-mono sw-faint sw-problem-where">
        {problem.source === 'platform' ? t('platform · ') : ''}
        {problem.code}
        {problem.line === null ? '' : ` · ${problem.line}:${problem.column ?? 1}`}
      </span>
    </button>
  );
}
