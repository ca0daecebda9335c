import { Checkbox, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import {
  deleteWebhook,
  getDeadLetters,
  getWebhooks,
  postWebhook,
  putWebhook,
  rotateWebhook,
} from '../../../server/contract/dashboard/webhooks.ts';
import type { EventType, Webhook } from '../../../server/contract/platform/webhooks.ts';
import { call } from '../../data/api-client.ts';
import { useAction } from '../../data/use-action.ts';
import { AskForm } from '../../ui/ask-form.tsx';
import { CopyCode } from '../../ui/copy-code.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { readAgain } from './save-setting.tsx';
import { addressProblem, EVENTS, NEW_WEBHOOK, receiverName, webhookOf } from './webhooks-model.ts';

interface Dialog {
  readonly onClose: () => void;
}

/** Adds a receiver, or changes one; a new one's secret is handed on to be shown. */
export function EditWebhook(
  props: Dialog & {
    readonly webhook: Webhook | undefined;
    readonly onSecret: (secret: string) => void;
  },
) {
  const { webhook, onClose, onSecret } = props;
  const [draft, setDraft] = useState(webhook ?? NEW_WEBHOOK);
  const [isLeft, setLeft] = useState(false);
  const body = webhookOf(draft, webhook?.enabled ?? true);
  const saving = useAction(async () => {
    if (body === undefined) return;
    try {
      if (webhook === undefined) {
        const { secret } = await call(postWebhook, { body });
        onClose();
        onSecret(secret);
      } else {
        await call(putWebhook, { params: { webhook_id: webhook.id }, body });
        onClose();
        notifyDone(t('The receiver is saved'));
      }
    } finally {
      await readAgain(getWebhooks);
    }
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={webhook === undefined ? t('Add a receiver') : t('Change the receiver')}
    >
      <AskForm
        action={saving}
        failure={t('It was not saved')}
        label={t('Save')}
        ready={body !== undefined}
        onCancel={onClose}
        testId="webhook"
      >
        <TextInput
          label={t('Address')}
          description={t(
            'Where a request is sent for each event, such as https://example.com/hook',
          )}
          error={isLeft ? addressProblem(draft.url) : undefined}
          onBlur={() => setLeft(true)}
          value={draft.url}
          maxLength={2048}
          onChange={(event) => setDraft({ ...draft, url: event.currentTarget.value })}
          data-autofocus
          data-testid="webhook-url"
        />
        <TextInput
          mt="sm"
          label={t('Description')}
          value={draft.description}
          maxLength={200}
          onChange={(event) => setDraft({ ...draft, description: event.currentTarget.value })}
          data-testid="webhook-description"
        />
        <Events chosen={draft.events} onChange={(events) => setDraft({ ...draft, events })} />
      </AskForm>
    </Modal>
  );
}

function Events(props: {
  readonly chosen: readonly EventType[];
  readonly onChange: (events: readonly EventType[]) => void;
}) {
  const { chosen, onChange } = props;
  return (
    <Checkbox.Group
      mt="sm"
      label={t('It is told when')}
      value={[...chosen]}
      onChange={(names) =>
        onChange(EVENTS.map(({ type }) => type).filter((type) => names.includes(type)))
      }
    >
      {EVENTS.map(({ type, text }) => (
        <Checkbox key={type} mt="xs" value={type} label={text} data-testid={`webhook-${type}`} />
      ))}
    </Checkbox.Group>
  );
}

/** Gives a receiver a new secret, after what that means was read. */
export function RotateSecret(
  props: Dialog & { readonly webhook: Webhook; readonly onSecret: (secret: string) => void },
) {
  const { webhook, onClose, onSecret } = props;
  const rotating = useAction(async () => {
    try {
      const { secret } = await call(rotateWebhook, { params: { webhook_id: webhook.id } });
      onClose();
      onSecret(secret);
    } finally {
      await readAgain(getWebhooks);
    }
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('A new secret for {name}?', { name: receiverName(webhook) })}
    >
      <AskForm
        action={rotating}
        failure={t('It has no new secret')}
        label={t('Give a new secret')}
        ready
        onCancel={onClose}
        testId="webhook-rotate"
      >
        <p className="sw-dialog-text">
          {t(
            'Requests are signed with both secrets for a day, and then with the new one alone. Until then the receiver has to know it.',
          )}
        </p>
      </AskForm>
    </Modal>
  );
}

/** Removes a receiver, after what goes with it was read. */
export function RemoveWebhook(props: Dialog & { readonly webhook: Webhook }) {
  const { webhook, onClose } = props;
  const dropped = webhook.waiting + webhook.dead;
  const removing = useAction(async () => {
    try {
      await call(deleteWebhook, { params: { webhook_id: webhook.id } });
      onClose();
      notifyDone(t('{name} is told nothing more', { name: receiverName(webhook) }));
    } finally {
      await readAgain(getWebhooks, getDeadLetters);
    }
  });
  return (
    <Modal opened onClose={onClose} title={t('Remove {name}?', { name: receiverName(webhook) })}>
      <AskForm
        action={removing}
        failure={t('It was not removed')}
        label={t('Remove')}
        ready
        onCancel={onClose}
        testId="webhook-remove"
      >
        <p className="sw-dialog-text">
          {t(
            'It is told nothing more, and its secret is forgotten. To stop it for a while, pause it.',
          )}
        </p>
        {dropped > 0 && (
          <p>
            {t(
              '{count, plural, one {# event that waits or was given up is} other {# events that wait or were given up are}} dropped.',
              { count: dropped },
            )}
          </p>
        )}
      </AskForm>
    </Modal>
  );
}

/** Shows a secret the one time that there is to see it. */
export function ShowSecret(props: Dialog & { readonly secret: string }) {
  return (
    <Modal
      opened
      closeOnClickOutside={false}
      onClose={props.onClose}
      title={t('The secret of the receiver')}
    >
      <p className="sw-dialog-text">
        {t(
          'Store it in the receiver now: nothing shows it again. The receiver proves with it that a request comes from this platform (Standard Webhooks).',
        )}
      </p>
      <p className="sw-webhook-secret" data-testid="webhook-secret">
        <CopyCode value={props.secret} label={t('Copy the secret')} />
      </p>
    </Modal>
  );
}
