import { NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import type { ConnectionView } from '../../../../server/contract/gateway/connections.ts';
import type { Change, ConnectionFields } from './connection-fields.ts';

const WAYS = [
  { value: 'key', label: 'by a key' },
  { value: 'oidc', label: 'by signing in in the browser (OpenID Connect)' },
  { value: 'none', label: 'it asks nobody' },
] as const;

/** How a connection says who asks. */
export function AuthFields(props: {
  readonly fields: ConnectionFields;
  readonly change: Change;
  readonly stored: ConnectionView['stored'] | undefined;
}) {
  const { fields, change, stored } = props;
  return (
    <>
      <NativeSelect
        mt="sm"
        label="Its servers know you"
        data={[...WAYS]}
        value={fields.auth}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          change({ auth: WAYS.find(({ value }) => value === chosen)?.value ?? 'key' });
        }}
        data-testid="remote-auth"
      />
      {fields.auth === 'key' && (
        <PasswordInput
          mt="sm"
          label="Key"
          description={
            stored?.key === true
              ? 'One is stored. Leave this empty to keep it.'
              : 'Kept among the secrets of this computer, and sent to the addresses above alone.'
          }
          value={fields.key}
          onChange={(event) => change({ key: event.currentTarget.value })}
          autoComplete="off"
          maxLength={8192}
          data-testid="remote-key"
        />
      )}
      {fields.auth === 'oidc' && (
        <>
          <TextInput
            mt="sm"
            label="Issuer"
            description="The address of the identity provider."
            placeholder="https://login.example.com"
            value={fields.issuer}
            onChange={(event) => change({ issuer: event.currentTarget.value })}
            required
            data-testid="remote-issuer"
          />
          <TextInput
            mt="sm"
            label="Client"
            description="The id of a public client (native application) whose redirect is http://127.0.0.1/callback."
            value={fields.clientId}
            onChange={(event) => change({ clientId: event.currentTarget.value })}
            required
            data-testid="remote-client"
          />
          <TextInput
            mt="sm"
            label="Scopes"
            description="offline_access lets the sign-in be renewed without asking."
            value={fields.scope}
            onChange={(event) => change({ scope: event.currentTarget.value })}
            data-testid="remote-scope"
          />
          <TextInput
            mt="sm"
            label="Resource"
            description="The API that the token is for, where the provider asks for it."
            value={fields.resource}
            onChange={(event) => change({ resource: event.currentTarget.value })}
          />
        </>
      )}
    </>
  );
}
