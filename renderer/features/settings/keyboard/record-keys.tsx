import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { isMac } from '../../../app/is-mac.ts';
import { TAKES_KEYS } from '../../../app/keyboard.ts';
import { type KeyStroke, shortcutText } from '../../../app/shortcut.ts';

/** Tab goes on to the buttons and Escape closes, as everywhere. */
const LEAVE = new Set(['Tab', 'Escape']);

/** How keys are recorded for one thing that they are to do. */
export interface Recording {
  /** What the keys are to do. */
  readonly title: string;
  /** The keys of a stroke; undefined while only modifiers are held. */
  readonly read: (stroke: KeyStroke) => string | undefined;
  /** Why the keys, shown as `shown`, cannot be had; undefined when they can. */
  readonly refusal: (keys: string, shown: string) => string | undefined;
  /** Titles of what has the keys now. */
  readonly holders: (keys: string) => readonly string[];
}

/** What keeping the keys would mean; empty while nothing was pressed. */
function verdictOf(
  keys: string | null,
  recording: Recording,
): { readonly refused: boolean; readonly text: string } {
  if (keys === null) {
    return { refused: true, text: '' };
  }
  const shown = shortcutText(keys, isMac);
  const refusal = recording.refusal(keys, shown);
  if (refusal !== undefined) {
    return { refused: true, text: refusal };
  }
  const holders = recording.holders(keys).map((title) => t('“{title}”', { title }));
  return holders.length === 0
    ? { refused: false, text: t('{keys} is free.', { keys: shown }) }
    : {
        refused: false,
        text: t('{keys} is taken from {commands}.', { keys: shown, commands: holders.join(', ') }),
      };
}

/** Takes the keys that something is to have, and says what has them now. */
export function RecordKeys(props: {
  readonly recording: Recording;
  readonly onKeep: (keys: string | null) => void;
  readonly onClose: () => void;
}) {
  const { recording } = props;
  const [keys, setKeys] = useState<string | null>(null);
  const verdict = verdictOf(keys, recording);
  const onKeyDown = (event: KeyboardEvent): void => {
    const plain = !(event.ctrlKey || event.metaKey || event.altKey);
    if (LEAVE.has(event.key) && plain) {
      return;
    }
    if (event.key === 'Enter' && plain && !event.shiftKey) {
      if (!verdict.refused) {
        props.onKeep(keys);
      }
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const stroke = recording.read(event.nativeEvent);
    if (stroke !== undefined) {
      setKeys(stroke);
    }
  };
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('Keys of “{title}”', { title: recording.title })}
    >
      <TextInput
        {...TAKES_KEYS}
        data-autofocus
        readOnly
        label={t('Press the new keys')}
        description={t('Tab goes on to the buttons, Escape leaves everything as it is.')}
        value={keys === null ? '' : shortcutText(keys, isMac)}
        placeholder={t('Waiting for keys')}
        onKeyDown={onKeyDown}
        data-testid="record-keys"
      />
      <p className="sw-record-verdict" role="status" data-refused={verdict.refused}>
        {verdict.text}
      </p>
      <Group justify="flex-end">
        <Button variant="default" onClick={props.onClose}>
          {t('Cancel')}
        </Button>
        <Button variant="default" onClick={() => props.onKeep(null)} data-testid="keys-none">
          {t('No keys')}
        </Button>
        <Button
          disabled={verdict.refused}
          onClick={() => props.onKeep(keys)}
          data-testid="keys-keep"
        >
          {t('Use these keys')}
        </Button>
      </Group>
    </Modal>
  );
}
