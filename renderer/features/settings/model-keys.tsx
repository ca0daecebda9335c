import { t } from '../../../preload/texts/t.ts';
import { rich } from '../../ui/rich.ts';
import '../../ui/rows.css';
import { Button, Skeleton } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconKey, IconLock, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteModelKey,
  listModelKeys,
  type ModelKey,
  type ModelKeyList,
} from '../../../server/contract/gateway/model-keys.ts';
import { call } from '../../data/api-client.ts';
import { KEEPERS, readSecretsAgain } from '../../data/key-places.ts';
import { routeQuery } from '../../data/query-client.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { KeyDialog } from '../../ui/key-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { notifyDone, notifyError } from '../../ui/notify.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';

const PROVIDERS: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  anthropic: t('Anthropic'),
  google: t('Google'),
};

/** What a key is called: its provider, else the name that specs give it. */
function titleOf(key: ModelKey): string {
  return key.provider === null ? key.name : (PROVIDERS[key.provider] ?? key.provider);
}

function remove(key: ModelKey): void {
  modals.openConfirmModal({
    title: t('Remove the key of {title}?', { title: titleOf(key) }),
    children: key.in_environment
      ? t('Runs use {name} of the environment from then on.', { name: key.name })
      : t('Runs that name this provider are answered by the offline runtime from then on.'),
    labels: { confirm: t('Remove key'), cancel: t('Keep it') },
    confirmProps: { color: 'red', 'data-autofocus': true },
    onConfirm: () => {
      call(deleteModelKey, { params: { name: key.name } })
        .then(() => notifyDone(t('The key of {title} is removed', { title: titleOf(key) })))
        .catch((error: unknown) => notifyError(t('The key was not removed'), error))
        .finally(readSecretsAgain);
    },
  });
}

/** Stores, replaces and removes keys of model providers; a stored key is never shown. */
export function ModelKeys() {
  const query = useQuery(routeQuery(listModelKeys));
  if (query.isPending) {
    return <Skeleton height={160} radius="sm" />;
  }
  if (query.isError) {
    return <ErrorState compact error={query.error} onRetry={() => void query.refetch()} />;
  }
  return query.data.here ? (
    <KeyList list={query.data} />
  ) : (
    <p className="sw-faint" data-testid="keys-elsewhere">
      {t('The runs of this connection execute on another computer. Their keys are set there.')}
    </p>
  );
}

function KeyList(props: { readonly list: ModelKeyList }) {
  const { keys, keeper } = props.list;
  const [editing, setEditing] = useState<ModelKey | 'new' | null>(null);
  return (
    <>
      <ul className="sw-rows sw-keys" data-testid="model-keys">
        {keys.map((key) => (
          <li key={key.name} data-testid={`key-${key.name}`}>
            <span className="sw-row-name">
              <strong>{titleOf(key)}</strong>
              {key.provider !== null && <code>{key.name}</code>}
            </span>
            <KeyState item={key} />
            <span className="sw-key-actions">
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => setEditing(key)}
                data-testid={`key-set-${key.name}`}
                aria-label={`${key.kept_in === null ? t('Set key…') : t('Replace…')} ${titleOf(key)}`}
              >
                {key.kept_in === null ? t('Set key…') : t('Replace…')}
              </Button>
              {key.kept_in !== null && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="red"
                  onClick={() => remove(key)}
                  data-testid={`key-remove-${key.name}`}
                  aria-label={t('Remove… {title}', { title: titleOf(key) })}
                >
                  {t('Remove…')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => setEditing('new')}
        data-testid="key-other"
      >
        {t('Key under another name…')}
      </Button>
      <Keeper keeper={keeper} />
      {editing !== null && (
        <KeyDialog
          title={
            editing === 'new'
              ? t('A key under another name')
              : t('Key of {title}', { title: titleOf(editing) })
          }
          name={editing === 'new' ? null : editing.name}
          keeper={KEEPERS[keeper]}
          onClose={() => setEditing(null)}
          onStored={readSecretsAgain}
        />
      )}
    </>
  );
}

function KeyState(props: { readonly item: ModelKey }) {
  const { kept_in, stored_at, in_environment, name } = props.item;
  if (kept_in !== null) {
    return (
      <span className="sw-row-state">
        <Badge tone="success" icon={<IconLock size={13} aria-hidden />}>
          {t('stored')}
        </Badge>
        <span className="sw-faint">
          {rich('in {keepers}, {time}{value}', {
            keepers: KEEPERS[kept_in],
            time: <TimeAgo at={stored_at} />,
            value: in_environment && t('; goes before {name} of the environment', { name }),
          })}
        </span>
      </span>
    );
  }
  return (
    <span className="sw-row-state">
      {in_environment ? (
        <>
          <Badge tone="info">{t('from the environment')}</Badge>
          <span className="sw-faint">{t('the program was started with this variable')}</span>
        </>
      ) : (
        <>
          <Badge>{t('no key')}</Badge>
          <span className="sw-faint">{t('the offline runtime answers')}</span>
        </>
      )}
    </span>
  );
}

/** Where keys are kept, said before one is entrusted. */
function Keeper(props: { readonly keeper: ModelKeyList['keeper'] }) {
  const keychain = props.keeper === 'keychain';
  const text = keychain
    ? t(
        'Keys are kept in the keychain of this computer, under the service “specwright”. They are never shown again, and no spec, log or export holds them.',
      )
    : t(
        'New keys are kept in an encrypted file of the data folder; what opens it stands below. They are never shown again, and no spec, log or export holds them.',
      );
  return (
    <Notice tone="info" testId="key-keeper" icon={<IconKey size={16} aria-hidden />}>
      {text}
    </Notice>
  );
}
