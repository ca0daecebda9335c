import { Button, type ButtonProps, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../preload/texts/t.ts';

const FORMATS = {
  html: t('Page (HTML)'),
  csv: t('Spreadsheet (CSV)'),
  json: t('Data (JSON)'),
  jsonl: t('Data, a line each (JSON lines)'),
} as const;

/** A button that asks for the format of a file before it is saved. */
export function SaveMenu<Format extends keyof typeof FORMATS>(props: {
  readonly label: string;
  readonly formats: readonly Format[];
  readonly onSave: (format: Format) => void;
  readonly button?: ButtonProps;
  /** What will be saved, above the formats. */
  readonly about?: ReactNode;
  readonly testId: string;
}) {
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={
            <IconDownload size={props.button?.size === undefined ? 16 : 14} aria-hidden />
          }
          data-testid={props.testId}
          {...props.button}
        >
          {props.label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {props.about !== undefined && <Menu.Label>{props.about}</Menu.Label>}
        {props.formats.map((format) => (
          <Menu.Item key={format} onClick={() => props.onSave(format)}>
            {FORMATS[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
