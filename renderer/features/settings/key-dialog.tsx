import { Button, Group, Modal, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { putModelKey } from '../../../server/contract/gateway/model-keys.ts';
import { call } from '../../data/api-client.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';

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
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const submit = (): void => {
    setBusy(true);
    call(putModelKey, { params: { name: name.trim() }, body: { key } })
      .then(() => {
        notifyDone('The key is stored; the next run uses it');
        props.onClose();
      })
      .catch(setError)
      .finally(() => {
        setBusy(false);
        props.onStored();
      });
  };
  return (
    <Modal opened onClose={props.onClose} title={props.title}>
      <form
        data-testid="key-dialog"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {props.name === null && (
          <TextInput
            label="Name"
            description="As specs name it in api_key_ref, such as MISTRAL_API_KEY"
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
          label="Key"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          autoComplete="off"
          maxLength={8192}
          required
          {...(props.name === null ? {} : { 'data-autofocus': true })}
          data-testid="key-value"
        />
        <Text size="sm" c="dimmed" mt="xs">
          It will be kept in {props.keeper}.
        </Text>
        {error !== undefined && <ErrorState compact title="The key was not stored" error={error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={busy}
            disabled={key.trim() === '' || name.trim() === ''}
            data-testid="key-submit"
          >
            Store key
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
