import { Button, Group, Modal, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import type { Command } from '../../../../preload/commands.ts';
import { t, translated } from '../../../../preload/texts/t.ts';
import { isMac } from '../../../app/is-mac.ts';
import { TAKES_KEYS } from '../../../app/keyboard.ts';
import { refusalOf, shortcutOfStroke, shortcutText } from '../../../app/shortcut.ts';
import { type ChangedShortcuts, holdersOf } from '../../../app/shortcuts.ts';

/** Tab goes on to the buttons and Escape closes, as everywhere. */
const LEAVE = new Set(['Tab', 'Escape']);

/** What keeping the keys would mean; empty while nothing was pressed. */
function verdictOf(
  keys: string | null,
  command: Command,
  changed: ChangedShortcuts,
): { readonly refused: boolean; readonly text: string } {
  if (keys === null) {
    return { refused: true, text: '' };
  }
  const shown = shortcutText(keys, isMac);
  const refusal = refusalOf(keys, shown);
  if (refusal !== undefined) {
    return { refused: true, text: refusal };
  }
  const holders = holdersOf(keys, command.id, changed).map(({ title }) =>
    t('“{title}”', { title: translated(title) }),
  );
  return holders.length === 0
    ? { refused: false, text: t('{keys} is free.', { keys: shown }) }
    : {
        refused: false,
        text: t('{keys} is taken from {commands}.', { keys: shown, commands: holders.join(', ') }),
      };
}

/** Takes the keys that a command is to have, and says what has them now. */
export function RecordKeys(props: {
  readonly command: Command;
  readonly changed: ChangedShortcuts;
  readonly onKeep: (keys: string | null) => void;
  readonly onClose: () => void;
}) {
  const { command, changed } = props;
  const [keys, setKeys] = useState<string | null>(null);
  const verdict = verdictOf(keys, command, changed);
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
    const stroke = shortcutOfStroke(event.nativeEvent, isMac);
    if (stroke !== undefined) {
      setKeys(stroke);
    }
  };
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={t('Keys of “{title}”', { title: translated(command.title) })}
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
