import { Button, Group, Modal, Select, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import type { DraftSummary } from '../../../../server/contract/studio/drafts.ts';
import { addDraft, registerFile } from '../../../data/actions.ts';
import { useTree } from '../../../data/project-tree.ts';
import { useAction } from '../../../data/use-action.ts';
import { AskForm } from '../../../ui/ask-form.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';

/** What a new overlay says; nothing of it is laid over anything. */
const BLANK_OVERLAY = t(
  '# What stands here is laid over a spec: mappings merge, everything else replaces.\n# A key with null, or with {__delete__: true}, is taken out.\n',
);

/** Adds an overlay: one of the project, a file of its folder that becomes one, or a new one. */
export function AddOverlay(props: {
  readonly projectId: string;
  readonly drafts: readonly DraftSummary[];
  readonly chosen: readonly string[];
  readonly onAdd: (path: string) => void;
}) {
  const { projectId, drafts, chosen, onAdd } = props;
  const [naming, setNaming] = useState(false);
  const [sought, setSought] = useState('');
  const tree = useTree(projectId).data?.entries ?? [];
  const known = new Set(drafts.map(({ ref }) => ref));
  const overlays = drafts.filter(({ ref, kind }) => kind === 'overlay' && !chosen.includes(ref));
  const files = tree.map(({ ref }) => ref).filter((ref) => /[.](?:ya?ml|json)$/i.test(ref));
  const free = files.filter((ref) => !known.has(ref));
  const adding = useAction(async (path: string) => {
    if (!known.has(path)) await registerFile(projectId, path, 'overlay');
    onAdd(path);
  });
  return (
    <>
      <Group gap="xs">
        <Select
          style={{ flex: '1 1 190px' }}
          size="xs"
          searchable
          aria-label={t('Add an overlay')}
          placeholder={t('Add an overlay…')}
          nothingFoundMessage={t('No overlay of that name')}
          limit={100}
          value={null}
          searchValue={sought}
          onSearchChange={setSought}
          data={[
            { group: t('Overlays'), items: overlays.map(({ ref }) => ref) },
            { group: t('Files of the folder, become overlays'), items: free },
          ]}
          onChange={(path) => {
            if (path === null) return;
            adding.start(path);
            setSought('');
          }}
          data-testid="add-overlay"
        />
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => setNaming(true)}
          data-testid="new-overlay"
        >
          {t('New overlay')}
        </Button>
      </Group>
      {adding.error !== undefined && (
        <ErrorState compact title={t('It was not added')} error={adding.error} />
      )}
      {naming && (
        <NewOverlay
          projectId={projectId}
          onClose={() => setNaming(false)}
          onMade={(path) => {
            setNaming(false);
            onAdd(path);
          }}
        />
      )}
    </>
  );
}

function NewOverlay(props: {
  readonly projectId: string;
  readonly onClose: () => void;
  readonly onMade: (path: string) => void;
}) {
  const [name, setName] = useState('');
  const making = useAction(async () => {
    const made = await addDraft(props.projectId, name.trim(), BLANK_OVERLAY, 'overlay');
    props.onMade(made.ref);
  });
  return (
    <Modal opened onClose={props.onClose} title={t('New overlay')}>
      <AskForm
        action={making}
        failure={t('Nothing was created')}
        label={t('Create overlay')}
        ready={name.trim() !== ''}
        testId="new-overlay"
        onCancel={props.onClose}
      >
        <TextInput
          label={t('Name')}
          description={t(
            'A file of Drafts. It is empty at first; open it to write what it lays over the base.',
          )}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={255}
          data-autofocus
          data-testid="new-overlay-field"
          required
        />
      </AskForm>
    </Modal>
  );
}
