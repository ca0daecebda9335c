import { Modal, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import {
  addConnection,
  type ConnectionView,
  changeConnection,
  connectionColors,
} from '../../../../server/contract/gateway/connections.ts';
import { call } from '../../../data/api-client.ts';
import { connectionsChanged } from '../../../data/connections.ts';
import { readSecretsAgain } from '../../../data/key-places.ts';
import { useAction } from '../../../data/use-action.ts';
import { AskForm } from '../../../ui/ask-form.tsx';
import { notifyDone } from '../../../ui/notify.tsx';
import { AuthFields } from './auth-fields.tsx';
import {
  bodyOf,
  boundTo,
  type Change,
  type FormPart,
  fieldsOf,
  isSendable,
} from './connection-fields.ts';
import { NetworkFields } from './network-fields.tsx';

const COLORS = connectionColors.options;

/** Adds a connection or changes one. Secrets that are stored are never shown again. */
export function ConnectionDialog(props: {
  readonly connection: ConnectionView | undefined;
  readonly onClose: () => void;
}) {
  const { connection, onClose } = props;
  const [fields, setFields] = useState(() => fieldsOf(connection));
  const change: Change = (part) => setFields((now) => ({ ...now, ...part }));
  const saving = useAction(async () => {
    const body = bodyOf(fields);
    if (connection === undefined) {
      await call(addConnection, { body });
    } else {
      await call(changeConnection, { params: { id: connection.id }, body });
    }
    readSecretsAgain();
    await connectionsChanged();
    notifyDone(
      t('The connection {name} is saved; test it before you rely on it', {
        name: fields.name.trim(),
      }),
    );
    onClose();
  });
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={
        connection === undefined
          ? t('Add a connection')
          : t('Change {name}', { name: connection.name })
      }
    >
      <AskForm
        action={saving}
        failure={t('The connection was not saved')}
        label={t('Save')}
        ready={isSendable(fields)}
        onCancel={onClose}
        testId="remote"
      >
        <TextInput
          label={t('Name')}
          description={t('As windows on it show it.')}
          {...boundTo('name', { fields, change })}
          maxLength={60}
          required
          data-autofocus
          data-testid="remote-name"
        />
        <NativeSelect
          mt="sm"
          label={t('Colour')}
          description={t('Windows on it wear it in the title bar.')}
          data={[...COLORS]}
          value={fields.color}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            change({ color: COLORS.find((one) => one === chosen) ?? fields.color });
          }}
          data-testid="remote-color"
        />
        <Addresses fields={fields} change={change} />
        <AuthFields fields={fields} change={change} stored={connection?.stored} />
        <NetworkFields fields={fields} change={change} stored={connection?.stored} />
      </AskForm>
    </Modal>
  );
}

function Addresses(props: Pick<FormPart, 'fields' | 'change'>) {
  const { fields, change } = props;
  return (
    <>
      <TextInput
        mt="sm"
        label={t('Run platform')}
        description={t('Where runs go. Leave empty what the other computer does not have.')}
        placeholder="https://platform.example.com"
        {...boundTo('platform', props)}
        data-testid="remote-platform"
      />
      <TextInput
        mt="sm"
        label={t('Dashboard')}
        description={t('Shows runs and tasks, and takes decisions.')}
        placeholder="https://dashboard.example.com"
        {...boundTo('dashboard', props)}
        data-testid="remote-dashboard"
      />
      <TextInput
        mt="sm"
        label={t('Studio')}
        description={t('Holds projects and drafts. Without it drafts stay on this computer.')}
        placeholder="https://studio.example.com"
        {...boundTo('studio', props)}
        data-testid="remote-studio"
      />
      {fields.studio.trim() !== '' && (
        <NativeSelect
          mt="sm"
          label={t('Drafts of a window on this connection')}
          data={[
            { value: 'here', label: t('stay on this computer') },
            { value: 'there', label: t('are those of its studio') },
          ]}
          value={fields.drafts}
          onChange={(event) =>
            change({ drafts: event.currentTarget.value === 'there' ? 'there' : 'here' })
          }
          data-testid="remote-drafts"
        />
      )}
    </>
  );
}
