import { IconUserCheck } from '@tabler/icons-react';
import { t } from '../../../preload/texts/t.ts';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import type { RunOrigin } from '../../../server/contract/studio/test-runs.ts';
import { errorInBrief } from '../../data/run-error.ts';
import { runName } from '../../data/run-name.ts';
import { OfflineBadge } from '../../ui/offline-badge.tsx';

interface Outcome {
  readonly text: string;
  readonly tone: string;
  /** On hover, where there is more than the line says. */
  readonly whole?: string;
}

/** What a run has to say for itself: what went wrong, what came out, or that it waits. */
function outcomeOf(run: RunRow): Outcome | null {
  const error = errorInBrief(run.error_preview);
  if (error !== null) {
    return { text: error, tone: 'danger', whole: run.error_preview ?? error };
  }
  if (run.blocked) {
    const at = run.current_node_id ?? run.current_step_id;
    return {
      text: at === null ? t('waits for a person') : t('waits for {at}', { at }),
      tone: 'warning',
    };
  }
  return run.output_preview === null ? null : { text: run.output_preview, tone: 'plain' };
}

/** Two lines of a row: the run's name and where it comes from; what went in and what came out. */
export function RunWords(props: { readonly run: RunRow; readonly origin: RunOrigin | undefined }) {
  const { run, origin } = props;
  const outcome = outcomeOf(run);
  const name = runName(run, origin);
  return (
    <div className="sw-run-words">
      <div className="sw-run-words-line">
        <strong className="sw-run-name">{name}</strong>
        {origin !== undefined && <span className="sw-faint">{origin.project_name}</span>}
        {origin === undefined && run.agent_name !== name && (
          <span className="sw-faint">{run.agent_name}</span>
        )}
        {run.offline && <OfflineBadge />}
      </div>
      <div className="sw-run-words-line sw-run-said">
        {run.input_preview !== null && (
          <span className="sw-faint" title={run.input_preview}>
            <span className="sw-visually-hidden">{t('in:')} </span>
            {run.input_preview}
          </span>
        )}
        {outcome !== null && (
          <span data-tone={outcome.tone} title={outcome.whole ?? outcome.text}>
            {outcome.tone === 'warning' ? (
              <IconUserCheck className="sw-run-human" size={14} aria-hidden />
            ) : (
              <span aria-hidden>→ </span>
            )}
            <span className="sw-visually-hidden">
              {outcome.tone === 'danger' ? t('went wrong: ') : t('out: ')}
            </span>
            {outcome.text}
          </span>
        )}
      </div>
    </div>
  );
}
