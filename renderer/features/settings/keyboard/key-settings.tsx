import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { COMMANDS, type Command } from '../../../../preload/commands.ts';
import { t, translated } from '../../../../preload/texts/t.ts';
import { isMac } from '../../../app/is-mac.ts';
import { refusalOf, shortcutOfStroke, shortcutText } from '../../../app/shortcut.ts';
import {
  type ChangedShortcuts,
  holdersOf,
  shortcutsOf,
  useChangedShortcuts,
  withShortcut,
  withUsual,
} from '../../../app/shortcuts.ts';
import { desktopApi } from '../../../desktop/bridge.ts';
import { keepPreferences } from '../../../ui/keep-preferences.ts';
import { notifyUndo } from '../../../ui/notify.tsx';
import { KeyRow, KeyTable } from './key-table.tsx';
import { type Recording, RecordKeys } from './record-keys.tsx';
import { SingleKeySettings } from './single-key-settings.tsx';

/** Where a command works, for those that do not work everywhere. */
const PLACES: Readonly<Record<string, string>> = {
  editor: t('in the editor'),
  compose: t('in a composition'),
  artifact: t('at an artifact'),
  run: t('at a run'),
  graph: t('at a graph'),
};

function keep(shortcuts: ChangedShortcuts): void {
  keepPreferences({ shortcuts });
}

/** The commands of this form of the program whose words or keys hold what was typed. */
function found(text: string, changed: ChangedShortcuts): readonly Command[] {
  const absent = desktopApi() === undefined ? 'desktop' : 'browser';
  const words = text.toLowerCase().split(/\s+/);
  return COMMANDS.filter((command) => {
    const keys = shortcutsOf(command, changed).map((one) => shortcutText(one, isMac));
    const all = [translated(command.title), translated(command.group), ...keys]
      .join(' ')
      .toLowerCase();
    return command.when !== absent && words.every((word) => all.includes(word));
  });
}

/** Every command and everything that single keys do, with the keys, which can be changed. */
export function KeySettings() {
  const changed = useChangedShortcuts();
  const [text, setText] = useState('');
  const [recording, setRecording] = useState<Command | null>(null);
  const rows = found(text, changed);
  const anyChanged = Object.keys(changed).length > 0;
  return (
    <>
      <div className="sw-key-tools">
        <TextInput
          aria-label={t('Find a command or its keys')}
          placeholder={t('Find a command or its keys')}
          leftSection={<IconSearch size={15} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-testid="key-search"
        />
        <Button
          variant="default"
          disabled={!anyChanged}
          onClick={() => {
            keep({});
            notifyUndo(t('All commands have their usual keys'), () => keep(changed));
          }}
          data-testid="keys-reset-all"
        >
          {t('Reset all')}
        </Button>
        <span className="sw-faint" role="status">
          {t('{shown} of {total} commands', {
            shown: rows.length,
            total: found('', changed).length,
          })}
        </span>
      </div>
      <KeyTable what={t('Command')} keys={t('Keys')}>
        {rows.map((command) => (
          <CommandRow
            key={command.id}
            command={command}
            changed={changed}
            onRecord={() => setRecording(command)}
          />
        ))}
      </KeyTable>
      {rows.length === 0 && <p className="sw-faint">{t('No command has these words or keys.')}</p>}
      <SingleKeySettings />
      {recording !== null && (
        <RecordKeys
          recording={recordingOf(recording, changed)}
          onClose={() => setRecording(null)}
          onKeep={(keys) => {
            keep(withShortcut(recording.id, keys, changed));
            setRecording(null);
          }}
        />
      )}
    </>
  );
}

function recordingOf(command: Command, changed: ChangedShortcuts): Recording {
  return {
    title: translated(command.title),
    read: (stroke) => shortcutOfStroke(stroke, isMac),
    refusal: refusalOf,
    holders: (keys) => holdersOf(keys, command.id, changed).map(({ title }) => translated(title)),
  };
}

function CommandRow(props: {
  readonly command: Command;
  readonly changed: ChangedShortcuts;
  readonly onRecord: () => void;
}) {
  const { command, changed } = props;
  const place = PLACES[command.when ?? ''];
  const group = translated(command.group);
  return (
    <KeyRow
      testId={`keys-${command.id}`}
      title={translated(command.title)}
      where={place === undefined ? group : t('{group}, {place}', { group, place })}
      keys={shortcutsOf(command, changed).map((one) => shortcutText(one, isMac))}
      isChanged={Object.hasOwn(changed, command.id)}
      onReset={() => keep(withUsual(command.id, changed))}
      onRecord={props.onRecord}
    />
  );
}
