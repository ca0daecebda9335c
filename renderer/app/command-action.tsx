import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { runCommand } from './commands.ts';

/** An icon that runs a command; its label is the tooltip and the accessible name. */
export function CommandAction(props: {
  readonly command: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly testId?: string;
}) {
  return (
    <Tooltip label={props.label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={props.label}
        data-testid={props.testId}
        onClick={() => runCommand(props.command)}
      >
        {props.icon}
      </ActionIcon>
    </Tooltip>
  );
}
