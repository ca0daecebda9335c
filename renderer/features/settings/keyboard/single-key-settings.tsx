import { Button, Switch } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { isMac } from '../../../app/is-mac.ts';
import { shortcutOfStroke } from '../../../app/shortcut.ts';
import {
  type ChangedSingleKeys,
  type KeyPlace,
  SINGLE_KEYS,
  type SingleKeyAction,
  singleKeyHolders,
  singleKeyOf,
  singleKeyOfStroke,
  useChangedSingleKeys,
  withSingleKey,
} from '../../../app/single-keys.ts';
import { useSingleKeysOn } from '../../../app/use-single-keys.ts';
import { keepPreferences } from '../../../ui/keep-preferences.ts';
import { notifyUndo } from '../../../ui/notify.tsx';
import { KeyRow, KeyTable } from './key-table.tsx';
import { type Recording, RecordKeys } from './record-keys.tsx';

const PLACES: Readonly<Record<KeyPlace, string>> = {
  anywhere: t('Everywhere'),
  tasks: t('Tasks'),
  gaps: t('Gaps'),
};

function keep(changed_single_keys: ChangedSingleKeys): void {
  keepPreferences({ changed_single_keys });
}

function recordingOf(action: SingleKeyAction, changed: ChangedSingleKeys): Recording {
  return {
    title: action.title,
    read: (stroke) => singleKeyOfStroke(stroke) ?? shortcutOfStroke(stroke, isMac),
    refusal: (key, shown) =>
      [...key].length === 1
        ? undefined
        : t('{keys} is no single key: press a letter, a digit or a sign by itself.', {
            keys: shown,
          }),
    holders: (key) => singleKeyHolders(key, action.id, changed).map(({ title }) => title),
  };
}

/** The switch for single keys, and everything that they do, each with its key, which can be changed. */
export function SingleKeySettings() {
  const changed = useChangedSingleKeys();
  const on = useSingleKeysOn();
  const [recording, setRecording] = useState<SingleKeyAction | null>(null);
  return (
    <>
      <h3 className="sw-section-title">{t('Single keys')}</h3>
      <Switch
        label={t('Single keys act')}
        description={t(
          'Letters that decide tasks, settle gaps and move through lists while nothing is typed, “/” and “?”. Switch them off for speech input or a hand that rests on the keyboard: every one has a button as well.',
        )}
        checked={on}
        onChange={(event) => keepPreferences({ single_keys: event.currentTarget.checked })}
        data-testid="single-keys"
      />
      <p className="sw-faint">
        {t(
          'Each can have another letter, digit or sign. The keys inside of lists, of the graph and of the inspector stay as they are: arrows, Enter, Space, Insert and Delete mean the same in every program, and “j” and “k” beside the arrows cost nothing.',
        )}
      </p>
      <div className="sw-key-tools">
        <Button
          variant="default"
          disabled={Object.keys(changed).length === 0}
          onClick={() => {
            keep({});
            notifyUndo(t('All single keys are the usual ones'), () => keep(changed));
          }}
          data-testid="single-keys-reset"
        >
          {t('Reset all single keys')}
        </Button>
      </div>
      <KeyTable label={t('Single keys')} what={t('What it does')} keys={t('Key')}>
        {SINGLE_KEYS.map((action) => (
          <SingleKeyRow
            key={action.id}
            action={action}
            changed={changed}
            onRecord={() => setRecording(action)}
          />
        ))}
      </KeyTable>
      {recording !== null && (
        <RecordKeys
          recording={recordingOf(recording, changed)}
          onClose={() => setRecording(null)}
          onKeep={(key) => {
            keep(withSingleKey(recording.id, key, changed));
            setRecording(null);
          }}
        />
      )}
    </>
  );
}

function SingleKeyRow(props: {
  readonly action: SingleKeyAction;
  readonly changed: ChangedSingleKeys;
  readonly onRecord: () => void;
}) {
  const { action, changed } = props;
  const key = singleKeyOf(action.id, changed);
  return (
    <KeyRow
      testId={`single-key-${action.id}`}
      title={action.title}
      where={PLACES[action.place]}
      keys={key === null ? [] : [key]}
      isChanged={Object.hasOwn(changed, action.id)}
      onReset={() => keep(withSingleKey(action.id, action.usual, changed))}
      onRecord={props.onRecord}
    />
  );
}
