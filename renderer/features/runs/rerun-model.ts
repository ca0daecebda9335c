import type { z } from 'zod';
import { t } from '../../../preload/texts/t.ts';
import type { RerunBody, rerunState } from '../../../server/contract/platform/rerun.ts';

export type RerunState = z.output<(typeof rerunState.responses)[200]>;
export type EditableState = RerunState['edits'];
type Message = NonNullable<EditableState['messages']>[number];

/** What somebody is about to run again. */
export interface RerunDraft {
  readonly input: string | undefined;
  readonly messages: readonly Message[] | undefined;
  readonly outputs: Readonly<Record<string, string>> | undefined;
  readonly histories: Readonly<Record<string, readonly Message[]>> | undefined;
  /** Null = the step that follows anyway. */
  readonly nextStep: string | null;
}

/** The state as it stands, ready to be edited. */
export function draftOf(state: EditableState): RerunDraft {
  return {
    input: state.input,
    messages: state.messages,
    outputs: state.outputs,
    histories: state.histories,
    nextStep: null,
  };
}

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function changedMembers<T>(
  draft: Readonly<Record<string, T>> | undefined,
  state: Readonly<Record<string, unknown>> | undefined,
): Record<string, T> | undefined {
  const changed = Object.entries(draft ?? {}).filter(
    ([name, value]) => !same(value, state?.[name]),
  );
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** Only what was changed: everything else goes on as it was stored, unmasked. */
export function editsOf(draft: RerunDraft, state: EditableState): Partial<RerunBody['edits']> {
  const outputs = changedMembers(draft.outputs, state.outputs);
  const histories = changedMembers(draft.histories, state.histories);
  return {
    ...(draft.input === undefined || draft.input === state.input ? {} : { input: draft.input }),
    ...(draft.messages === undefined || same(draft.messages, state.messages)
      ? {}
      : { messages: toSend(draft.messages) }),
    ...(outputs === undefined ? {} : { outputs }),
    ...(histories === undefined
      ? {}
      : {
          histories: Object.fromEntries(
            Object.entries(histories).map(([name, list]) => [name, toSend(list)]),
          ),
        }),
    ...(draft.nextStep === null ? {} : { next_step: draft.nextStep }),
  };
}

type SentMessage = NonNullable<RerunBody['edits']['messages']>[number];

function roleOf(role: string): SentMessage['role'] {
  return role === 'system' || role === 'assistant' || role === 'tool' ? role : 'user';
}

function toSend(messages: readonly Message[]): SentMessage[] {
  return messages.map(({ role, content, name }) => ({ role: roleOf(role), content, name }));
}

const MASK = '[REDACTED';

/** True when a changed text carries a masked part, which would be sent as it is shown. */
export function sendsMask(edits: Partial<RerunBody['edits']>): boolean {
  return JSON.stringify(edits).includes(MASK);
}

const EDIT_WORDS: Readonly<Record<string, string>> = {
  input: t('the text that goes on'),
  messages: t('the conversation'),
  outputs: t('what participants gave'),
  histories: t('what agents remember'),
  next_step: t('the next step'),
};

/** The names on screen of what is edited. */
export function editedWords(names: readonly string[]): string {
  return names.map((name) => EDIT_WORDS[name] ?? name).join(', ');
}
