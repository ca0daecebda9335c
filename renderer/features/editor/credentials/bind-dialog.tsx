import { Modal, NativeSelect, PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import {
  Credential,
  type CredentialField,
  type CredentialKind,
  credentialFieldsOf,
  credentialText,
} from '../../../../server/contract/credentials.ts';
import { putModelKey } from '../../../../server/contract/gateway/model-keys.ts';
import type { CredentialNeed } from '../../../../server/spec/reports/credential-needs.ts';
import { call } from '../../../data/api-client.ts';
import { useAction } from '../../../data/use-action.ts';
import { AskForm } from '../../../ui/ask-form.tsx';
import { notifyDone } from '../../../ui/notify.tsx';
import { KIND_WORDS, labelOf, titleOfNeed, wrongWords } from './credential-words.ts';

type Typed = Readonly<Record<string, string>>;

function credentialOf(kind: CredentialKind, typed: Typed) {
  const filled = Object.entries(typed).filter(([, text]) => text !== '');
  return Credential.safeParse({ kind, ...Object.fromEntries(filled) });
}

/** Asks for a credential of one of the kinds that it may be. What is typed is gone when the dialog closes. */
export function BindDialog(props: {
  readonly need: CredentialNeed;
  /** Where it will be, in words. */
  readonly keeper: string;
  readonly onClose: () => void;
  readonly onStored: () => void;
}) {
  const { need } = props;
  const [kind, setKind] = useState<CredentialKind>(need.kinds[0] ?? 'header');
  const [typed, setTyped] = useState<Typed>({});
  const read = credentialOf(kind, typed);
  const wrong = new Set((read.error?.issues ?? []).map(({ path }) => path[0]));
  const storing = useAction(async () => {
    const credential = Credential.parse(read.data);
    try {
      await call(putModelKey, {
        params: { name: need.secret },
        body: { key: credentialText(credential) },
      });
    } finally {
      props.onStored();
    }
    notifyDone(
      t('{titleOfNeed} is bound; the next run uses it', { titleOfNeed: titleOfNeed(need) }),
    );
    props.onClose();
  });
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('Bind {titleOfNeed}', { titleOfNeed: titleOfNeed(need) })}
    >
      <AskForm
        action={storing}
        failure={t('The credential was not stored')}
        label={t('Bind')}
        ready={read.success}
        onCancel={props.onClose}
        testId="credential"
      >
        {need.kinds.length > 1 && (
          <NativeSelect
            label={t('Kind')}
            data={need.kinds.map((value) => ({ value, label: KIND_WORDS[value] }))}
            value={kind}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setKind(need.kinds.find((known) => known === value) ?? kind);
            }}
            data-testid="credential-kind"
            mb="sm"
          />
        )}
        {credentialFieldsOf(kind).map((field, at) => (
          <Field
            key={`${kind} ${field.name}`}
            field={field}
            isFirst={at === 0}
            text={typed[field.name] ?? ''}
            isWrong={wrong.has(field.name)}
            onType={(text) => setTyped((now) => ({ ...now, [field.name]: text }))}
          />
        ))}
        <Text size="sm" c="dimmed" mt="xs">
          {t('It will be kept in {keeper} and never shown again.', { keeper: props.keeper })}
        </Text>
      </AskForm>
    </Modal>
  );
}

function Field(props: {
  readonly field: CredentialField;
  readonly isFirst: boolean;
  readonly text: string;
  readonly isWrong: boolean;
  readonly onType: (text: string) => void;
}) {
  const { field, text, onType } = props;
  const shared = {
    label: labelOf(field),
    value: text,
    required: !field.optional,
    error: props.isWrong && text !== '' ? wrongWords(field) : undefined,
    'data-testid': `credential-${field.name}`,
    mb: 'sm',
    ...(props.isFirst ? { 'data-autofocus': true } : {}),
  };
  if (field.choices !== undefined) {
    return (
      <NativeSelect
        {...shared}
        value={text === '' ? field.choices[0] : text}
        data={[...field.choices]}
        onChange={(event) => onType(event.currentTarget.value)}
      />
    );
  }
  const Input = field.secret ? PasswordInput : TextInput;
  return (
    <Input
      {...shared}
      autoComplete="off"
      maxLength={4096}
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}
