import { t } from '../../preload/texts/t.ts';
import { keepCase } from '../features/editor/run/case-store.ts';
import { FixPage } from '../features/runs/fix-page.tsx';
import { shortRunId } from '../ui/short-id.ts';

/** Fixing failed runs: the editor gets the input of the run as a case of its draft. */
export function FixRuns(props: { readonly runs: readonly string[] }) {
  return (
    <FixPage
      key={props.runs.join(',')}
      runs={props.runs}
      onOpen={({ project_id, draft_ref }, run) =>
        keepCase(`${project_id}\n${draft_ref}`, {
          name: t('Failed run {run}', { run: shortRunId(run.run_id) }),
          input: run.input_text ?? '',
          trigger: '',
        })
      }
    />
  );
}
