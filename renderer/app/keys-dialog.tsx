import { t, translated } from '../../preload/texts/t.ts';
import './keys-dialog.css';
import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { COMMANDS } from '../../preload/commands.ts';
import { isMac } from './is-mac.ts';
import { navigateTo } from './navigation.ts';
import { paths } from './paths.ts';
import { shortcutText } from './shortcut.ts';
import { type ChangedShortcuts, shortcutsOf, useChangedShortcuts } from './shortcuts.ts';
import {
  type ChangedSingleKeys,
  type KeyPlace,
  SINGLE_KEYS,
  singleKeyOf,
  useChangedSingleKeys,
} from './single-keys.ts';
import { useSingleKeysOn } from './use-single-keys.ts';

interface KeyGroup {
  readonly title: string;
  readonly keys: readonly (readonly [keys: readonly string[], does: string])[];
}

/** Keys that belong to a part with the focus and are no commands. */
const PLACE_KEYS: readonly KeyGroup[] = [
  {
    title: t('Lists and tables'),
    keys: [
      [['j', '↓'], 'Next row'],
      [['k', '↑'], 'Row before'],
      [['↵'], 'Open the row'],
      [['x', 'Space'], 'Select the row (runs)'],
    ],
  },
  {
    title: t('Graph of a draft'),
    keys: [
      [['↵'], 'Inspect the step or edge'],
      [['Shift+↵'], 'Open the step in the text'],
      [['Insert'], 'Add a step behind it, or on the edge'],
      [['Alt+↵'], 'Connect the step; lead the edge elsewhere'],
      [['F2'], 'Rename the step; condition of the edge'],
      [['Alt+↑', 'Alt+↓'], 'Move the step earlier or later'],
      [['Space'], 'Choose one more step'],
      [['Ctrl+G'], 'Wrap what is chosen into a workflow'],
      [['Del'], 'Delete the step or edge'],
      [['Ctrl+Z', 'Ctrl+Shift+Z'], 'Undo, redo'],
    ],
  },
  {
    title: t('Inspector'),
    keys: [
      [['Esc'], 'Back to the graph'],
      [['Alt+↵'], 'Open the field in the text'],
      [['Ctrl+Space'], 'List the variables of a prompt'],
    ],
  },
];

const PLACES: readonly (readonly [KeyPlace, string])[] = [
  ['anywhere', t('Everywhere')],
  ['tasks', t('Tasks')],
  ['gaps', t('Gaps')],
];

/** Keys that act without Ctrl or Alt wherever the focus is. */
function singleKeys(changed: ChangedSingleKeys): KeyGroup[] {
  return PLACES.map(([place, title]) => ({
    title,
    keys: SINGLE_KEYS.filter((action) => action.place === place).flatMap(({ id, title: does }) => {
      const key = singleKeyOf(id, changed);
      return key === null ? [] : [[[key], does] as const];
    }),
  })).filter(({ keys }) => keys.length > 0);
}

function commandKeys(changed: ChangedShortcuts): KeyGroup[] {
  const withKeys = COMMANDS.map((command) => ({
    group: command.group,
    title: command.title,
    keys: shortcutsOf(command, changed).map((keys) => shortcutText(keys, isMac)),
  })).filter(({ keys }) => keys.length > 0);
  return [...Map.groupBy(withKeys, ({ group }) => group)].map(([group, commands]) => ({
    title: translated(group),
    keys: commands.map((command) => [command.keys, translated(command.title)] as const),
  }));
}

/** Goes to where keys are changed. */
function changeKeys(): void {
  modals.close(DIALOG);
  navigateTo(paths.settings('keyboard'));
}

function Keys() {
  const changed = useChangedShortcuts();
  const single = useSingleKeysOn();
  const ofPlaces = singleKeys(useChangedSingleKeys());
  return (
    <>
      <p className="sw-shortcuts-how">
        {!single && t('Single keys are switched off.')}{' '}
        <Button size="compact-sm" variant="default" onClick={changeKeys} data-testid="change-keys">
          {t('Change keys')}
        </Button>
      </p>
      <div className="sw-shortcuts" data-testid="keys">
        {[...(single ? ofPlaces : []), ...PLACE_KEYS, ...commandKeys(changed)].map(
          ({ title, keys }) => (
            <section key={title}>
              <h3 className="sw-section-title">{title}</h3>
              <dl>
                {keys.map(([names, does]) => (
                  <div key={does}>
                    <dt>
                      {names.map((name) => (
                        <kbd key={name} className="sw-kbd">
                          {name}
                        </kbd>
                      ))}
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ),
        )}
      </div>
    </>
  );
}

const DIALOG = 'keys';

/** Shows every key of the window; a second call leaves the first one open. */
export function showKeys(): void {
  modals.close(DIALOG);
  modals.open({ modalId: DIALOG, title: t('Keyboard shortcuts'), size: 'xl', children: <Keys /> });
}
