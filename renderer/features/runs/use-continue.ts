import { useState } from 'react';
import { continueRun } from '../../../server/contract/dashboard/run-actions.ts';
import { call } from '../../data/api-client.ts';
import { notifyDone, notifyError } from '../../ui/notify.tsx';

/** Takes a run up again from its last saved state. */
export function useContinue(runId: string, onChange: () => void) {
  const [busy, setBusy] = useState(false);
  const start = (): void => {
    setBusy(true);
    call(continueRun, { params: { run_id: runId } }, { idempotencyKey: crypto.randomUUID() })
      .then(({ status }) => notifyDone(`The run goes on from its last checkpoint: ${status}`))
      .catch((error: unknown) => notifyError('The run was not taken up again', error))
      .finally(() => {
        setBusy(false);
        onChange();
      });
  };
  return { busy, start };
}
