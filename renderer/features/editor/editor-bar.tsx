import { Button } from '@mantine/core';
import {
  IconBinaryTree,
  IconDeviceFloppy,
  IconFileCheck,
  IconFileUnknown,
  IconListCheck,
  IconPackage,
  IconPlayerPlay,
} from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { DraftSummary } from '../../../server/contract/studio/drafts.ts';
import type { CredentialNeed } from '../../../server/spec/reports/credential-needs.ts';
import { CommandAction } from '../../app/command-action.tsx';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { useShortcutText } from '../../app/shortcuts.ts';
import { useCommand } from '../../app/use-command.ts';
import { composeStore } from '../../workbench/compose-request.ts';
import type { SaveState } from '../../workbench/editor-status.ts';
import { usePart } from '../../workbench/over-part.tsx';
import { CredentialsButton } from './credentials/credentials-button.tsx';
import { DraftMenu } from './draft-menu.tsx';

/** Where the draft lies and what can be done with it. */
export function EditorBar(props: {
  readonly projectId: string;
  readonly draftRef: string;
  readonly summary: DraftSummary | undefined;
  readonly save: SaveState;
  readonly dirty: boolean;
  readonly savedText: string;
  readonly text: string;
  readonly revision: () => string;
  readonly alias: string | undefined;
  /** What the steps of the draft send with their requests. */
  readonly credentials: readonly CredentialNeed[];
  /** The secret whose binding is asked for at once. */
  readonly asksFor: string | undefined;
  /** What a credential is bound to has changed. */
  readonly onBound: () => void;
  readonly onSave: () => Promise<boolean>;
  /** Absent for what cannot run: an overlay, or a project without a platform. */
  readonly onRun: (() => void) | undefined;
}) {
  const runKeys = useShortcutText('draft.run');
  const { projectId, draftRef, summary } = props;
  const roomBeside = usePart('side').room;
  const heading = useRef<HTMLHeadingElement>(null);
  const analysisId = summary?.analysis_ids[0];
  const canCreate = props.alias !== undefined && summary?.kind !== 'overlay';
  const create = async (): Promise<void> => {
    if (!props.dirty || (await props.onSave())) {
      composeStore.set({ projectId, baseRef: draftRef, baseRevision: props.revision() });
    }
  };
  const openGaps = (): void => navigateTo(paths.reviewGaps(projectId, { ref: draftRef }));
  useCommand('artifact.create', () => void create(), canCreate);
  const compose = async (): Promise<void> => {
    if (!props.dirty || (await props.onSave())) {
      navigateTo(paths.compose(projectId, { base: draftRef }));
    }
  };
  useCommand('artifact.compose', () => void compose(), canCreate);
  useCommand('draft.gaps', openGaps, analysisId !== undefined);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const cut = draftRef.lastIndexOf('/') + 1;
  return (
    <div className="sw-editor-bar">
      <h1 className="sw-editor-crumbs" tabIndex={-1} ref={heading} title={draftRef}>
        <span>{draftRef.slice(0, cut).replaceAll('/', ' / ')}</span>
        <strong>{draftRef.slice(cut)}</strong>
      </h1>
      {!roomBeside && (
        <CommandAction
          command="view.side"
          label={t('Show graph')}
          icon={<IconBinaryTree size={16} />}
          testId="show-side"
        />
      )}
      {analysisId === undefined && summary?.kind === 'spec' && summary.revision !== null && (
        <Button
          size="xs"
          variant="subtle"
          leftSection={
            summary.not_applicable_asserted ? (
              <IconFileCheck size={15} />
            ) : (
              <IconFileUnknown size={15} />
            )
          }
          onClick={openGaps}
          title={
            summary.not_applicable_asserted ? t('No analysis is needed') : t('No analysis yet')
          }
          aria-label={
            summary.not_applicable_asserted
              ? t('Analysis: none is needed')
              : t('Analysis: none yet')
          }
          data-testid="open-analysis"
        >
          {t('Analysis')}
        </Button>
      )}
      {analysisId !== undefined && (
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconListCheck size={15} />}
          onClick={openGaps}
          data-testid="open-gaps"
        >
          {t('Gaps')}
        </Button>
      )}
      <CredentialsButton
        needs={props.credentials}
        asksFor={props.asksFor}
        onChanged={props.onBound}
      />
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDeviceFloppy size={15} />}
        onClick={() => void props.onSave()}
        disabled={props.save === 'saved' || props.save === 'read_only' || props.save === 'saving'}
        data-testid="save"
      >
        {props.save === 'conflict' ? t('Resolve conflict') : t('Save')}
      </Button>
      {canCreate && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPackage size={15} />}
          onClick={() => void create()}
          data-testid="create-artifact"
        >
          {t('Create artifact')}
        </Button>
      )}
      {props.onRun !== undefined && (
        <Button
          size="xs"
          leftSection={<IconPlayerPlay size={15} />}
          onClick={props.onRun}
          title={
            runKeys === undefined
              ? t('Run the text as it stands')
              : t('Run the text as it stands ({cut})', { cut: runKeys })
          }
          data-testid="run-draft"
        >
          {t('Run')}
        </Button>
      )}
      <DraftMenu
        projectId={projectId}
        draftRef={draftRef}
        savedText={props.savedText}
        text={props.text}
        dirty={props.dirty}
        revision={props.revision}
      />
    </div>
  );
}
