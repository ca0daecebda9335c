import { t } from '../../../preload/texts/t.ts';
import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';
import type { Recovery } from '../../../server/contract/platform/run-reads.ts';
import { hasStopped } from './fix-model.ts';

/** What a person can do about a run that stopped. */
export interface RunAdvice {
  readonly text: string;
  readonly canContinue: boolean;
  readonly canRerun: boolean;
}

type StoppedRun = Pick<RunDetail, 'status' | 'is_terminal'>;

function counted(count: number): string {
  return t('{count, plural, one {1 finished step is} other {# finished steps are}}', { count });
}

function blockedAdvice(recovery: Recovery): RunAdvice | null {
  const fallback = recovery.pending_human_request?.default_option ?? null;
  return fallback === null
    ? null
    : {
        text: t('To go on without an answer, continue with the default: “{fallback}”.', {
          fallback,
        }),
        canContinue: true,
        canRerun: true,
      };
}

const WHY: Readonly<Record<string, string>> = {
  run_timed_out: t('Its time was up.'),
  max_iterations: t('It used up the steps that its spec allows, so it would stop there again.'),
};

/** Code that is missing or may not run is not helped by another state. */
function codeAdvice(error: Recovery['error'], hasEditor: boolean): string | null {
  const codes = new Set(error?.findings?.map(({ code }) => code));
  if (codes.has('E_HANDLER_NOT_FOUND')) {
    if (!hasEditor) {
      return t(
        'A function is missing. The file that the error names has to be made in the project’s folder, on the computer of the platform; then launch the run again.',
      );
    }
    return t(
      'A function is missing. Make the file that the error names, in the project’s folder, then run the draft again. With the draft open, “Not trusted” or “Trusted” in the status bar names the folder.',
    );
  }
  if (!codes.has('E_HANDLER_UNTRUSTED')) {
    return null;
  }
  return hasEditor
    ? t(
        'This folder is not trusted yet, so its functions do not run. Open the draft, trust the folder (“Not trusted” in the status bar), then run it again.',
      )
    : t(
        'The project’s folder is not trusted on the computer of the platform, so its functions do not run. Whoever may trust it says “specwright trust add” with the folder there; then launch the run again.',
      );
}

/** Functions that a run took along and that its worker refused. */
function takenCodeAdvice({ error, replay_context }: Recovery): RunAdvice | null {
  const canRerun = replay_context.checkpoint_count > 0;
  switch (error?.type) {
    case 'CodeNotTrusted':
      return {
        text: t(
          'The worker that took the run does not trust who signed its functions. Whoever runs the platform names that signer in SERV_CODE_SIGNERS, on every worker, or gives all nodes one key; then continue.',
        ),
        canContinue: replay_context.can_continue,
        canRerun,
      };
    case 'CodeUnusable':
      return {
        text: t(
          'What the run took along cannot be used any more, so continuing would fail again. Run it again where the folder of the project is: a new run takes its functions anew.',
        ),
        canContinue: false,
        canRerun,
      };
    default:
      return null;
  }
}

function stoppedAdvice(run: StoppedRun, recovery: Recovery, hasEditor: boolean): RunAdvice {
  const code = codeAdvice(recovery.error, hasEditor);
  if (code !== null) {
    return { text: code, canContinue: false, canRerun: false };
  }
  const taken = takenCodeAdvice(recovery);
  if (taken !== null) {
    return taken;
  }
  const context = recovery.replay_context;
  const done = context.completed_steps.length + context.completed_nodes.length;
  const at = context.failed_step ?? context.failed_node ?? recovery.current_node_id;
  if (context.can_continue) {
    const where =
      at === null ? t('Continue goes on from') : t('Continue repeats {at} with', { at });
    const kept = done === 0 ? '' : t(' {what} kept.', { what: counted(done) });
    return {
      text: t(
        '{where} the last saved state.{kept} To change something first, run again from a checkpoint.',
        { where, kept },
      ),
      canContinue: true,
      canRerun: true,
    };
  }
  const why =
    WHY[recovery.error?.type ?? ''] ??
    (run.status === 'cancelled'
      ? t('A stopped run does not go on.')
      : t('It cannot go on by itself.'));
  const mend = hasStopped(run.status)
    ? t(
        'Fix and carry on takes it up from its last checkpoint, with the spec mended. Or run it again',
      )
    : t('Run again');
  return context.checkpoint_count === 0
    ? {
        text: t('{why} Nothing was saved: start it again.', { why }),
        canContinue: false,
        canRerun: false,
      }
    : {
        text: t('{why} {mend} from a checkpoint, with an edited state if that helps.', {
          why,
          mend,
        }),
        canContinue: false,
        canRerun: true,
      };
}

/**
 * What to do about a run that waits or ended badly; null for all others. Where a dashboard is served
 * alone, there is no editor to send people to.
 */
export function adviceOf(
  run: StoppedRun,
  recovery: Recovery,
  hasEditor: boolean,
): RunAdvice | null {
  if (run.status === 'blocked') {
    return blockedAdvice(recovery);
  }
  return run.is_terminal && run.status !== 'completed'
    ? stoppedAdvice(run, recovery, hasEditor)
    : null;
}
