import { ActionIcon, Tooltip } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowForwardUp,
  IconArrowRightCircle,
  IconArrowsSplit2,
  IconArrowUp,
  IconBoxMultiple,
  IconGitBranch,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { ACTIONS, type Chosen, type GraphAction, lackOf } from './graph-actions.ts';

/** The other actions stand in the menu and have keys. */
const ICONS: Readonly<Partial<Record<GraphAction, ReactNode>>> = {
  add: <IconPlus size={16} />,
  connect: <IconArrowRightCircle size={16} />,
  condition: <IconGitBranch size={16} />,
  retarget: <IconArrowsSplit2 size={16} />,
  rename: <IconPencil size={16} />,
  earlier: <IconArrowUp size={16} />,
  later: <IconArrowDown size={16} />,
  wrap: <IconBoxMultiple size={16} />,
  delete: <IconTrash size={16} />,
  undo: <IconArrowBackUp size={16} />,
  redo: <IconArrowForwardUp size={16} />,
};

/** The changes of the drawing as buttons; what a button lacks is its tooltip. */
export function GraphToolbar(props: {
  readonly chosen: Chosen;
  /** Why nothing can be changed; null when it can. */
  readonly fault: string | null;
  readonly onAction: (action: GraphAction) => void;
}) {
  return (
    <div className="sw-graph-tools" role="toolbar" aria-label={t('Edit the graph')}>
      {ACTIONS.filter(({ action }) => ICONS[action] !== undefined).map(
        ({ action, label, keys }) => {
          const lack =
            action === 'undo' || action === 'redo'
              ? undefined
              : (props.fault ?? lackOf(action, props.chosen));
          return (
            <Tooltip key={action} label={lack ?? `${label} (${keys})`} multiline maw={280}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={label}
                aria-disabled={lack !== undefined}
                data-testid={`graph-${action}`}
                onClick={() => props.onAction(action)}
              >
                {ICONS[action]}
              </ActionIcon>
            </Tooltip>
          );
        },
      )}
    </div>
  );
}
