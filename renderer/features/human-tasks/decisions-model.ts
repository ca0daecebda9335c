import { t } from '../../../preload/texts/t.ts';
import type { HumanTaskDetail } from '../../../server/contract/dashboard/human-tasks.ts';
import type { SingleKeyId } from '../../app/single-keys.ts';

/** A decision that a person can take on a task (HumanResume of the platform). */
export interface Decision {
  readonly decision: 'approved' | 'rejected' | 'edited' | 'selected' | 'provided';
  readonly title: string;
  /** The single key that takes it. */
  readonly key: SingleKeyId;
  readonly main: boolean;
}

/** What the person has filled in. */
export interface AnswerDraft {
  readonly content: string;
  readonly option: string | null;
}

type AskedTask = Pick<
  HumanTaskDetail,
  'request_type' | 'options' | 'default_option' | 'input_text' | 'request_id' | 'on_timeout'
>;

const APPROVE: Decision = {
  decision: 'approved',
  title: t('Approve'),
  key: 'tasks.approve',
  main: true,
};
const REJECT: Decision = {
  decision: 'rejected',
  title: t('Reject'),
  key: 'tasks.reject',
  main: false,
};
const EDIT: Decision = {
  decision: 'edited',
  title: t('Send edited text'),
  key: 'tasks.edit',
  main: false,
};
const SELECT: Decision = {
  decision: 'selected',
  title: t('Choose option'),
  key: 'tasks.choose',
  main: true,
};
const PROVIDE: Decision = {
  decision: 'provided',
  title: t('Send text'),
  key: 'tasks.send',
  main: true,
};

function decisionsOfType(requestType: string | null): readonly Decision[] {
  switch (requestType) {
    case 'selection':
      return [SELECT, REJECT];
    case 'freeform':
      return [PROVIDE, REJECT];
    case 'correction':
      return [{ ...EDIT, main: true }, REJECT];
    default:
      return [APPROVE, REJECT, EDIT];
  }
}

/**
 * The decisions that fit a request; an unknown type takes the ones of an approval. Options can be
 * chosen whatever the type, since the run then goes on with the option's text.
 */
export function decisionsOf(
  task: Pick<AskedTask, 'request_type' | 'options'>,
): readonly Decision[] {
  const fitting = decisionsOfType(task.request_type);
  const choose = task.options.length > 0 && !fitting.includes(SELECT);
  return choose ? [...fitting, { ...SELECT, main: false }] : fitting;
}

/** What the form starts with: the waiting text to correct, the default option marked. */
export function emptyAnswer(task: AskedTask): AnswerDraft {
  const correcting = task.request_type === 'correction';
  return { content: correcting ? (task.input_text ?? '') : '', option: task.default_option };
}

/** Why a decision cannot be sent yet; undefined when it can. */
export function missingFor(
  { decision }: Decision,
  task: AskedTask,
  draft: AnswerDraft,
): string | undefined {
  if (decision === 'selected' && task.options.length > 0 && draft.option === null) {
    return t('Choose an option first.');
  }
  const wantsText = decision === 'edited' || decision === 'provided';
  return wantsText && draft.content === '' ? t('Write your text first.') : undefined;
}

const SHOWN = 80;

function quoted(text: string | null): string {
  if (text === null || text === '') {
    return t('an empty text');
  }
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > SHOWN ? `“${line.slice(0, SHOWN)}…”` : `“${line}”`;
}

/** Ends with one full stop, also where the quoted text has its own. */
function sentence(text: string): string {
  return /[.!?…]”$/.test(text) ? text : `${text}.`;
}

/** What will happen to the run when the decision is sent as the form stands. */
export function effectOf({ decision }: Decision, task: AskedTask, draft: AnswerDraft): string {
  const waiting = quoted(task.input_text);
  switch (decision) {
    case 'approved':
      return sentence(
        t('The run goes on with the text that waits, unchanged: {waiting}', { waiting }),
      );
    case 'rejected':
      return draft.content === ''
        ? t('The run goes on with “Rejected by human reviewer:”; it does not fail.')
        : t(
            'The run goes on with “Rejected by human reviewer: …” and your text {quoted}; it does not fail.',
            { quoted: quoted(draft.content) },
          );
    case 'selected':
      return draft.option === null
        ? t('The run goes on with the option that you choose.')
        : sentence(t('The run goes on with {quoted}', { quoted: quoted(draft.option) }));
    case 'edited':
    case 'provided':
      return draft.content === ''
        ? t('The run goes on with the text that you write.')
        : sentence(t('The run goes on with your text {quoted}', { quoted: quoted(draft.content) }));
  }
}

/** The body of the answer. */
export function answerBody({ decision }: Decision, task: AskedTask, draft: AnswerDraft) {
  const selected = decision === 'selected' && draft.option !== null;
  return {
    decision,
    request_id: task.request_id,
    ...(draft.content === '' || decision === 'approved' ? {} : { content: draft.content }),
    ...(selected ? { selected_option: draft.option } : {}),
  };
}

/** What happens when nobody answers in time. */
export function timeoutText(task: AskedTask): string {
  switch (task.on_timeout) {
    case 'continue':
      return task.default_option === null
        ? t('Without an answer the run goes on with the text that waits.')
        : sentence(
            t('Without an answer the run goes on with {quoted}', {
              quoted: quoted(task.default_option),
            }),
          );
    case 'escalate':
      return t('Without an answer the task is escalated and waits on.');
    default:
      return t('Without an answer the run fails.');
  }
}

/** What a refused answer means to the person who gave it; undefined for failures that say it themselves. */
export function refusalText(code: string): string | undefined {
  switch (code) {
    case 'not_found':
      return t('This task is no longer open: somebody else decided it, or its run has ended.');
    case 'human_task_expired':
      return t('The deadline has passed; the run goes the way its time-out says.');
    case 'run_state_conflict':
      return t('The run waits for something else now. Reload the task and look again.');
    default:
      return undefined;
  }
}
