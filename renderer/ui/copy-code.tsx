import { CopyButton, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** An identifier that one click copies; `shown` shortens what is visible. */
export function CopyCode(props: {
  readonly value: string;
  readonly shown?: string;
  readonly label?: string;
  /** Inside a row that has keys of its own: no tab stop. */
  readonly inRow?: boolean;
}) {
  return (
    <CopyButton value={props.value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : (props.label ?? 'Copy')}>
          <button
            type="button"
            className="sw-copy"
            tabIndex={props.inRow === true ? -1 : undefined}
            onClick={(event) => {
              event.stopPropagation();
              copy();
            }}
            aria-label={`${props.shown ?? props.value}, ${props.label ?? 'Copy'}`}
          >
            <span>{props.shown ?? props.value}</span>
            {copied ? <IconCheck size={12} aria-hidden /> : <IconCopy size={12} aria-hidden />}
          </button>
        </Tooltip>
      )}
    </CopyButton>
  );
}
