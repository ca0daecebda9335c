import { t, translated } from '../../preload/texts/t.ts';
import './keys-dialog.css';
import { modals } from '@mantine/modals';
import { COMMANDS } from '../../preload/commands.ts';
import { isMac } from './keyboard.ts';
import { shortcutText } from './shortcut.ts';

interface KeyGroup {
  readonly title: string;
  readonly keys: readonly (readonly [keys: readonly string[], does: string])[];
}

/** Keys that belong to a place and are no commands. */
const PLACE_KEYS: readonly KeyGroup[] = [
  {
    title: t('Lists and tables'),
    keys: [
      [['j', '↓'], 'Next row'],
      [['k', '↑'], 'Row before'],
      [['↵'], 'Open the row'],
      [['x', 'Space'], 'Select the row (runs)'],
      [['/'], 'Go to the search (runs, tasks)'],
    ],
  },
  {
    title: t('Tasks'),
    keys: [
      [['j'], 'Next task'],
      [['k'], 'Task before'],
      [['a'], 'Approve'],
      [['r'], 'Reject'],
      [['e'], 'Send the edited text'],
      [['s'], 'Choose the option'],
      [['p'], 'Send the text'],
      [['u'], 'Undo the decision'],
    ],
  },
  {
    title: t('Gaps'),
    keys: [
      [['j'], 'Next gap'],
      [['k'], 'Gap before'],
      [['n'], 'Next open gap'],
      [['p'], 'Open gap before'],
      [['f'], 'Fix'],
      [['a'], 'Acknowledge'],
      [['t'], 'Attest'],
      [['r'], 'Retract'],
      [['z'], 'Undo'],
      [['e'], 'Open in the editor'],
      [['o'], 'Fold or unfold'],
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
  { title: t('Everywhere'), keys: [[['?'], 'These keys']] },
];

function commandKeys(): KeyGroup[] {
  const withKeys = COMMANDS.flatMap(({ group, shortcut, title }) =>
    shortcut === undefined ? [] : [{ group, title, keys: shortcutText(shortcut, isMac) }],
  );
  return [...Map.groupBy(withKeys, ({ group }) => group)].map(([group, commands]) => ({
    title: translated(group),
    keys: commands.map((command) => [[command.keys], translated(command.title)] as const),
  }));
}

function Keys() {
  return (
    <div className="sw-shortcuts" data-testid="keys">
      {[...PLACE_KEYS, ...commandKeys()].map(({ title, keys }) => (
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
      ))}
    </div>
  );
}

const DIALOG = 'keys';

/** Shows every key of the window; a second call leaves the first one open. */
export function showKeys(): void {
  modals.close(DIALOG);
  modals.open({ modalId: DIALOG, title: t('Keyboard shortcuts'), size: 'xl', children: <Keys /> });
}
