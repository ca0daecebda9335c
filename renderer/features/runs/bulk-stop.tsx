import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { cancelRun } from '../../../server/contract/dashboard/run-actions.ts';
import type { RunRow } from '../../../server/contract/dashboard/runs.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { call } from '../../data/api-client.ts';
import { toApiError } from '../../data/api-error.ts';
import { useHindrance } from '../../data/operator.ts';
import { useAction } from '../../data/use-action.ts';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { trackWork } from '../../workbench/work-store.ts';
import { canStop } from './run-model.ts';
import { runChanged } from './run-queries.ts';

const AT_ONCE = 4;

interface Outcome {
  readonly stopped: readonly string[];
  readonly failed: readonly { readonly id: string; readonly message: string }[];
}

async function stopAll(ids: readonly string[]): Promise<Outcome> {
  const stopped: string[] = [];
  const failed: { id: string; message: string }[] = [];
  const queue = [...ids];
  const work = async (): Promise<void> => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      try {
        const key = crypto.randomUUID();
        await call(cancelRun, { params: { run_id: id } }, { idempotencyKey: key });
        stopped.push(id);
      } catch (error) {
        failed.push({ id, message: toApiError(error).message });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { stopped, failed };
}

/** What can be done with the selected runs at once. */
export function BulkStop(props: {
  readonly runs: readonly RunRow[];
  /** The runs that stay selected, those that were not stopped. */
  readonly onDone: (rest: readonly string[]) => void;
}) {
  const hindrance = useHindrance('run.control');
  const open = props.runs.filter(canStop);
  const [first, second] = props.runs;
  const stopping = useAction(async () => {
    try {
      const { stopped, failed } = await trackWork(
        `Stopping ${open.length} runs`,
        stopAll(open.map(({ run_id }) => run_id)),
      );
      if (failed[0] === undefined) {
        notifyDone(
          stopped.length === 1 ? '1 run is stopped' : `${stopped.length} runs are stopped`,
        );
      } else {
        notifyError(
          `${failed.length} of ${open.length} runs were not stopped`,
          new Error(failed[0].message),
        );
      }
      props.onDone(failed.map(({ id }) => id));
    } catch (error) {
      notifyError('The runs were not stopped', error);
    } finally {
      runChanged();
    }
  });
  const ask = (): void => {
    modals.openConfirmModal({
      title: open.length === 1 ? 'Stop 1 run?' : `Stop ${open.length} runs?`,
      children:
        'They end as cancelled, and open tasks of theirs disappear. This cannot be undone. Runs that are over stay as they are.',
      labels: { confirm: 'Stop runs', cancel: 'Keep running' },
      confirmProps: { color: 'red', 'data-autofocus': true },
      onConfirm: () => stopping.start(),
    });
  };
  return (
    <span className="sw-run-buttons" data-testid="bulk">
      <span>{props.runs.length} selected</span>
      {open.length > 0 && (
        <Button
          size="compact-xs"
          variant="default"
          loading={stopping.busy}
          disabled={hindrance !== undefined}
          title={hindrance}
          onClick={ask}
          data-testid="bulk-stop"
        >
          Stop {open.length}…
        </Button>
      )}
      {first !== undefined && second !== undefined && props.runs.length === 2 && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => navigateTo(paths.compare(first.run_id, second.run_id))}
          data-testid="compare"
        >
          Compare
        </Button>
      )}
      <Button size="compact-xs" variant="subtle" onClick={() => props.onDone([])}>
        Clear selection
      </Button>
    </span>
  );
}
