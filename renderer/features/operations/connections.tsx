import { t } from '../../../preload/texts/t.ts';
import '../../ui/plain-table.css';
import { Button, Checkbox, ColorSwatch, Modal, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getHealth } from '../../../server/contract/dashboard/probes.ts';
import {
  CONNECTION_COLORS,
  type Connection,
  type ConnectionColor,
  deleteConnection,
  listConnections,
  putConnection,
} from '../../../server/contract/dashboard/settings.ts';
import { call } from '../../data/api-client.ts';
import { toApiError } from '../../data/api-error.ts';
import { routePrefix } from '../../data/query-client.ts';
import { useAction } from '../../data/use-action.ts';
import { useEdited } from '../../data/use-edited.ts';
import { ActionsHeading } from '../../ui/actions-heading.tsx';
import { AskForm } from '../../ui/ask-form.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { InUse } from './environment-use.tsx';
import { Overtaken, readAgain } from './save-setting.tsx';

type Row = Pick<Connection, 'env' | 'profile' | 'label' | 'production' | 'color' | 'version'>;
const NEW: Row = {
  ...{ env: '', profile: null, label: '', production: false, color: null, version: 0 },
};

/** The environments and the platform of each; each can be tried before it is trusted. */
export function Connections(props: {
  readonly connections: readonly Connection[];
  readonly hindrance: string | undefined;
}) {
  const { connections, hindrance } = props;
  const [edited, setEdited] = useState<Row>();
  const [removed, setRemoved] = useState<Connection>();
  const locked = { disabled: hindrance !== undefined, title: hindrance };
  return (
    <>
      <p>
        {connections.length === 0
          ? t(
              'None: everything goes to the default platform. An environment here leads to the platform of its profile.',
            )
          : t(
              'Each environment leads to the platform of its profile; one without a profile to the default platform.',
            )}
      </p>
      {connections.length > 0 && (
        <table className="sw-plain-table" data-testid="connections">
          <thead>
            <tr>
              <th scope="col">{t('Environment')}</th>
              <th scope="col">{t('Name')}</th>
              <th scope="col">{t('Profile')}</th>
              <th scope="col">{t('Platform')}</th>
              <ActionsHeading />
            </tr>
          </thead>
          <tbody>
            {connections.map((connection) => (
              <tr key={connection.env}>
                <th scope="row">{connection.env}</th>
                <td>
                  {connection.color !== null && !connection.production && (
                    <ColorSwatch
                      component="span"
                      size={12}
                      color={`var(--mantine-color-${connection.color}-6)`}
                      title={connection.color}
                    />
                  )}{' '}
                  {connection.label}{' '}
                  {connection.production && <Badge tone="danger">{t('production')}</Badge>}
                </td>
                <td>{connection.profile ?? t('default')}</td>
                <td>
                  <Trial environment={connection.env} />
                </td>
                <td data-align="right">
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => setEdited(connection)}
                    {...locked}
                  >
                    {t('Change')}
                  </Button>{' '}
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => setRemoved(connection)}
                    {...locked}
                  >
                    {t('Remove')}
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Button
        size="xs"
        mt="sm"
        variant="default"
        onClick={() => setEdited(NEW)}
        {...locked}
        data-testid="connection-add"
      >
        {t('Add an environment…')}
      </Button>
      {edited !== undefined && (
        <EditConnection
          stored={connections.find(({ env }) => env === edited.env) ?? edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removed !== undefined && (
        <RemoveConnection connection={removed} onClose={() => setRemoved(undefined)} />
      )}
    </>
  );
}

/** Whether the platform of an environment answers, asked when somebody wants to know. */
function Trial({ environment }: { readonly environment: string }) {
  const trial = useQuery({
    queryKey: [...routePrefix(getHealth), 'trial', environment],
    queryFn: ({ signal }) =>
      call(getHealth, {}, { signal, headers: { 'x-kneo-env': environment } }),
    enabled: false,
    retry: false,
    gcTime: 0,
  });
  const test = (
    <Button
      size="compact-xs"
      variant="default"
      loading={trial.isFetching}
      onClick={() => void trial.refetch()}
    >
      {t('Test')}
    </Button>
  );
  if (trial.isError) {
    return (
      <>
        {test} <Badge tone="danger">{toApiError(trial.error).message}</Badge>
      </>
    );
  }
  if (trial.data === undefined) {
    return test;
  }
  const { probes, service, version } = trial.data;
  const ready = probes.livez && probes.readyz;
  return (
    <>
      {test}{' '}
      <Badge tone={ready ? 'success' : 'danger'}>
        {ready
          ? t('{service} {version} is ready', { service, version })
          : t('does not answer, or is not ready')}
      </Badge>
    </>
  );
}

interface Fields {
  readonly env: string;
  readonly profile: string;
  readonly label: string;
  readonly production: boolean;
  readonly color: ConnectionColor | null;
}

function isSameFields(left: Fields, right: Fields): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function fieldsOf({ env, profile, label, production, color }: Row): Fields {
  return { env, profile: profile ?? '', label, production, color };
}

function EditConnection(props: { readonly stored: Row; readonly onClose: () => void }) {
  const { stored, onClose } = props;
  const edited = useEdited({ value: fieldsOf(stored), version: stored.version }, isSameFields);
  const { draft, setDraft, base } = edited;
  const { env, profile, label, production, color } = draft;
  const isNew = base.version === 0;
  const saving = useAction(async () => {
    const params = { env: env.trim() };
    const version = base.version;
    const body = { profile: profile.trim() || null, label, production, color, version };
    try {
      await call(putConnection, { params, body });
      notifyDone(t('The environment {env} is saved', { env: params.env }));
      onClose();
    } finally {
      await readAgain(listConnections);
    }
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={isNew ? t('Add an environment') : t('Change {env}', { env })}
    >
      <AskForm
        action={saving}
        failure={t('It was not saved')}
        label={t('Save')}
        ready={env.trim() !== '' && !edited.isOvertaken}
        onCancel={onClose}
        testId="connection"
      >
        <TextInput
          label={t('Environment')}
          description={t('As specs and policies name it, such as staging.')}
          value={env}
          disabled={!isNew}
          onChange={(event) => setDraft({ ...draft, env: event.currentTarget.value })}
          data-autofocus
          data-testid="connection-env"
        />
        <TextInput
          mt="sm"
          label={t('Profile')}
          description={t(
            'A name from profiles.toml in the configuration folder, with the address and key. Empty: the default platform.',
          )}
          value={profile}
          onChange={(event) => setDraft({ ...draft, profile: event.currentTarget.value })}
        />
        <TextInput
          mt="sm"
          label={t('Name on screen')}
          value={label}
          onChange={(event) => setDraft({ ...draft, label: event.currentTarget.value })}
        />
        <Checkbox
          mt="sm"
          label={t('Production')}
          description={t('Windows that show it say so in colour and words.')}
          checked={production}
          onChange={(event) => setDraft({ ...draft, production: event.currentTarget.checked })}
          data-testid="connection-production"
        />
        <NativeSelect
          mt="sm"
          label={t('Colour')}
          description={t('Windows that show it wear it beside its name; production is always red.')}
          data={[{ value: '', label: t('none') }, ...CONNECTION_COLORS]}
          value={color ?? ''}
          disabled={production}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            const next = CONNECTION_COLORS.find((each) => each === chosen) ?? null;
            setDraft({ ...draft, color: next });
          }}
          data-testid="connection-color"
        />
        <Overtaken edited={edited} onChosen={saving.forget} />
      </AskForm>
    </Modal>
  );
}

function RemoveConnection(props: {
  readonly connection: Connection;
  readonly onClose: () => void;
}) {
  const { connection, onClose } = props;
  const { env, version } = connection;
  const removing = useAction(async () => {
    await call(deleteConnection, { params: { env }, query: { version } });
    notifyDone(t('The environment {env} is removed', { env }));
    onClose();
    await readAgain(listConnections);
  });
  return (
    <Modal opened onClose={onClose} title={t('Remove {env}?', { env })}>
      <AskForm
        action={removing}
        failure={t('It was not removed')}
        label={t('Remove')}
        ready
        onCancel={onClose}
        testId="remove-connection"
      >
        <InUse environment={env} />
        <p className="sw-dialog-text">
          {t(
            'Whoever has chosen {env} is refused until they choose another environment. Its runs and its policy stay on its platform.',
            { env },
          )}
        </p>
      </AskForm>
    </Modal>
  );
}
