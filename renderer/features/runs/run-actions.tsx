import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconDownload, IconRepeat, IconRocket } from '@tabler/icons-react';
import { t } from '../../../preload/texts/t.ts';
import { cancelRun } from '../../../server/contract/dashboard/run-actions.ts';
import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useCommand } from '../../app/use-command.ts';
import { call } from '../../data/api-client.ts';
import { useLack } from '../../data/connections.ts';
import { useHindrance } from '../../data/operator.ts';
import { runName } from '../../data/run-name.ts';
import { useAction } from '../../data/use-action.ts';
import { copyText } from '../../ui/copy-text.ts';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { exportRun } from './export-run.ts';
import { stopEffect } from './run-model.ts';

/** Stopping a run that is not over; running one again from a saved state. */
export function RunActions(props: {
  readonly run: RunDetail;
  readonly onChange: () => void;
  readonly onRerun: (() => void) | undefined;
}) {
  const { run, onRerun } = props;
  const hindrance = useHindrance('run.control');
  const noStop = useLack('stop') ?? hindrance;
  const noRerun = useLack('rerun') ?? hindrance;
  const launchHindrance = useHindrance('launch');
  const launch = (): void => navigateTo(paths.launch({ run: run.run_id }));
  const stopping = useAction(async () => {
    try {
      const params = { run_id: run.run_id };
      const { status } = await call(cancelRun, { params }, { idempotencyKey: crypto.randomUUID() });
      notifyDone(
        status === 'cancelled'
          ? t('The run is stopped')
          : t('The run had already ended: {status}', { status }),
      );
    } catch (error) {
      notifyError(t('The run was not stopped'), error);
    } finally {
      props.onChange();
    }
  });
  const stop = (): void => {
    modals.openConfirmModal({
      title: t('Stop {run}?', { run: runName(run) }),
      children: stopEffect(run),
      labels: { confirm: t('Stop run'), cancel: t('Keep running') },
      confirmProps: { color: 'red', 'data-autofocus': true },
      onConfirm: () => stopping.start(),
    });
  };
  const save = (): void => {
    exportRun(run.run_id).catch((error: unknown) =>
      notifyError(t('The run was not exported'), error),
    );
  };
  useCommand('run.stop', stop, noStop === undefined && !run.is_terminal);
  useCommand('run.again', () => onRerun?.(), noRerun === undefined && onRerun !== undefined);
  useCommand('run.launch', launch, launchHindrance === undefined);
  useCommand('run.export', save);
  useCommand('run.copy-id', () => copyText(run.run_id, t('The id of the run')));
  return (
    <span className="sw-run-buttons">
      {onRerun !== undefined && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRepeat size={14} aria-hidden />}
          onClick={onRerun}
          disabled={noRerun !== undefined}
          title={noRerun}
          data-testid="rerun"
        >
          {t('Run again…')}
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRocket size={14} aria-hidden />}
        onClick={launch}
        disabled={launchHindrance !== undefined}
        title={
          launchHindrance ?? t('From the start, with its source, options and input, after a check')
        }
        data-testid="launch-run-again"
      >
        {t('Launch again…')}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        onClick={save}
        data-testid="export-run"
      >
        {t('Export')}
      </Button>
      {!run.is_terminal && (
        <Button
          size="xs"
          variant="default"
          onClick={stop}
          loading={stopping.busy}
          disabled={noStop !== undefined}
          title={noStop}
          data-testid="cancel-run"
        >
          {t('Stop run…')}
        </Button>
      )}
    </span>
  );
}
