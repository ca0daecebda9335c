import { t } from '../../../preload/texts/t.ts';
import './history.css';
import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type DraftVersion,
  getHistory,
  nameVersion,
  readVersion,
  restoreVersion,
} from '../../../server/contract/studio/history.ts';
import { call } from '../../data/api-client.ts';
import { fileName } from '../../data/draft-names.ts';
import { queryClient, routePrefix, routeQuery } from '../../data/query-client.ts';
import { invalidateAuthoring } from '../../data/studio.ts';
import { useAction } from '../../data/use-action.ts';
import { AskForm } from '../../ui/ask-form.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { Unread } from '../../ui/unread.tsx';
import { CompareView } from './compare/compare-view.tsx';
import { fetchDraft } from './draft-queries.ts';

const CAUSES: Readonly<Record<DraftVersion['cause'], string>> = {
  found: t('Written outside'),
  save: t('Saved'),
  merge: t('Merged re-import'),
  restore: t('Restored'),
};

interface HistoryProps {
  readonly projectId: string;
  readonly draftRef: string;
  readonly savedText: string;
  readonly dirty: boolean;
  readonly revision: () => string;
  readonly onClose: () => void;
}

/** Every text that the draft had: compared with the saved one, named, saved once more. */
export function HistoryDialog(props: HistoryProps) {
  const { projectId, draftRef } = props;
  const history = useQuery({
    ...routeQuery(getHistory, { params: { project_id: projectId, ref: draftRef } }),
    staleTime: 0,
  });
  const versions = history.data?.versions ?? [];
  const [chosen, setChosen] = useState<number | null>(null);
  const version = versions.find(({ id }) => id === chosen) ?? versions[1] ?? versions[0];
  return (
    <Modal
      opened
      onClose={props.onClose}
      size="min(1200px, 94vw)"
      title={t('History of {file}', { file: fileName(draftRef) })}
    >
      <div data-testid="history-dialog">
        <Unread query={history} rows={4} compact />
        {history.isSuccess && versions.length === 0 && (
          <EmptyState compact title={t('No versions yet')}>
            {t('Each save keeps the text before it and its own: the last 200 of this draft.')}
          </EmptyState>
        )}
        {version !== undefined && (
          <div className="sw-history">
            <ol className="sw-history-list" aria-label={t('Versions, newest first')}>
              {versions.map((one, at) => (
                <li key={one.id}>
                  <VersionButton
                    version={one}
                    oldest={at === versions.length - 1}
                    pressed={one.id === version.id}
                    onChoose={() => setChosen(one.id)}
                  />
                </li>
              ))}
            </ol>
            <VersionView key={version.id} {...props} version={version} />
          </div>
        )}
      </div>
    </Modal>
  );
}

function VersionButton(props: {
  readonly version: DraftVersion;
  readonly oldest: boolean;
  readonly pressed: boolean;
  readonly onChoose: () => void;
}) {
  const { version } = props;
  // Nobody knows who wrote it: an import, another program, or a save that is no longer kept.
  const isStart = props.oldest && version.cause === 'found';
  return (
    <button
      type="button"
      className="sw-history-version"
      aria-pressed={props.pressed}
      onClick={props.onChoose}
      data-testid={`version-${version.id}`}
    >
      {version.name !== null && <strong>{version.name}</strong>}
      <span>
        {isStart ? (
          t('Before the first save here')
        ) : (
          <>
            {CAUSES[version.cause]} <TimeAgo at={version.saved_at} />
          </>
        )}
      </span>
      <span className="sw-history-who">
        {!isStart && <>{version.saved_by ?? t('Not by this program')} · </>}
        <code>{version.revision.slice(0, 8)}</code>
      </span>
    </button>
  );
}

function VersionView(props: HistoryProps & { readonly version: DraftVersion }) {
  const { projectId, draftRef, version } = props;
  const params = { project_id: projectId, version_id: String(version.id) };
  const text = useQuery({
    ...routeQuery(readVersion, { params }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const restore = useAction(async () => {
    await call(restoreVersion, { params, body: { expected_revision: props.revision() } });
    await fetchDraft(projectId, draftRef);
    await invalidateAuthoring();
    notifyDone(
      t('Restored {file}; the text before it is in the history', { file: fileName(draftRef) }),
    );
    props.onClose();
  });
  const isSaved = version.revision === props.revision();
  return (
    <section className="sw-history-view" aria-label={t('The chosen version')}>
      <Unread query={text} rows={4} compact />
      {text.data !== undefined &&
        (isSaved ? (
          <EmptyState compact title={t('This is the saved text')}>
            {t('Choose another version to see what changed since.')}
          </EmptyState>
        ) : (
          <CompareView
            left={text.data.text}
            right={props.savedText}
            file={fileName(draftRef)}
            labels={[t('The chosen version'), t('Saved text')]}
          />
        ))}
      {restore.error !== undefined && (
        <ErrorState compact title={t('It was not restored')} error={restore.error} />
      )}
      <Group justify="space-between" align="flex-end" mt="sm">
        <NameForm version={version} params={params} />
        <Button
          disabled={isSaved || props.dirty || text.data === undefined}
          loading={restore.busy}
          onClick={() => restore.start()}
          title={props.dirty ? t('Save or discard the unsaved text first') : undefined}
          data-testid="restore-version"
        >
          {t('Restore this version')}
        </Button>
      </Group>
    </section>
  );
}

function NameForm(props: {
  readonly version: DraftVersion;
  readonly params: { readonly project_id: string; readonly version_id: string };
}) {
  const { version, params } = props;
  const [name, setName] = useState(version.name ?? '');
  const wanted = name.trim();
  const naming = useAction(async () => {
    await call(nameVersion, { params, body: { name: wanted === '' ? null : wanted } });
    await queryClient.invalidateQueries({ queryKey: routePrefix(getHistory) });
  });
  return (
    <AskForm
      action={naming}
      failure={t('It has no new name')}
      label={t('Name it')}
      ready={wanted !== (version.name ?? '')}
      testId="version-name"
    >
      <TextInput
        label={t('Name of this version')}
        description={t('A version with a name is kept, however many follow.')}
        value={name}
        maxLength={80}
        onChange={(event) => setName(event.currentTarget.value)}
        data-testid="version-name-field"
      />
    </AskForm>
  );
}
