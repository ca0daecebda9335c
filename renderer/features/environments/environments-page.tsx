import { t } from '../../../preload/texts/t.ts';
import './environments.css';
import { Button } from '@mantine/core';
import { IconPlus, IconServerOff } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { bindAlias, useBindingHindrance, useGenerations } from '../../data/environments.ts';
import { useAction } from '../../data/use-action.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { Page } from '../../ui/page.tsx';
import { Unread } from '../../ui/unread.tsx';
import { AliasSection } from './alias-section.tsx';
import { BindDialog } from './bind-dialog.tsx';
import { aliasGroups, type EnvironmentDialog } from './environments-model.ts';
import { RegistryDialog } from './registry-dialog.tsx';
import { RetireDialog } from './retire-dialog.tsx';

function firstDialog(
  alias: string | undefined,
  open: string | undefined,
): EnvironmentDialog | null {
  return alias !== undefined && (open === 'next' || open === 'registry')
    ? { kind: open, alias }
    : null;
}

/** The platforms that a project is bound to: each alias, its generations, its registry. */
export function EnvironmentsPage(props: {
  readonly projectId: string;
  /** The alias whose dialog is shown at once. */
  readonly alias: string | undefined;
  readonly open: string | undefined;
}) {
  const { projectId } = props;
  const generations = useGenerations(projectId);
  const hindrance = useBindingHindrance(projectId);
  const groups = useMemo(() => aliasGroups(generations.data ?? []), [generations.data]);
  const [dialog, setDialog] = useState(() => firstDialog(props.alias, props.open));
  const bound = groups.some(({ live }) => live !== undefined);
  const about = dialog === null || dialog.kind === 'bind' ? undefined : dialog.alias;
  const group = groups.find(({ alias }) => alias === about);
  return (
    <Page
      title={t('Environments')}
      sub={t(
        'The platforms that this project is checked and run on. An artifact keeps the generation that it was made with.',
      )}
      testId="environments-page"
      actions={
        bound && (
          <Button
            leftSection={<IconPlus size={16} />}
            disabled={hindrance !== undefined}
            title={hindrance}
            onClick={() => setDialog({ kind: 'bind' })}
            data-testid="bind-alias"
          >
            {t('Bind an alias')}
          </Button>
        )
      }
    >
      <Unread query={generations} rows={6} />
      {generations.isSuccess && !bound && <Unbound projectId={projectId} hindrance={hindrance} />}
      {groups.map((entry) => (
        <AliasSection
          key={entry.alias}
          projectId={projectId}
          group={entry}
          hindrance={hindrance}
          onOpen={setDialog}
        />
      ))}
      {dialog?.kind === 'bind' && (
        <BindDialog projectId={projectId} live={undefined} onClose={() => setDialog(null)} />
      )}
      {dialog?.kind === 'next' && group?.live !== undefined && (
        <BindDialog projectId={projectId} live={group.live} onClose={() => setDialog(null)} />
      )}
      {dialog?.kind === 'registry' && group?.live !== undefined && (
        <RegistryDialog
          projectId={projectId}
          live={group.live}
          hindrance={hindrance}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.kind === 'retire' && (
        <RetireDialog
          projectId={projectId}
          generations={generations.data ?? []}
          alias={dialog.alias}
          generation={dialog.generation}
          onClose={() => setDialog(null)}
        />
      )}
    </Page>
  );
}

/** Nothing is bound: one click binds the platform that came with the program. */
function Unbound(props: { readonly projectId: string; readonly hindrance: string | undefined }) {
  const { projectId, hindrance } = props;
  const binding = useAction(async () => {
    await bindAlias(projectId, { alias: 'default', profile: 'local' });
    notifyDone(t('The own platform is bound as default'));
  });
  return (
    <>
      <EmptyState
        icon={<IconServerOff size={32} stroke={1.25} />}
        title={t('No platform is bound')}
        actions={
          <Button
            size="xs"
            loading={binding.busy}
            disabled={hindrance !== undefined}
            onClick={() => binding.start()}
            data-testid="bind-own"
          >
            {t('Bind the platform of this computer')}
          </Button>
        }
      >
        {hindrance ??
          t(
            'Without one the editor checks texts by itself; previews, artifacts and runs need a platform.',
          )}
      </EmptyState>
      {binding.error !== undefined && (
        <ErrorState compact title={t('Nothing was bound')} error={binding.error} />
      )}
    </>
  );
}
