import { ActionIcon, NativeSelect, Textarea } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { t } from '../../../preload/texts/t.ts';
import type { RerunDraft } from './rerun-model.ts';

type Messages = NonNullable<RerunDraft['messages']>;

/** What can be edited at a checkpoint, as it stands there. */
export function RerunFields(props: {
  readonly draft: RerunDraft;
  /** Steps to go on with; empty = cannot be chosen here. */
  readonly steps: readonly string[];
  readonly onChange: (draft: RerunDraft) => void;
}) {
  const { draft, steps, onChange } = props;
  return (
    <>
      {draft.input !== undefined && (
        <Textarea
          mt="md"
          label={t('Text that goes on')}
          description={t('What the next step gets; conditions of a graph look at it')}
          value={draft.input}
          onChange={(event) => onChange({ ...draft, input: event.currentTarget.value })}
          autosize
          minRows={3}
          maxRows={12}
          data-autofocus
          data-testid="rerun-input"
        />
      )}
      {Object.entries(draft.outputs ?? {}).map(([name, text]) => (
        <Textarea
          key={name}
          mt="sm"
          label={t('Output of {name}', { name })}
          value={text}
          onChange={(event) =>
            onChange({ ...draft, outputs: { ...draft.outputs, [name]: event.currentTarget.value } })
          }
          autosize
          minRows={2}
          maxRows={10}
        />
      ))}
      {steps.length > 0 && (
        <NativeSelect
          mt="sm"
          label={t('Next step')}
          data={[
            { value: '', label: t('The one that follows') },
            ...steps.map((step) => ({ value: step, label: step })),
          ]}
          value={draft.nextStep ?? ''}
          onChange={(event) => onChange({ ...draft, nextStep: event.currentTarget.value || null })}
          data-testid="rerun-next"
        />
      )}
      {draft.messages !== undefined && draft.messages.length > 0 && (
        <Thread
          title={t('Conversation so far')}
          messages={draft.messages}
          onChange={(messages) => onChange({ ...draft, messages })}
        />
      )}
      {Object.entries(draft.histories ?? {}).map(([agent, messages]) => (
        <Thread
          key={agent}
          title={t('What {detail} remembers', { detail: agent === '' ? t('the agent') : agent })}
          messages={messages}
          onChange={(list) =>
            onChange({ ...draft, histories: { ...draft.histories, [agent]: list } })
          }
        />
      ))}
    </>
  );
}

function Thread(props: {
  readonly title: string;
  readonly messages: Messages;
  readonly onChange: (messages: Messages) => void;
}) {
  const { messages } = props;
  return (
    <details className="sw-rerun-thread">
      <summary>
        {props.title}{' '}
        <span className="sw-faint">{t('{count} messages', { count: messages.length })}</span>
      </summary>
      <ol>
        {messages.map((message, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages have no id; one that goes takes its place with it
          <li key={index}>
            <Textarea
              size="xs"
              label={message.name === null ? message.role : `${message.role} ${message.name}`}
              value={message.content}
              onChange={(event) =>
                props.onChange(
                  messages.with(index, { ...message, content: event.currentTarget.value }),
                )
              }
              autosize
              minRows={1}
              maxRows={8}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('Leave out message {index}', { index: index + 1 })}
              onClick={() => props.onChange(messages.toSpliced(index, 1))}
            >
              <IconTrash size={14} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ol>
    </details>
  );
}
