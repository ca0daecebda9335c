import { t } from '../../../preload/texts/t.ts';
import { continueRun } from '../../../server/contract/dashboard/run-actions.ts';
import { call } from '../../data/api-client.ts';
import { type Action, useAction } from '../../data/use-action.ts';
import { notifyDone, notifyError } from '../../ui/notify.tsx';

/** Takes a run up again from its last saved state. */
export function useContinue(runId: string, onChange: () => void): Action {
  return useAction(() =>
    call(continueRun, { params: { run_id: runId } }, { idempotencyKey: crypto.randomUUID() })
      .then(({ status }) =>
        notifyDone(t('The run goes on from its last checkpoint: {status}', { status })),
      )
      .catch((error: unknown) => notifyError(t('The run was not taken up again'), error))
      .finally(onChange),
  );
}
