import { Button, Chip, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { isFiltered, RUN_STATUSES, type RunFilter, SINCE_OPTIONS } from './run-filter-model.ts';

const TYPING_MS = 300;
const ALL = 'all';

/** The facets of the run list as chips and fields. */
export function RunFilters(props: {
  readonly filter: RunFilter;
  readonly onChange: (filter: RunFilter) => void;
}) {
  const { filter, onChange } = props;
  return (
    <search className="sw-run-filters" aria-label="Filter runs">
      <Chip.Group
        value={filter.status ?? ALL}
        onChange={(value) =>
          onChange({ ...filter, status: value === ALL ? undefined : String(value) })
        }
      >
        <Group gap={6} role="group" aria-label="Status">
          <Chip value={ALL} size="xs" variant="light">
            All
          </Chip>
          {RUN_STATUSES.map((status) => (
            <Chip key={status} value={status} size="xs" variant="light">
              {status.replace('_', ' ')}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Group gap={6}>
        <Chip
          size="xs"
          variant="light"
          checked={filter.errors === true}
          onChange={(on) => onChange({ ...filter, errors: on ? true : undefined })}
        >
          with error
        </Chip>
        <Chip
          size="xs"
          variant="light"
          checked={filter.stuck === true}
          onChange={(on) => onChange({ ...filter, stuck: on ? true : undefined })}
        >
          stuck
        </Chip>
        <NativeSelect
          size="xs"
          aria-label="Created"
          data={SINCE_OPTIONS}
          value={filter.since ?? ''}
          onChange={(event) =>
            onChange({ ...filter, since: event.currentTarget.value || undefined })
          }
        />
        <SearchField value={filter.q ?? ''} onChange={(q) => onChange({ ...filter, q })} />
        {isFiltered(filter) && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange({})}>
            Clear
          </Button>
        )}
      </Group>
    </search>
  );
}

/** Typing changes the address after a pause; the address changes the field at once. */
function SearchField(props: {
  readonly value: string;
  readonly onChange: (text: string | undefined) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const change = useDebouncedCallback((text: string) => {
    props.onChange(text.trim() === '' ? undefined : text.trim());
  }, TYPING_MS);
  useEffect(() => {
    const input = field.current;
    if (input !== null && input !== document.activeElement) {
      input.value = props.value;
    }
  }, [props.value]);
  return (
    <TextInput
      ref={field}
      size="xs"
      leftSection={<IconSearch size={13} aria-hidden />}
      placeholder="Search output and errors"
      aria-label="Search runs"
      defaultValue={props.value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
