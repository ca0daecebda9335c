import { Fragment } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { HumanTaskDetail } from '../../../server/contract/dashboard/human-tasks.ts';

function contextText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** What the spec gives the person to decide by, beside the text that waits, and as whom they answer. */
export function TaskContext(props: {
  readonly task: Pick<HumanTaskDetail, 'context' | 'response_role'>;
  readonly Part: 'h3' | 'h4';
}) {
  const { task, Part } = props;
  const facts = Object.entries(task.context).filter(([name]) => name !== 'input_text');
  return (
    <>
      {facts.length > 0 && (
        <>
          <Part className="sw-section-title">{t('Context')}</Part>
          <dl className="sw-facts sw-task-context" data-testid="task-context">
            {facts.map(([name, value]) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd>{contextText(value)}</dd>
              </Fragment>
            ))}
          </dl>
        </>
      )}
      {task.response_role !== null && (
        <p className="sw-faint">
          {t('The answer joins the conversation as {response_role}.', {
            response_role: task.response_role,
          })}
        </p>
      )}
    </>
  );
}
