import { Alert, Button, Group } from '@mantine/core';
import { IconPlayerTrackNext, IconRepeat, IconTool } from '@tabler/icons-react';
import { t } from '../../../preload/texts/t.ts';
import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useCommand } from '../../app/use-command.ts';
import { useLack } from '../../data/connections.ts';
import { useHindrance } from '../../data/operator.ts';
import { isServed } from '../../data/served.ts';
import { CompareLastSuccess } from '../../ui/compare-last-success.tsx';
import { hasStopped } from './fix-model.ts';
import { adviceOf } from './run-advice.ts';
import { useRecovery } from './run-queries.ts';
import { useContinue } from './use-continue.ts';

/** What to do about a run that waits or stopped, with the buttons that do it. */
export function RunAdviceCard(props: {
  readonly run: RunDetail;
  readonly onChange: () => void;
  /** Opens the form to run again; undefined while no checkpoint is known. */
  readonly onRerun: (() => void) | undefined;
}) {
  const { run, onRerun } = props;
  const wanted = run.status === 'blocked' || (run.is_terminal && run.status !== 'completed');
  const recovery = useRecovery(run.run_id, wanted);
  const mayNot = useHindrance('run.control');
  const hindrance = useLack('continue') ?? mayNot;
  const noRerun = useLack('rerun') ?? mayNot;
  const mayNotLaunch = useHindrance('launch');
  const mending = useLack('recover') ?? mayNotLaunch;
  const go = useContinue(run.run_id, props.onChange);
  const advice =
    recovery.data === undefined ? null : adviceOf(run, recovery.data, isServed('studio'));
  const mayContinue = advice?.canContinue === true && hindrance === undefined && !go.busy;
  useCommand('run.continue', go.start, mayContinue);
  if (advice === null) {
    return null;
  }
  return (
    <div className="sw-advice" data-testid="run-advice">
      <p>{advice.text}</p>
      {advice.canContinue && recovery.data?.masked === true && (
        <Alert
          color="yellow"
          mb="sm"
          title={t('Secrets of this run were masked when it failed')}
          data-testid="continue-masked"
        >
          {t(
            'Where [REDACTED] stands, the run goes on with that word. To type what it needs, run it again with edits.',
          )}
        </Alert>
      )}
      <Group gap={8}>
        {advice.canContinue && (
          <Button
            size="xs"
            variant={run.status === 'blocked' ? 'default' : 'filled'}
            leftSection={<IconPlayerTrackNext size={14} aria-hidden />}
            loading={go.busy}
            disabled={hindrance !== undefined}
            title={hindrance}
            onClick={() => go.start()}
            data-testid="continue-run"
          >
            {run.status === 'blocked' ? t('Continue with the default') : t('Continue')}
          </Button>
        )}
        {hasStopped(run.status) && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTool size={14} aria-hidden />}
            disabled={mending !== undefined}
            title={mending}
            onClick={() => navigateTo(paths.fix([run.run_id]))}
            data-testid="fix-run"
          >
            {t('Fix and carry on…')}
          </Button>
        )}
        {advice.canRerun && run.status !== 'blocked' && onRerun !== undefined && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRepeat size={14} aria-hidden />}
            onClick={onRerun}
            disabled={noRerun !== undefined}
            title={noRerun}
            data-testid="advice-rerun"
          >
            {t('Run again with edits…')}
          </Button>
        )}
        {hasStopped(run.status) && <CompareLastSuccess runId={run.run_id} size="xs" />}
      </Group>
    </div>
  );
}
