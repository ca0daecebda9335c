import { t } from '../../../preload/texts/t.ts';
import type { HumanTaskRow } from '../../../server/contract/dashboard/human-tasks.ts';
import { type Decision, decisionsOf } from './decisions-model.ts';

/** What two tasks must share for one answer to mean the same in both. */
function signOf(row: HumanTaskRow): string {
  const { workflow_name, request_type, request_summary, options, default_option, on_timeout } = row;
  return JSON.stringify([
    workflow_name,
    request_type,
    request_summary,
    options,
    default_option,
    on_timeout,
  ]);
}

/** The tasks that ask the same as the chosen one, itself among them. */
export function equalTasks(
  rows: readonly HumanTaskRow[],
  chosen: HumanTaskRow,
): readonly HumanTaskRow[] {
  const sign = signOf(chosen);
  return rows.filter((row) => signOf(row) === sign);
}

/** An answer that can be given to many tasks: none that needs a text of its own. */
export interface SharedAnswer {
  readonly decision: Decision;
  /** The option that is chosen; null for a decision without one. */
  readonly option: string | null;
  readonly label: string;
}

/** What can be answered to several equal tasks at once. */
export function sharedAnswers(row: HumanTaskRow): readonly SharedAnswer[] {
  return decisionsOf(row).flatMap((decision): SharedAnswer[] => {
    switch (decision.decision) {
      case 'approved':
      case 'rejected':
        return [{ decision, option: null, label: decision.title }];
      case 'selected':
        return row.options.map((option) => ({
          decision,
          option,
          label: t('Choose “{option}”', { option }),
        }));
      default:
        return [];
    }
  });
}
