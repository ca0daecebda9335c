import { t } from '../../../../preload/texts/t.ts';
import './across.css';
import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { notifyError, notifyUndo } from '../../../ui/notify.tsx';
import { Badge } from '../../../ui/status-badge.tsx';
import { useStore } from '../../../ui/store.ts';
import type { EditorHandle } from '../spec-editor.tsx';
import type { FileChange } from '../spec-protocol.ts';
import { hindranceOf, renameChanges, wantedAtFirst } from './rename-choice.ts';
import { lookAtRename, type RenameRequest, renameStore } from './rename-request.ts';
import { aboutDrafts, type DraftChange, saveTogether } from './save-together.ts';

interface RenameProps {
  readonly projectId: string;
  readonly draftRef: string;
  readonly editor: { readonly current: EditorHandle | null };
  /** The open text is not saved yet. */
  readonly dirty: boolean;
  /** The revision that the open text grew from. */
  readonly revision: () => string;
}

/** Asks before a name gets a new one in several drafts. */
export function RenameDialog(props: RenameProps) {
  const request = useStore(renameStore);
  const own = request?.projectId === props.projectId && request.ref === props.draftRef;
  return request === null || !own ? null : (
    <RenameQuestion key={request.answer.name} {...props} request={request} />
  );
}

function close(): void {
  renameStore.set(null);
}

async function takeBack(projectId: string, changes: readonly DraftChange[]): Promise<void> {
  try {
    await saveTogether(projectId, changes);
  } catch (error) {
    notifyError(aboutDrafts(error) ?? t('The rename was not taken back'), error);
  }
}

const NO_ERROR: unknown = undefined;

function RenameQuestion(props: RenameProps & { readonly request: RenameRequest }) {
  const { request, projectId, editor } = props;
  const { answer, name, project } = request;
  const { files } = answer;
  const [chosen, setChosen] = useState(() => wantedAtFirst(request));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(NO_ERROR);
  const wanted = files.filter(({ ref }) => chosen.has(ref));
  const places = wanted.reduce((sum, file) => sum + file.places.length, 0);
  const rename = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const changes = renameChanges(request, chosen, props.revision());
      const here = files.find(({ tie }) => tie === 'here');
      const undo = await saveTogether(projectId, changes, () => {
        editor.current?.edit(request.text, here?.edits ?? []);
      });
      close();
      notifyUndo(
        t(
          '"{name}" is "{name2}" in {count, plural, one {# draft} other {# drafts}} now, all saved',
          { name: answer.name, name2: name, count: changes.length },
        ),
        () => void takeBack(projectId, undo),
      );
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  const again = async (): Promise<void> => {
    const text = editor.current?.text() ?? request.text;
    const found = await lookAtRename({ ...request, text }, true).catch((cause: unknown) => {
      setError(cause);
      return undefined;
    });
    if (found === undefined) return;
    if ('problem' in found) {
      close();
      notifyError(found.problem, error);
      return;
    }
    setError(undefined);
    setChosen(wantedAtFirst(found));
    renameStore.set(found);
  };
  const about = error === undefined ? undefined : aboutDrafts(error);
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t('Rename {kind} "{name}" to "{name2}"', {
        kind: answer.kind.replace('_', ' '),
        name: answer.name,
        name2: name,
      })}
    >
      <form
        data-testid="rename-dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void rename();
        }}
      >
        <p className="sw-faint">
          {t('The drafts below have this name. They are saved together: all of them, or none.')}
        </p>
        <div className="sw-rename-files">
          {files.map((file) => (
            <RenamedFile
              key={file.ref}
              file={file}
              hindrance={hindranceOf(request, file)}
              chosen={chosen.has(file.ref)}
              onChoose={(on) => {
                const next = new Set(chosen);
                if (on) next.add(file.ref);
                else next.delete(file.ref);
                setChosen(next);
              }}
            />
          ))}
        </div>
        {project.failed.length > 0 && (
          <Notice
            tone="warning"
            icon={<IconAlertTriangle size={16} aria-hidden />}
            testId="rename-unread"
          >
            {t('Some drafts could not be read. They keep the old name, if they have it: {failed}', {
              failed: project.failed.join(', '),
            })}
          </Notice>
        )}
        {props.dirty && (
          <p className="sw-faint">
            {t('Changes of this draft that are not saved yet are saved with it.')}
          </p>
        )}
        {about !== undefined && (
          <Notice
            tone="warning"
            icon={<IconAlertTriangle size={16} aria-hidden />}
            testId="rename-refused"
          >
            {about}{' '}
            <Button size="compact-xs" variant="default" onClick={() => void again()}>
              {t('Look again')}
            </Button>
          </Notice>
        )}
        {error !== undefined && about === undefined && (
          <ErrorState compact title={t('Nothing was renamed')} error={error} />
        )}
        <Group justify="space-between" mt="md">
          <span role="status" data-testid="rename-count">
            {t(
              '{count, plural, one {# place} other {# places}} in {count2, plural, one {# draft} other {# drafts}}',
              { count: places, count2: wanted.length },
            )}
          </span>
          <Group gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={busy} data-autofocus data-testid="rename-submit">
              {t('Rename and save')}
            </Button>
          </Group>
        </Group>
      </form>
    </Modal>
  );
}

const TIES: Readonly<Record<FileChange['tie'], string>> = {
  here: t('this draft'),
  known: t('used together'),
  only: t('fits only here'),
  possible: t('may mean another'),
};

function RenamedFile(props: {
  readonly file: FileChange;
  readonly hindrance: string | null;
  readonly chosen: boolean;
  readonly onChoose: (on: boolean) => void;
}) {
  const { file, hindrance } = props;
  const own = file.tie === 'here';
  return (
    <section aria-label={file.ref} data-testid="renamed-file">
      <Group gap="xs" wrap="nowrap">
        <Checkbox
          size="xs"
          label={file.ref}
          checked={props.chosen}
          disabled={own || hindrance !== null}
          onChange={(event) => props.onChoose(event.currentTarget.checked)}
        />
        <Badge tone={file.tie === 'possible' ? 'warning' : 'neutral'}>{TIES[file.tie]}</Badge>
      </Group>
      {hindrance !== null && <p className="sw-rename-hindrance">{hindrance}</p>}
      <ul className="sw-rename-places">
        {file.places.map((place) => (
          <li key={`${place.line} ${place.start}`}>
            <span className="sw-faint">{place.line}</span>
            <code>
              {place.text.slice(0, place.start).trimStart()}
              <mark>{place.text.slice(place.start, place.end)}</mark>
              {place.text.slice(place.end)}
            </code>
          </li>
        ))}
      </ul>
    </section>
  );
}
