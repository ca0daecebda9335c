import { t } from '../../../../preload/texts/t.ts';
import '../../../workbench/window-colors.css';
import './connections.css';
import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ConnectionView,
  listConnections,
  removeConnection,
} from '../../../../server/contract/gateway/connections.ts';
import { chooseConnection } from '../../../app/choose-connection.ts';
import { call } from '../../../data/api-client.ts';
import { connectionStore } from '../../../data/chosen-connection.ts';
import { connectionsChanged } from '../../../data/connections.ts';
import { readSecretsAgain } from '../../../data/key-places.ts';
import { routeQuery } from '../../../data/query-client.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { notifyDone, notifyError } from '../../../ui/notify.tsx';
import { Badge } from '../../../ui/status-badge.tsx';
import { useStore } from '../../../ui/store.ts';
import { ConnectionDialog } from './connection-dialog.tsx';
import { ConnectionTest } from './connection-test.tsx';
import { PART_NAMES } from './part-names.ts';
import { RemoteSignIn } from './remote-sign-in.tsx';

const PARTS = ['platform', 'dashboard', 'studio'] as const;

function remove(connection: ConnectionView): void {
  modals.openConfirmModal({
    title: t('Remove the connection {name}?', { name: connection.name }),
    children: t(
      'Its addresses, its key, its sign-in, its client certificate and its proxy password go with it. Nothing changes at the servers, and no draft is touched.',
    ),
    labels: { confirm: t('Remove connection'), cancel: t('Keep it') },
    confirmProps: { color: 'red', 'data-autofocus': true },
    onConfirm: () => {
      call(removeConnection, { params: { id: connection.id } })
        .then(() => {
          if (connectionStore.get() === connection.id) {
            chooseConnection(null);
          }
          notifyDone(t('The connection {name} is removed', { name: connection.name }));
        })
        .catch((error: unknown) => notifyError(t('The connection was not removed'), error))
        .finally(() => {
          readSecretsAgain();
          void connectionsChanged();
        });
    },
  });
}

/** The connections to services of other computers: added, tried, changed, removed. */
export function ConnectionList() {
  const query = useQuery(routeQuery(listConnections));
  const [editing, setEditing] = useState<ConnectionView | 'new' | null>(null);
  if (query.isError) {
    return <ErrorState compact error={query.error} onRetry={() => void query.refetch()} />;
  }
  const connections = query.data?.connections ?? [];
  return (
    <>
      {query.isSuccess && connections.length === 0 && (
        <p data-testid="connections-none">
          {t(
            'None yet: everything runs on this computer. A connection leads this window to the run platform, the dashboard or the studio of another one.',
          )}
        </p>
      )}
      <ul className="sw-connections" data-testid="connections">
        {connections.map((connection) => (
          <ConnectionRow
            key={connection.id}
            connection={connection}
            onEdit={() => setEditing(connection)}
          />
        ))}
      </ul>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => setEditing('new')}
        data-testid="connection-add"
      >
        {t('Add a connection…')}
      </Button>
      {editing !== null && (
        <ConnectionDialog
          connection={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  );
}

function ConnectionRow(props: {
  readonly connection: ConnectionView;
  readonly onEdit: () => void;
}) {
  const { connection, onEdit } = props;
  const { id, name, color, auth, stored, drafts } = connection;
  const [testing, setTesting] = useState(false);
  const isHere = useStore(connectionStore) === id;
  return (
    <li data-color={color} data-testid={`connection-${name}`}>
      <div className="sw-connection-head">
        <strong>{name}</strong>
        {isHere && <Badge tone="info">{t('this window')}</Badge>}
        {auth.kind === 'key' && !stored.key && <Badge tone="warning">{t('no key stored')}</Badge>}
        <span className="sw-connection-actions">
          {!isHere && (
            <Button
              size="compact-sm"
              onClick={() => chooseConnection(id)}
              aria-label={t('Use in this window: {name}', { name })}
              data-testid={`connection-use-${name}`}
            >
              {t('Use in this window')}
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => setTesting(true)}
            aria-label={t('Test {name}', { name })}
            data-testid={`connection-test-${name}`}
          >
            {t('Test')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={onEdit}
            aria-label={t('Change… {name}', { name })}
            data-testid={`connection-change-${name}`}
          >
            {t('Change…')}
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            onClick={() => remove(connection)}
            aria-label={t('Remove… {name}', { name })}
            data-testid={`connection-remove-${name}`}
          >
            {t('Remove…')}
          </Button>
        </span>
      </div>
      <dl className="sw-facts">
        {PARTS.map((part) => {
          const address = connection[part];
          return address === null ? null : (
            <Address key={part} part={part} address={address} drafts={drafts} />
          );
        })}
      </dl>
      {auth.kind === 'oidc' && <RemoteSignIn connection={connection} />}
      {testing && <ConnectionTest connection={connection} onClose={() => setTesting(false)} />}
    </li>
  );
}

function Address(props: {
  readonly part: (typeof PARTS)[number];
  readonly address: string;
  readonly drafts: ConnectionView['drafts'];
}) {
  return (
    <>
      <dt>{PART_NAMES[props.part]}</dt>
      <dd>
        <code>{props.address}</code>
        {props.part === 'studio' && props.drafts === 'here' && (
          <span className="sw-faint"> {t('not used: drafts stay on this computer')}</span>
        )}
      </dd>
    </>
  );
}
