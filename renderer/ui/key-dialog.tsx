import { Modal, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../preload/texts/t.ts';
import { putModelKey } from '../../server/contract/gateway/model-keys.ts';
import { call } from '../data/api-client.ts';
import { useAction } from '../data/use-action.ts';
import { AskForm } from './ask-form.tsx';
import { notifyDone } from './notify.tsx';

/** Asks for a key, and for its name when it is not given. What is typed is gone when the dialog closes. */
export function KeyDialog(props: {
  readonly title: string;
  readonly name: string | null;
  /** Where the key will be, in words. */
  readonly keeper: string;
  readonly onClose: () => void;
  readonly onStored: () => void;
}) {
  const [name, setName] = useState(props.name ?? '');
  const [key, setKey] = useState('');
  const storing = useAction(async () => {
    try {
      await call(putModelKey, { params: { name: name.trim() }, body: { key } });
    } finally {
      props.onStored();
    }
    notifyDone(t('The key is stored; the next run uses it'));
    props.onClose();
  });
  return (
    <Modal opened onClose={props.onClose} title={props.title}>
      <AskForm
        action={storing}
        failure={t('The key was not stored')}
        label={t('Store key')}
        ready={key.trim() !== '' && name.trim() !== ''}
        onCancel={props.onClose}
        testId="key"
      >
        {props.name === null && (
          <TextInput
            label={t('Name')}
            description={t('As specs name it in api_key_ref, such as MISTRAL_API_KEY')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value.toUpperCase())}
            maxLength={100}
            required
            data-autofocus
            data-testid="key-name"
            mb="sm"
          />
        )}
        <PasswordInput
          label={t('Key')}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
          maxLength={8192}
          required
          {...(props.name === null ? {} : { 'data-autofocus': true })}
          data-testid="key-value"
        />
        <Text size="sm" c="dimmed" mt="xs">
          {t('It will be kept in {keeper}.', { keeper: props.keeper })}
        </Text>
      </AskForm>
    </Modal>
  );
}
