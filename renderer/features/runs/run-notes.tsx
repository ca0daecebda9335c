import { ActionIcon } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import {
  type Annotation,
  createAnnotation,
  deleteAnnotation,
  listAnnotations,
  updateAnnotation,
} from '../../../server/contract/dashboard/annotations.ts';
import { call } from '../../data/api-client.ts';
import { useHindrance } from '../../data/operator.ts';
import { queryClient, routePrefix, routeQuery } from '../../data/query-client.ts';
import { actorName } from '../../ui/actor-name.ts';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { rich } from '../../ui/rich.ts';
import { Badge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { NoteForm } from './note-form.tsx';

function readAgain(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: routePrefix(listAnnotations) });
}

/** The notes of a run, read once for its tab and its list. */
function useNotes(runId: string) {
  return useQuery(routeQuery(listAnnotations, { params: { run_id: runId } }));
}

/** The tab of the notes, with how many there are. */
export function NotesTitle(props: { readonly runId: string }) {
  const count = useNotes(props.runId).data?.length ?? 0;
  return (
    <>{rich('Notes{part}', { part: count > 0 && <span className="sw-tab-count">{count}</span> })}</>
  );
}

/** What people wrote on a run, newest last, and a field for one more. */
export function RunNotes(props: { readonly runId: string }) {
  const notes = useNotes(props.runId);
  const hindrance = useHindrance('annotate');
  const [written, setWritten] = useState(0);
  if (notes.data === undefined) {
    return <Unread query={notes} rows={3} compact />;
  }
  return (
    <div data-testid="run-notes">
      <Unread query={notes} />
      {notes.data.length === 0 && (
        <p className="sw-faint">{t('No notes yet. What you write here is seen by everybody.')}</p>
      )}
      <ol className="sw-notes">
        {notes.data.map((note) => (
          <Note key={note.id} note={note} hindrance={hindrance} />
        ))}
      </ol>
      <NoteForm
        key={written}
        label={t('New note')}
        action={t('Add note')}
        hindrance={hindrance}
        onSave={async (content) => {
          await call(createAnnotation, { params: { run_id: props.runId }, body: content });
          await readAgain();
          setWritten((count) => count + 1);
        }}
      />
    </div>
  );
}

function Note(props: { readonly note: Annotation; readonly hindrance: string | undefined }) {
  const { note, hindrance } = props;
  const [editing, setEditing] = useState(false);
  const remove = (): void => {
    const input = { params: { annotation_id: note.id }, query: { version: note.version } };
    call(deleteAnnotation, input)
      .then(() => notifyDone(t('The note is removed')))
      .catch((error: unknown) => notifyError(t('The note was not removed'), error))
      .finally(() => void readAgain());
  };
  const ask = (): void => {
    modals.openConfirmModal({
      title: t('Remove this note?'),
      children: t('It is removed for everybody. This cannot be undone.'),
      labels: { confirm: t('Remove note'), cancel: t('Keep it') },
      confirmProps: { color: 'red', 'data-autofocus': true },
      onConfirm: remove,
    });
  };
  if (editing) {
    return (
      <li>
        <NoteForm
          label={t('Note')}
          action={t('Save')}
          note={note}
          hindrance={hindrance}
          onCancel={() => setEditing(false)}
          onConflict={() => void readAgain()}
          onSave={async (content) => {
            await call(updateAnnotation, {
              params: { annotation_id: note.id },
              body: { ...content, version: note.version },
            });
            await readAgain();
            setEditing(false);
          }}
        />
      </li>
    );
  }
  return (
    <li data-testid="note">
      <header>
        <strong>{actorName(note.created_by)}</strong>
        <span className="sw-faint">
          <TimeAgo at={note.created_at} />
          {note.version > 1 && t(', edited')}
        </span>
        <span className="sw-note-actions">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('Edit note')}
            disabled={hindrance !== undefined}
            title={hindrance}
            onClick={() => setEditing(true)}
          >
            <IconPencil size={15} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('Remove note')}
            disabled={hindrance !== undefined}
            title={hindrance}
            onClick={ask}
          >
            <IconTrash size={15} aria-hidden />
          </ActionIcon>
        </span>
      </header>
      <p>{note.body}</p>
      {note.tags.length > 0 && (
        <footer>
          {note.tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </footer>
      )}
    </li>
  );
}
