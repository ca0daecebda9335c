import {
  ActionIcon,
  Alert,
  Button,
  Group,
  Modal,
  MultiSelect,
  Select,
  Textarea,
} from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useState } from 'react';
import type { DraftSummary } from '../../../server/contract/studio/drafts.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useBindings, useDrafts } from '../../data/studio.ts';
import { useAction } from '../../data/use-action.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import type { ComposeRequest } from '../../workbench/compose-request.ts';
import { trackWork } from '../../workbench/work-store.ts';
import { declareNotApplicable, freeze } from './artifact-queries.ts';
import { moveEntry, parseOverrides } from './composition-model.ts';

/** Freezes a draft, overlays in order and overrides as an artifact. */
export function CreateArtifactDialog(props: ComposeRequest & { readonly onClose: () => void }) {
  const { projectId, baseRef } = props;
  const bindings = useBindings(projectId).data ?? [];
  const drafts = useDrafts(projectId).data ?? [];
  const [alias, setAlias] = useState<string | null>(null);
  const [overlays, setOverlays] = useState<readonly string[]>([]);
  const [overrides, setOverrides] = useState('');
  const base = drafts.find(({ ref }) => ref === baseRef);
  const parsed = parseOverrides(overrides);
  const chosenAlias = alias ?? bindings[0]?.alias ?? '';
  const creating = useAction(async (notApplicable: boolean) => {
    if ('problem' in parsed) {
      return;
    }
    const baseDraft = { path: baseRef, revision: props.baseRevision };
    if (notApplicable) {
      await declareNotApplicable(projectId, baseDraft);
    }
    const artifact = await trackWork(
      'Creating artifact',
      freeze(projectId, {
        base: baseDraft,
        alias: chosenAlias,
        overlays: overlayRefs(drafts, overlays),
        overrides: parsed.value,
      }),
    );
    notifyDone('Artifact created');
    props.onClose();
    if (props.onCreated === undefined) {
      navigateTo(paths.artifact(projectId, artifact.id));
    } else {
      props.onCreated(artifact);
    }
  });
  const assertable = base?.can_assert_not_applicable === true;
  return (
    <Modal opened onClose={props.onClose} title="Create artifact" size="lg">
      <p style={{ marginTop: 0 }}>
        The artifact freezes <code>{baseRef}</code> at revision{' '}
        <code>{props.baseRevision.slice(0, 8)}</code>. Later edits of the draft do not change it.
      </p>
      <Select
        label="Alias"
        description="The platform that it is checked and run on"
        data={bindings.map((binding) => ({
          value: binding.alias,
          label: `${binding.alias} (${binding.platform_environment}, ${binding.capability_policy} policy)`,
        }))}
        value={chosenAlias}
        onChange={setAlias}
        allowDeselect={false}
        data-testid="artifact-alias"
      />
      <OverlayFields drafts={drafts} overlays={overlays} onChange={setOverlays} />
      <Textarea
        mt="sm"
        label="Overrides"
        description="A JSON object that is merged last; empty for none"
        value={overrides}
        onChange={(event) => setOverrides(event.currentTarget.value)}
        autosize
        minRows={2}
        maxRows={10}
        styles={{ input: { fontFamily: 'var(--sw-mono)' } }}
        error={'problem' in parsed ? parsed.problem : undefined}
      />
      {assertable && (
        <Alert mt="md" color="gray" title="This draft was not imported">
          An artifact can be exported only when its source analysis is settled. For a spec written
          here, say once that no analysis is needed; your name and the time are recorded.
        </Alert>
      )}
      {creating.error !== undefined && (
        <ErrorState compact title="The artifact was not created" error={creating.error} />
      )}
      <Group justify="flex-end" mt="md" gap="xs">
        {assertable && (
          <Button
            variant="default"
            loading={creating.busy}
            disabled={'problem' in parsed}
            onClick={() => creating.start(false)}
          >
            Create without saying so
          </Button>
        )}
        <Button
          loading={creating.busy}
          disabled={'problem' in parsed || chosenAlias === ''}
          onClick={() => creating.start(assertable)}
          data-testid="artifact-submit"
        >
          {assertable ? 'No analysis needed, create' : 'Create artifact'}
        </Button>
      </Group>
    </Modal>
  );
}

function overlayRefs(drafts: readonly DraftSummary[], refs: readonly string[]) {
  return refs.map((path) => ({
    path,
    revision: drafts.find(({ ref }) => ref === path)?.revision ?? '',
  }));
}

function OverlayFields(props: {
  readonly drafts: readonly DraftSummary[];
  readonly overlays: readonly string[];
  readonly onChange: (overlays: readonly string[]) => void;
}) {
  const choices = props.drafts.filter(({ kind }) => kind === 'overlay').map(({ ref }) => ref);
  if (choices.length === 0) {
    return null;
  }
  return (
    <>
      <MultiSelect
        mt="sm"
        label="Overlays"
        description="Merged over the draft from top to bottom"
        data={choices}
        value={[...props.overlays]}
        onChange={props.onChange}
      />
      {props.overlays.map((ref, index) => (
        <Group key={ref} gap={4} mt={4}>
          <span className="sw-faint">{index + 1}.</span>
          <span style={{ flex: 1 }}>{ref}</span>
          <ActionIcon
            variant="subtle"
            size="sm"
            aria-label={`Move ${ref} up`}
            disabled={index === 0}
            onClick={() => props.onChange(moveEntry(props.overlays, index, -1))}
          >
            <IconArrowUp size={14} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            size="sm"
            aria-label={`Move ${ref} down`}
            disabled={index === props.overlays.length - 1}
            onClick={() => props.onChange(moveEntry(props.overlays, index, 1))}
          >
            <IconArrowDown size={14} />
          </ActionIcon>
        </Group>
      ))}
    </>
  );
}
