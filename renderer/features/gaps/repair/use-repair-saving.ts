import { useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { listRepairs, recordRepair } from '../../../../server/contract/studio/repairs.ts';
import { call } from '../../../data/api-client.ts';
import { queryClient, routePrefix } from '../../../data/query-client.ts';
import { invalidateAuthoring } from '../../../data/studio.ts';
import { notifyDone, notifyError } from '../../../ui/notify.tsx';
import { trackWork } from '../../../workbench/work-store.ts';
import type { Outcome, RepairRow } from './repair-model.ts';
import { forEachOf, saveEdit } from './repair-queries.ts';
import type { Repair } from './use-repair.ts';

/** Saves the chosen edits, remembers the repair, and takes saved edits back. */
export function useRepairSaving(projectId: string, causeId: string, repair: Repair) {
  const [busy, setBusy] = useState(false);
  const during = async (title: string, work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await trackWork(title, work());
    } catch (error) {
      notifyError(title, error);
    } finally {
      setBusy(false);
    }
  };
  const remember = async (workflows: readonly string[]): Promise<void> => {
    const { offer, values } = repair;
    if (offer === undefined || workflows.length === 0) {
      return;
    }
    await call(recordRepair, {
      params: { project_id: projectId },
      body: {
        cause: causeId,
        fix: offer.fix,
        title: offer.title,
        values: { ...values },
        workflows: [...workflows],
      },
    });
    await queryClient.invalidateQueries({ queryKey: routePrefix(listRepairs) });
  };
  const save = (rows: readonly RepairRow[]): Promise<void> =>
    during(
      t('Saving {count, plural, one {# draft} other {# drafts}}', { count: rows.length }),
      async () => {
        const saved: string[] = [];
        const made = new Map<string, Outcome>();
        await forEachOf(rows, undefined, async ({ draft, result }) => {
          if (result === undefined) {
            return;
          }
          const outcome = await saveEdit(projectId, draft, result.text);
          made.set(draft.ref, outcome);
          if (outcome.state === 'saved') {
            saved.push(draft.workflow);
          }
        });
        await Promise.all([repair.reread([...made.keys()]), invalidateAuthoring()]);
        repair.setOutcomes(made);
        await remember(saved);
        notifyDone(
          t('Saved in {count, plural, one {# draft} other {# drafts}}', { count: saved.length }),
        );
      },
    );
  const undo = (): Promise<void> => {
    const rows = repair.rows.filter(({ outcome }) => outcome?.state === 'saved');
    return during(
      t('Taking back {count, plural, one {# edit} other {# edits}}', { count: rows.length }),
      async () => {
        const back = new Map<string, Outcome | undefined>();
        await forEachOf(rows, undefined, async ({ draft, outcome }) => {
          if (outcome?.state !== 'saved') {
            return;
          }
          const at = { ...draft, revision: outcome.revision };
          const taken = await saveEdit(projectId, at, outcome.before);
          back.set(draft.ref, taken.state === 'saved' ? undefined : taken);
        });
        await Promise.all([repair.reread([...back.keys()]), invalidateAuthoring()]);
        repair.setOutcomes(back);
      },
    );
  };
  return { busy, save, undo };
}
