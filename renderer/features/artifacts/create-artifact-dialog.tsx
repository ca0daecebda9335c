import { Button, Group, Modal } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { declareNotApplicable, freeze } from '../../data/artifact-actions.ts';
import { useBindings, useDrafts } from '../../data/studio.ts';
import { useAction } from '../../data/use-action.ts';
import { useChosenBinding } from '../../environments/chosen-alias.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { rich } from '../../ui/rich.ts';
import type { ComposeRequest } from '../../workbench/compose-request.ts';
import { AliasField, AssertNotice } from '../../workbench/freeze-fields.tsx';
import { trackWork } from '../../workbench/work-store.ts';

/** Freezes a draft alone as an artifact; with overlays and overrides that is a page of its own. */
export function CreateArtifactDialog(props: ComposeRequest & { readonly onClose: () => void }) {
  const { projectId, baseRef } = props;
  const bindings = useBindings(projectId).data ?? [];
  const drafts = useDrafts(projectId).data ?? [];
  const usual = useChosenBinding(projectId);
  const [alias, setAlias] = useState<string | null>(null);
  const base = drafts.find(({ ref }) => ref === baseRef);
  const chosenAlias = alias ?? usual?.alias ?? '';
  const creating = useAction(async (notApplicable: boolean) => {
    const baseDraft = { path: baseRef, revision: props.baseRevision };
    if (notApplicable) {
      await declareNotApplicable(projectId, baseDraft);
    }
    const artifact = await trackWork(
      t('Creating artifact'),
      freeze(projectId, { base: baseDraft, alias: chosenAlias, overlays: [], overrides: {} }),
    );
    notifyDone(t('Artifact created'));
    props.onClose();
    if (props.onCreated === undefined) {
      navigateTo(paths.artifact(projectId, artifact.id));
    } else {
      props.onCreated(artifact);
    }
  });
  const assertable = base?.can_assert_not_applicable === true;
  return (
    <Modal opened onClose={props.onClose} title={t('Create artifact')} size="lg">
      <p style={{ marginTop: 0 }}>
        {rich(
          'The artifact freezes {code} at revision {code2}. Later edits of the draft do not change it.',
          { code: <code>{baseRef}</code>, code2: <code>{props.baseRevision.slice(0, 8)}</code> },
        )}
      </p>
      <AliasField bindings={bindings} value={chosenAlias} onChange={setAlias} />
      {assertable && <AssertNotice />}
      {creating.error !== undefined && (
        <ErrorState compact title={t('The artifact was not created')} error={creating.error} />
      )}
      <Group justify="space-between" mt="md" gap="xs">
        <Button
          variant="subtle"
          leftSection={<IconStack2 size={15} />}
          onClick={() => {
            props.onClose();
            navigateTo(paths.compose(projectId, { base: baseRef }));
          }}
          data-testid="compose-instead"
        >
          {t('Overlays and overrides…')}
        </Button>
        <Group gap="xs">
          {assertable && (
            <Button variant="default" loading={creating.busy} onClick={() => creating.start(false)}>
              {t('Create to run only')}
            </Button>
          )}
          <Button
            loading={creating.busy}
            disabled={chosenAlias === ''}
            onClick={() => creating.start(assertable)}
            data-testid="artifact-submit"
          >
            {assertable ? t('Create for export') : t('Create artifact')}
          </Button>
        </Group>
      </Group>
    </Modal>
  );
}
