import { Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { t } from '../../preload/texts/t.ts';

/** How long it says that it was copied. */
const SHOWN_MS = 1000;

/** An identifier that one click copies; `shown` shortens what is visible. */
export function CopyCode(props: {
  readonly value: string;
  readonly shown?: string;
  readonly label?: string;
  /** Inside a row that has keys of its own: no tab stop, and the browser's own hover. */
  readonly inRow?: boolean;
}) {
  const { value, shown = value, label = t('Copy'), inRow = false } = props;
  const { copied, copy } = useClipboard({ timeout: SHOWN_MS });
  const button = (
    <button
      type="button"
      className="sw-copy"
      tabIndex={inRow ? -1 : undefined}
      title={inRow ? label : undefined}
      onClick={(event) => {
        event.stopPropagation();
        copy(value);
      }}
      aria-label={`${shown}, ${label}`}
    >
      <span>{shown}</span>
      {copied ? <IconCheck size={12} aria-hidden /> : <IconCopy size={12} aria-hidden />}
    </button>
  );
  return inRow ? button : <Tooltip label={copied ? t('Copied') : label}>{button}</Tooltip>;
}
