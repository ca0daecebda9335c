import { modals } from '@mantine/modals';
import { t } from '../../../preload/texts/t.ts';
import { listArtifacts } from '../../../server/contract/studio/artifacts.ts';
import { deleteDraft, listDrafts } from '../../../server/contract/studio/drafts.ts';
import { call } from '../../data/api-client.ts';
import { ApiError } from '../../data/api-error.ts';
import { fileName } from '../../data/draft-names.ts';
import { invalidateAuthoring } from '../../data/studio.ts';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { dirtyDraftsStore } from '../../workbench/dirty-drafts.ts';
import { trackWork } from '../../workbench/work-store.ts';
import { type ImportBatch, importBatchStore } from './import-batch-store.ts';
import { STAY_TEXTS, type UndoPlan, undoPlan } from './undo-model.ts';

const AT_ONCE = 4;
const SHOWN_STAYING = 8;

async function planOf({ projectId, rows }: ImportBatch): Promise<UndoPlan> {
  const params = { project_id: projectId };
  const [drafts, artifacts] = await Promise.all([
    call(listDrafts, { params }),
    call(listArtifacts, { params }),
  ]);
  const own = `${projectId}\n`;
  const unsaved = [...dirtyDraftsStore.get()].filter((key) => key.startsWith(own));
  return undoPlan(rows, {
    drafts,
    inArtifacts: new Set(artifacts.map(({ base }) => base.path)),
    unsaved: new Set(unsaved.map((key) => key.slice(own.length))),
  });
}

/** Removes the drafts; answers those that somebody changed meanwhile, and so stay too. */
async function removeAll(projectId: string, plan: UndoPlan): Promise<Set<string>> {
  const stayed = new Set<string>();
  const queue = plan.remove.values();
  const work = async (): Promise<void> => {
    for (const { ref, revision } of queue) {
      try {
        await call(deleteDraft, {
          params: { project_id: projectId, ref },
          query: { expected_revision: revision },
        });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'draft_not_found') {
          stayed.add(ref);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return stayed;
}

async function undo(batch: ImportBatch, plan: UndoPlan): Promise<void> {
  const { projectId } = batch;
  const removing = removeAll(projectId, plan);
  const stayed = await trackWork(
    t('Removing {count} drafts', { count: plan.remove.length }),
    removing,
  );
  const gone = new Set(plan.remove.map(({ ref }) => ref).filter((ref) => !stayed.has(ref)));
  importBatchStore.set((now) => {
    if (now?.projectId !== projectId) {
      return now;
    }
    const rows = now.rows.filter(({ report }) => report.draft !== null && !gone.has(report.draft));
    return { ...now, rows, total: rows.length, phase: 'undone' };
  });
  await invalidateAuthoring();
  const staying = stayed.size + plan.stay.length;
  const left =
    staying === 0
      ? ''
      : `; ${t('{count, plural, one {# draft} other {# drafts}}', { count: staying })} stayed`;
  notifyDone(
    t('Removed {count, plural, one {# draft} other {# drafts}}{left}', { count: gone.size, left }),
  );
}

function Staying(props: { readonly plan: UndoPlan }) {
  const { stay } = props.plan;
  return stay.length === 0 ? null : (
    <>
      <p>
        {t('{count, plural, one {# draft} other {# drafts}} of this import will stay:', {
          count: stay.length,
        })}
      </p>
      <ul className="sw-undo-stay" data-testid="undo-stay">
        {stay.slice(0, SHOWN_STAYING).map(({ ref, why }) => (
          <li key={ref}>
            <strong>{fileName(ref)}</strong> <span className="sw-faint">{STAY_TEXTS[why]}</span>
          </li>
        ))}
        {stay.length > SHOWN_STAYING && (
          <li>{t('and {count} more', { count: stay.length - SHOWN_STAYING })}</li>
        )}
      </ul>
    </>
  );
}

/** Says what undoing an import removes and what stays, and does it when asked to. */
export async function askToUndo(batch: ImportBatch): Promise<void> {
  const plan = await planOf(batch);
  modals.openConfirmModal({
    title: t('Undo this import?'),
    children: (
      <>
        <p>
          {plan.remove.length === 0
            ? t('No draft of it is still as it was imported, so nothing is removed.')
            : t(
                '{count, plural, one {# draft} other {# drafts}} that nobody changed since will be removed. They go to the project’s trash, where they can be put back for 30 days.',
                { count: plan.remove.length },
              )}
        </p>
        <Staying plan={plan} />
      </>
    ),
    labels: {
      confirm: t('Remove {count, plural, one {# draft} other {# drafts}}', {
        count: plan.remove.length,
      }),
      cancel: t('Keep them'),
    },
    confirmProps: { color: 'red', disabled: plan.remove.length === 0 },
    onConfirm: () => {
      undo(batch, plan).catch((error) => notifyError(t('The import was not undone'), error));
    },
  });
}
