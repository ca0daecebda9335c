import { Button, Group, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { pickFiles } from '../../../desktop/browser-files.ts';
import { notifyError } from '../../../ui/notify.tsx';
import { boundTo, type FormPart, secretHint } from './connection-fields.ts';

const PROXIES = [
  { value: 'system', label: t('that of the system’s network settings') },
  { value: 'none', label: t('none') },
  { value: 'manual', label: t('this one') },
] as const;

/** How a connection gets to its servers: proxy, authorities, client certificate. */
export function NetworkFields(props: FormPart) {
  const { fields, change } = props;
  const given = [fields.authorities, fields.certificate].some((text) => text !== '');
  const [open, setOpen] = useState(given || fields.proxy !== 'system');
  return (
    <>
      <Button
        mt="sm"
        size="compact-sm"
        variant="subtle"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        data-testid="remote-network"
      >
        {open ? t('Hide proxy and certificates') : t('Proxy and certificates…')}
      </Button>
      {open && (
        <>
          <Pem
            label={t('Authority (CA)')}
            description={t(
              'PEM. Vouches for these servers beside the authorities that the system knows.',
            )}
            value={fields.authorities}
            onText={(authorities) => change({ authorities })}
            testId="remote-authorities"
          />
          <Pem
            label={t('Client certificate')}
            description={t('PEM, where the servers want one.')}
            value={fields.certificate}
            onText={(certificate) => change({ certificate })}
            testId="remote-certificate"
          />
          {fields.certificate.trim() !== '' && (
            <Pem
              label={t('Private key of the client certificate')}
              description={secretHint(
                props.stored?.client_key,
                t('PEM without a passphrase. Kept among the secrets of this computer.'),
              )}
              value={fields.certificateKey}
              onText={(certificateKey) => change({ certificateKey })}
              testId="remote-certificate-key"
            />
          )}
          <ProxyFields {...props} />
        </>
      )}
    </>
  );
}

function ProxyFields(props: FormPart) {
  const { fields, change, stored } = props;
  return (
    <>
      <NativeSelect
        mt="sm"
        label={t('Proxy')}
        data={[...PROXIES]}
        value={fields.proxy}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          change({ proxy: PROXIES.find(({ value }) => value === chosen)?.value ?? 'system' });
        }}
        data-testid="remote-proxy"
      />
      {fields.proxy === 'manual' && (
        <>
          <TextInput
            mt="sm"
            label={t('Address of the proxy')}
            placeholder="http://proxy.example.com:3128"
            {...boundTo('proxyUrl', props)}
            required
            data-testid="remote-proxy-url"
          />
          <TextInput mt="sm" label={t('User name')} {...boundTo('proxyUser', props)} />
          <PasswordInput
            mt="sm"
            label={t('Password')}
            description={secretHint(
              stored?.proxy_password,
              t('Kept among the secrets of this computer.'),
            )}
            {...boundTo('proxyPassword', props)}
            autoComplete="off"
          />
        </>
      )}
    </>
  );
}

/** PEM text, typed or out of a file. */
function Pem(props: {
  readonly label: string;
  readonly description: string;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly testId: string;
}) {
  const choose = async (): Promise<void> => {
    const [file] = await pickFiles({ accept: '.pem,.crt,.cer,.key' });
    if (file !== undefined) {
      props.onText(await file.text());
    }
  };
  return (
    <>
      <Textarea
        mt="sm"
        className="sw-connection-pem"
        label={props.label}
        description={props.description}
        placeholder="-----BEGIN …"
        value={props.value}
        onChange={(event) => props.onText(event.currentTarget.value)}
        minRows={3}
        maxRows={6}
        autosize
        spellCheck={false}
        data-testid={props.testId}
      />
      <Group justify="flex-end" mt={4}>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            choose().catch((error: unknown) => notifyError(t('The file was not read'), error));
          }}
        >
          {t('From a file…')}
        </Button>
      </Group>
    </>
  );
}
