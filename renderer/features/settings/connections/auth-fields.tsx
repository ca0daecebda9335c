import { NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { t } from '../../../../preload/texts/t.ts';
import { boundTo, type FormPart, secretHint } from './connection-fields.ts';

const WAYS = [
  { value: 'key', label: t('by a key') },
  { value: 'oidc', label: t('by signing in in the browser (OpenID Connect)') },
  { value: 'none', label: t('it asks nobody') },
] as const;

/** How a connection says who asks. */
export function AuthFields(props: FormPart) {
  const { fields, change, stored } = props;
  return (
    <>
      <NativeSelect
        mt="sm"
        label={t('Its servers know you')}
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
          label={t('Key')}
          description={secretHint(
            stored?.key,
            t('Kept among the secrets of this computer, and sent to the addresses above alone.'),
          )}
          {...boundTo('key', props)}
          autoComplete="off"
          maxLength={8192}
          data-testid="remote-key"
        />
      )}
      {fields.auth === 'oidc' && (
        <>
          <TextInput
            mt="sm"
            label={t('Issuer')}
            description={t('The address of the identity provider.')}
            placeholder="https://login.example.com"
            {...boundTo('issuer', props)}
            required
            data-testid="remote-issuer"
          />
          <TextInput
            mt="sm"
            label={t('Client')}
            description={t(
              'The id of a public client (native application) whose redirect is http://127.0.0.1/callback.',
            )}
            {...boundTo('clientId', props)}
            required
            data-testid="remote-client"
          />
          <TextInput
            mt="sm"
            label={t('Scopes')}
            description={t('offline_access lets the sign-in be renewed without asking.')}
            {...boundTo('scope', props)}
            data-testid="remote-scope"
          />
          <TextInput
            mt="sm"
            label={t('Resource')}
            description={t('The API that the token is for, where the provider asks for it.')}
            {...boundTo('resource', props)}
          />
        </>
      )}
    </>
  );
}
