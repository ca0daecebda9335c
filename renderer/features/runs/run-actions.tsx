import { Button, Tooltip } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import {
  type ActionResult,
  cancelRun,
  continueRun,
} from '../../../server/contract/dashboard/run-actions.ts';
import type { RunDetail } from '../../../server/contract/dashboard/runs.ts';
import { call } from '../../data/api-client.ts';
import { useHindrance } from '../../data/operator.ts';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { canTryAgain, runTitle, stopEffect } from './run-model.ts';

/** Stopping a run that is not over, and taking a failed one up again from its last saved state. */
export function RunActions(props: { readonly run: RunDetail; readonly onChange: () => void }) {
  const { run, onChange } = props;
  const [busy, setBusy] = useState(false);
  const hindrance = useHindrance('run.control');
  const params = { run_id: run.run_id };
  const act = async (
    send: (idempotencyKey: string) => Promise<ActionResult>,
    failed: string,
    done: (status: string) => string,
  ): Promise<void> => {
    setBusy(true);
    try {
      const { status } = await send(crypto.randomUUID());
      notifyDone(done(status));
    } catch (error) {
      notifyError(failed, error);
    } finally {
      setBusy(false);
      onChange();
    }
  };
  const stop = (): void => {
    modals.openConfirmModal({
      title: `Stop ${runTitle(run)}?`,
      children: stopEffect(run),
      labels: { confirm: 'Stop run', cancel: 'Keep running' },
      confirmProps: { color: 'red', 'data-autofocus': true },
      onConfirm: () =>
        void act(
          (key) => call(cancelRun, { params }, { idempotencyKey: key }),
          'The run was not stopped',
          (status) =>
            status === 'cancelled' ? 'The run is stopped' : `The run had already ended: ${status}`,
        ),
    });
  };
  const again = (): void =>
    void act(
      (key) => call(continueRun, { params }, { idempotencyKey: key }),
      'The run was not taken up again',
      (status) => `The run goes on from its last checkpoint: ${status}`,
    );
  return (
    <Tooltip label={hindrance} disabled={hindrance === undefined}>
      <span>
        {!run.is_terminal && (
          <Button
            variant="default"
            onClick={stop}
            loading={busy}
            disabled={hindrance !== undefined}
            data-testid="cancel-run"
          >
            Stop run…
          </Button>
        )}
        {canTryAgain(run) && (
          <Button
            variant="default"
            onClick={again}
            loading={busy}
            disabled={hindrance !== undefined}
            data-testid="continue-run"
          >
            Continue from last checkpoint
          </Button>
        )}
      </span>
    </Tooltip>
  );
}
