import { Button } from '@mantine/core';
import { t } from '../../../preload/texts/t.ts';
import {
  type HumanTaskRow,
  resumeHumanTask,
} from '../../../server/contract/dashboard/human-tasks.ts';
import { call } from '../../data/api-client.ts';
import { useHindrance } from '../../data/operator.ts';
import type { BulkJob } from '../../ui/bulk-dialog.tsx';
import type { BulkItem } from '../../ui/bulk-work.ts';
import { shortRunId } from '../../ui/short-id.ts';
import { statusText } from '../../ui/status-badge.tsx';
import { answerBody } from './decisions-model.ts';
import { type SharedAnswer, sharedAnswers } from './equal-tasks-model.ts';

/** An open task among several. */
export interface EqualTask extends BulkItem {
  readonly row: HumanTaskRow;
}

function itemOf(row: HumanTaskRow): EqualTask {
  const text = row.input_preview ?? row.request_summary;
  return { id: row.continuation_id, label: `${shortRunId(row.run_id)} ${text}`, row };
}

function jobOf(rows: readonly HumanTaskRow[], answer: SharedAnswer): BulkJob<EqualTask> {
  return {
    title: t('{label} in {count, plural, one {# task} other {# tasks}}?', {
      label: answer.label,
      count: rows.length,
    }),
    about: t(
      'They ask the same, with the same choices. Look at what waits in each; the answers are sent when you start, and cannot be taken back.',
    ),
    confirm: `${answer.label}: ${t('{count, plural, one {# task} other {# tasks}}', { count: rows.length })}`,
    isHarmful: answer.decision.decision === 'rejected',
    sum: (done, all) =>
      t('{done, plural, one {# task} other {# tasks}} of {all} answered', { done, all }),
    again: (count) => t('Try {count, plural, one {# task} other {# tasks}} again', { count }),
    items: rows.map(itemOf),
    work: async ({ row }, idempotencyKey) => {
      const task = { ...row, input_text: null };
      const body = answerBody(answer.decision, task, { content: '', option: answer.option });
      const params = { continuation_id: row.continuation_id };
      const { status } = await call(resumeHumanTask, { params, body }, { idempotencyKey });
      return t('run {status}', { status: statusText(status) });
    },
  };
}

/** Answers for all tasks that ask the same as the chosen one, after a look at each of them. */
export function EqualTasks(props: {
  /** Equal tasks, the chosen one among them; fewer than two show nothing. */
  readonly rows: readonly HumanTaskRow[];
  /** Asks before they are answered; the question outlives the tasks. */
  readonly onJob: (job: BulkJob<EqualTask>) => void;
}) {
  const { rows, onJob } = props;
  const hindrance = useHindrance('run.control');
  const [first] = rows;
  if (first === undefined || rows.length < 2) {
    return null;
  }
  return (
    <section className="sw-equal-tasks" data-testid="equal-tasks">
      <h3 className="sw-section-title">
        {t('{count, plural, one {# task} other {# tasks}} ask the same', { count: rows.length })}
      </h3>
      <div className="sw-equal-answers">
        {sharedAnswers(first).map((answer) => (
          <Button
            key={answer.label}
            size="compact-sm"
            variant="default"
            disabled={hindrance !== undefined}
            title={hindrance}
            onClick={() => onJob(jobOf(rows, answer))}
            data-testid={`all-${answer.option ?? answer.decision.decision}`}
          >
            {t('{label} in all…', { label: answer.label })}
          </Button>
        ))}
      </div>
    </section>
  );
}
