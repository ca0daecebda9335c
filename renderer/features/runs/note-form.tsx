import { Button, Group, TagsInput, Textarea } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { Annotation } from '../../../server/contract/dashboard/annotations.ts';
import { toApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/use-action.ts';
import { ErrorState } from '../../ui/error-state.tsx';

const MOST_TAGS = 64;
const TAG_LENGTH = 100;
const NOTE_LENGTH = 10_000;

export interface NoteContent {
  readonly body: string;
  readonly tags: string[];
}

/** Writes or edits a note. What was typed stays when it could not be saved. Ctrl/Cmd+Enter saves. */
export function NoteForm(props: {
  readonly label: string;
  readonly action: string;
  readonly note?: Annotation;
  readonly hindrance: string | undefined;
  readonly onSave: (content: NoteContent) => Promise<void>;
  readonly onCancel?: () => void;
  /** Somebody else changed the note since this form opened; their text is to be read first. */
  readonly onConflict?: () => void;
}) {
  const { note, hindrance } = props;
  const [body, setBody] = useState(note?.body ?? '');
  const [tags, setTags] = useState<string[]>(note?.tags ?? []);
  const saving = useAction(() =>
    props.onSave({ body: body.trim(), tags }).catch((error: unknown) => {
      if (toApiError(error).status === 409) {
        props.onConflict?.();
      }
      throw error;
    }),
  );
  const { busy, error } = saving;
  const ready = body.trim() !== '' && hindrance === undefined && !busy;
  const submit = (): void => {
    if (ready) {
      saving.start();
    }
  };
  return (
    <form
      className="sw-note-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Textarea
        label={props.label}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={NOTE_LENGTH}
        value={body}
        disabled={hindrance !== undefined}
        onChange={(event) => setBody(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            submit();
          }
        }}
        data-testid="note-body"
      />
      <TagsInput
        label={t('Tags')}
        placeholder={tags.length === 0 ? t('Enter adds one') : ''}
        value={tags}
        maxTags={MOST_TAGS}
        disabled={hindrance !== undefined}
        onChange={(next) => setTags(next.map((tag) => tag.slice(0, TAG_LENGTH)))}
        data-testid="note-tags"
      />
      {error !== undefined && (
        <ErrorState
          compact
          title={
            toApiError(error).status === 409
              ? t('Somebody changed this note meanwhile: theirs is read, yours is still here')
              : t('The note was not saved')
          }
          error={error}
        />
      )}
      <Group justify="flex-end" gap={8}>
        {props.onCancel !== undefined && (
          <Button size="xs" variant="default" onClick={props.onCancel}>
            {t('Cancel')}
          </Button>
        )}
        <Button
          size="xs"
          type="submit"
          loading={busy}
          disabled={!ready}
          title={hindrance}
          data-testid="note-save"
        >
          {props.action}
        </Button>
      </Group>
    </form>
  );
}
