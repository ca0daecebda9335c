import { t } from '../../../preload/texts/t.ts';
import './saved-filters.css';
import { Button, Group, NativeSelect, Popover } from '@mantine/core';
import { IconCalendarTime, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { clockText } from '../../ui/clock-text.ts';
import { type RunFilter, SINCE_OPTIONS } from './run-filter-model.ts';

interface TimeFilterProps {
  readonly filter: RunFilter;
  readonly onChange: (filter: RunFilter) => void;
  /** Why the platform cannot filter by time. */
  readonly hindrance: string | undefined;
}

/** When runs were created: a span up to now, or between two times. */
export function RunTimeFilter(props: TimeFilterProps) {
  const { filter, onChange, hindrance } = props;
  const isRange = filter.from !== undefined || filter.until !== undefined;
  return (
    <>
      {!isRange && (
        <span title={hindrance}>
          <NativeSelect
            size="xs"
            aria-label={t('Created')}
            data={SINCE_OPTIONS}
            value={filter.since ?? ''}
            disabled={hindrance !== undefined && filter.since === undefined}
            onChange={(event) =>
              onChange({ ...filter, since: event.currentTarget.value || undefined })
            }
          />
        </span>
      )}
      <Bound
        label={t('after')}
        at={filter.from}
        onClear={() => onChange({ ...filter, from: undefined })}
      />
      <Bound
        label={t('before')}
        at={filter.until}
        onClear={() => onChange({ ...filter, until: undefined })}
      />
      <Between {...props} />
    </>
  );
}

function Bound(props: {
  readonly label: string;
  readonly at: string | undefined;
  readonly onClear: () => void;
}) {
  return props.at === undefined ? null : (
    <Button
      size="compact-xs"
      variant="light"
      rightSection={<IconX size={12} aria-hidden />}
      onClick={props.onClear}
    >
      {props.label} {clockText(props.at)}
    </Button>
  );
}

/** A field's own writing of an instant: the local minute. */
function fieldText(at: string | undefined): string {
  if (at === undefined) {
    return '';
  }
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function instantOf(text: string): string | undefined {
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

const FIELDS = [
  { name: 'from', label: t('From') },
  { name: 'until', label: t('Until') },
] as const;

function Between(props: TimeFilterProps) {
  const { filter, onChange, hindrance } = props;
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus position="bottom-start" withArrow>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconCalendarTime size={14} aria-hidden />}
          disabled={hindrance !== undefined}
          title={hindrance}
          onClick={() => setOpened(!opened)}
          data-testid="range"
        >
          {t('Between')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form
          className="sw-run-range"
          onSubmit={(event) => {
            event.preventDefault();
            const data = new FormData(event.currentTarget);
            const at = (name: string) => instantOf(String(data.get(name) ?? ''));
            setOpened(false);
            onChange({ ...filter, since: undefined, from: at('from'), until: at('until') });
          }}
        >
          {FIELDS.map(({ name, label }) => (
            <label key={name}>
              {label}
              <input
                type="datetime-local"
                name={name}
                defaultValue={fieldText(filter[name])}
                data-testid={`range-${name}`}
              />
            </label>
          ))}
          <Group justify="flex-end">
            <Button size="xs" type="submit" data-testid="range-submit">
              {t('Show these')}
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
