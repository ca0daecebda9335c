import { Button, Menu } from '@mantine/core';
import { IconColumns } from '@tabler/icons-react';
import { t } from '../../../preload/texts/t.ts';
import { chooseColumns, chosenColumns, switchColumn, useColumnChoice } from './column-choice.ts';
import { COLUMNS } from './run-columns.tsx';
import { useTableRoom } from './use-table-room.ts';

/** Chooses the columns of the run list; the choice stays. */
export function ColumnMenu() {
  const choice = useColumnChoice();
  const room = useTableRoom();
  const shown = chosenColumns(COLUMNS, choice, room).map(({ id }) => id);
  return (
    <Menu position="bottom-end" width={200} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="subtle"
          color="gray"
          leftSection={<IconColumns size={14} aria-hidden />}
          data-testid="choose-columns"
        >
          {t('Columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {COLUMNS.filter(({ fixed }) => fixed !== true).map(({ id, header }) => (
          <Menu.CheckboxItem
            key={id}
            checked={shown.includes(id)}
            onChange={() => chooseColumns(switchColumn(COLUMNS, shown, id))}
          >
            {header}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.Item disabled={choice === null} onClick={() => chooseColumns(null)}>
          {t('The usual columns')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
