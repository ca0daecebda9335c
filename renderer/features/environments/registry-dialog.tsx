import { Button, Group, Modal } from '@mantine/core';
import { IconFileImport, IconServer2 } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import type { GenerationView, RegistryChange } from '../../../server/contract/studio/bindings.ts';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { lookAtRegistry, takeRegistry } from '../../data/environments.ts';
import { useAction } from '../../data/use-action.ts';
import { openImportFiles } from '../../desktop/bridge.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone, notifyHint } from '../../ui/notify.tsx';
import { rich } from '../../ui/rich.ts';
import { Badge } from '../../ui/status-badge.tsx';

interface Looked {
  /** Null: from the platform. */
  readonly text: string | null;
  readonly from: string;
  readonly change: RegistryChange;
}

/** The registry of an alias: its names, and another one with what it would change. */
export function RegistryDialog(props: {
  readonly projectId: string;
  readonly live: GenerationView;
  readonly hindrance: string | undefined;
  readonly onClose: () => void;
}) {
  const { projectId, live, hindrance } = props;
  const { alias } = live;
  const [looked, setLooked] = useState<Looked | null>(null);
  const look = useAction(async (source: 'file' | 'platform') => {
    setLooked(null);
    if (source === 'platform') {
      const change = await lookAtRegistry(projectId, alias, null);
      setLooked({ text: null, from: t('the platform of {alias}', { alias }), change });
      return;
    }
    const [file] = await openImportFiles();
    if (file === undefined) {
      return;
    }
    if (file.text === null) {
      notifyHint(t('{name} cannot be read as a text', { name: file.name }));
      return;
    }
    const change = await lookAtRegistry(projectId, alias, file.text);
    setLooked({ text: file.text, from: file.name, change });
  });
  const attach = useAction(async (text: string | null) => {
    const { generation, names } = await takeRegistry(projectId, alias, text);
    notifyDone(
      generation === null
        ? t('The registry is as it was')
        : t(
            '{alias} has generation {generation} with {count, plural, one {# name} other {# names}}',
            { alias, generation, count: names.length },
          ),
    );
    props.onClose();
  });
  return (
    <Modal opened onClose={props.onClose} title={t('Registry of {alias}', { alias })} size="lg">
      <div data-testid="registry-dialog">
        <p className="sw-dialog-text">
          {rich(
            'A spec may say {code} where code or a command stands. The name is filled in from here when the spec is checked and run. What was filled in keeps an export from travelling: write the value out where the file is to leave this project.',
            { code: <code>{t('{$registry: name}')}</code> },
          )}
        </p>
        <Names names={live.registry} />
        {hindrance === undefined ? (
          <Group gap="xs" my="sm">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconFileImport size={14} />}
              loading={look.busy}
              onClick={() => look.start('file')}
              data-testid="registry-file"
            >
              {t('From a file…')}
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconServer2 size={14} />}
              loading={look.busy}
              onClick={() => look.start('platform')}
              data-testid="registry-platform"
            >
              {t('Read from the platform')}
            </Button>
          </Group>
        ) : (
          <p className="sw-faint">{hindrance}</p>
        )}
        {look.error !== undefined && (
          <ErrorState compact title={t('There is no registry to take')} error={look.error} />
        )}
        {looked !== null && <ChangeView projectId={projectId} {...looked} />}
        {attach.error !== undefined && (
          <ErrorState compact title={t('The registry was not attached')} error={attach.error} />
        )}
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" onClick={props.onClose}>
            {t('Close')}
          </Button>
          {looked !== null && (
            <Button
              loading={attach.busy}
              onClick={() => attach.start(looked.text)}
              data-testid="registry-attach"
            >
              {t('Attach as generation {generation}', { generation: live.generation + 1 })}
            </Button>
          )}
        </Group>
      </div>
    </Modal>
  );
}

function Names(props: { readonly names: readonly string[] }) {
  return props.names.length === 0 ? (
    <p className="sw-faint">{t('No registry is attached.')}</p>
  ) : (
    <details className="sw-registry-names">
      <summary>
        {t('{count, plural, one {# name} other {# names}} attached', { count: props.names.length })}
      </summary>
      <p className="sw-mono">{props.names.join(', ')}</p>
    </details>
  );
}

const KINDS = [
  ['added', 'new'],
  ['changed', 'changed'],
  ['removed', 'gone'],
  ['skipped', t('left out: no reference can have such a name')],
] as const;

function ChangeView(props: Looked & { readonly projectId: string }) {
  const { change, projectId } = props;
  const kinds = KINDS.filter(([kind]) => change[kind].length > 0);
  return (
    <section aria-label={t('What it changes')} data-testid="registry-change">
      <h3 className="sw-section-title">
        {t('From {from}: {count, plural, one {# name} other {# names}}', {
          from: props.from,
          count: change.names.length,
        })}
      </h3>
      {kinds.length === 0 && (
        <p className="sw-faint">{t('They are those that are attached already.')}</p>
      )}
      {kinds.map(([kind, word]) => (
        <p key={kind} className="sw-registry-kind">
          <strong>
            {change[kind].length} {word}
          </strong>{' '}
          <span className="sw-mono sw-faint">
            {change[kind].slice(0, 12).join(', ')}
            {change[kind].length > 12 ? ', …' : ''}
          </span>
        </p>
      ))}
      <h3 className="sw-section-title">{t('References in drafts')}</h3>
      {change.uses.length === 0 ? (
        <p className="sw-faint">
          {t('No draft of this project names an entry; nothing changes for them.')}
        </p>
      ) : (
        <ul className="sw-registry-uses">
          {change.uses.map((use) => (
            <li key={`${use.ref} ${use.path}`}>
              <AppLink to={paths.draft(projectId, use.ref, { path: use.path })}>{use.ref}</AppLink>{' '}
              <code>{use.name}</code> <UseBadge use={use} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function UseBadge(props: { readonly use: RegistryChange['uses'][number] }) {
  const { before, after } = props.use;
  if (after === 'missing') {
    return <Badge tone="danger">{t('missing, so the spec is refused')}</Badge>;
  }
  return before === 'missing' ? (
    <Badge tone="success">{t('now filled; held back at export')}</Badge>
  ) : (
    <Badge>{t('filled; held back at export')}</Badge>
  );
}
