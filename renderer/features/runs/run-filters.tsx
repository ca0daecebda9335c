import { Button, Chip, Group, NativeSelect, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef } from 'react';
import { locale } from '../../../preload/texts/language.ts';
import { t } from '../../../preload/texts/t.ts';
import { RUN_STATUSES } from '../../../server/contract/platform/run-status.ts';
import { useSingleKeys } from '../../app/use-single-keys.ts';
import { SingleKey } from '../../ui/single-key.tsx';
import { statusText } from '../../ui/status-badge.tsx';
import { isFiltered, KIND_OPTIONS, type RunFilter } from './run-filter-model.ts';
import { RunTimeFilter } from './run-time-filter.tsx';
import { SavedFilters } from './saved-filters.tsx';
import { useFacetHindrance, useStatusCounts, useWorkflowNames } from './use-run-list.ts';

const TYPING_MS = 300;
const ALL = 'all';
const COUNTS = new Intl.NumberFormat(locale(), { notation: 'compact' });

/** The facets of the run list as chips and fields. `/` goes to the search. */
export function RunFilters(props: {
  readonly filter: RunFilter;
  readonly onChange: (filter: RunFilter) => void;
}) {
  const { filter, onChange } = props;
  const search = useRef<HTMLInputElement>(null);
  const hindranceOf = useFacetHindrance(filter);
  useSingleKeys({ 'search.go': () => search.current?.focus() });
  return (
    <search className="sw-run-filters" aria-label={t('Filter runs')}>
      <Group gap={6}>
        <Statuses {...props} />
        <Chip
          size="xs"
          variant="light"
          disabled={filter.errors !== true && hindranceOf('has_error') !== undefined}
          title={hindranceOf('has_error')}
          checked={filter.errors === true}
          onChange={(on) => onChange({ ...filter, errors: on ? true : undefined })}
        >
          {t('with error')}
        </Chip>
        <Chip
          size="xs"
          variant="light"
          checked={filter.stuck === true}
          onChange={(on) => onChange({ ...filter, stuck: on ? true : undefined })}
        >
          {t('stuck')}
        </Chip>
      </Group>
      <Group gap={6}>
        <SearchField
          field={search}
          value={filter.q ?? ''}
          hindrance={hindranceOf('q')}
          onChange={(q) => onChange({ ...filter, q })}
        />
        <RunTimeFilter
          filter={filter}
          onChange={onChange}
          hindrance={hindranceOf('created_after')}
        />
        <Narrowing {...props} hindranceOf={hindranceOf} />
        <SavedFilters filter={filter} onChoose={onChange} />
        {isFiltered(filter) && (
          <Button size="compact-xs" variant="subtle" onClick={() => onChange({})}>
            {t('Clear')}
          </Button>
        )}
      </Group>
    </search>
  );
}

const NO_ENVIRONMENT_FILTER = t(
  'A platform’s list of runs has no filter for the environment. Each run tells its own on its page.',
);

/** Which workflow, which kind, and why the environment cannot be asked for. */
function Narrowing(props: {
  readonly filter: RunFilter;
  readonly onChange: (filter: RunFilter) => void;
  readonly hindranceOf: (facet: string) => string | undefined;
}) {
  const { filter, onChange, hindranceOf } = props;
  const names = useWorkflowNames(filter.workflow);
  return (
    <>
      <NativeSelect
        size="xs"
        className="sw-run-narrow"
        aria-label={t('Workflow')}
        disabled={filter.workflow === undefined && hindranceOf('workflow_name') !== undefined}
        title={hindranceOf('workflow_name')}
        data={[{ value: '', label: t('Any workflow') }, ...names]}
        value={filter.workflow ?? ''}
        onChange={(event) =>
          onChange({ ...filter, workflow: event.currentTarget.value || undefined })
        }
      />
      <NativeSelect
        size="xs"
        aria-label={t('Kind')}
        disabled={filter.kind === undefined && hindranceOf('workflow_kind') !== undefined}
        title={hindranceOf('workflow_kind')}
        data={KIND_OPTIONS}
        value={filter.kind ?? ''}
        onChange={(event) => onChange({ ...filter, kind: event.currentTarget.value || undefined })}
      />
      <Tooltip multiline w={260} label={NO_ENVIRONMENT_FILTER}>
        <div>
          <NativeSelect
            size="xs"
            aria-label={t('Environment')}
            aria-description={NO_ENVIRONMENT_FILTER}
            data={[t('Any environment')]}
            disabled
          />
        </div>
      </Tooltip>
    </>
  );
}

function Statuses(props: {
  readonly filter: RunFilter;
  readonly onChange: (filter: RunFilter) => void;
}) {
  const { filter, onChange } = props;
  const { counts, counted, counting } = useStatusCounts(filter);
  // A status without runs has no chip; one that may have some gets its own when that is known.
  const shown = RUN_STATUSES.filter(
    (status) => filter.status === status || !(counting || counts[status] === 0),
  );
  return (
    <Chip.Group
      value={filter.status ?? ALL}
      onChange={(value) =>
        onChange({ ...filter, status: value === ALL ? undefined : String(value) })
      }
    >
      <Group gap={6} role="group" aria-label={t('Status')}>
        <Chip value={ALL} size="xs" variant="light">
          {t('All')}
        </Chip>
        {shown.map((status) => (
          <Chip key={status} value={status} size="xs" variant="light">
            {statusText(status)}
            {counts[status] !== undefined && (
              <span className="sw-faint">
                {' '}
                {COUNTS.format(counts[status])}
                {counts[status] === counted && '+'}
              </span>
            )}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}

/** Typing changes the address after a pause; the address changes the field at once. */
function SearchField(props: {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly value: string;
  readonly hindrance: string | undefined;
  readonly onChange: (text: string | undefined) => void;
}) {
  const { field, hindrance } = props;
  const change = useDebouncedCallback((text: string) => {
    props.onChange(text.trim() === '' ? undefined : text.trim());
  }, TYPING_MS);
  useEffect(() => {
    const input = field.current;
    if (input !== null && input !== document.activeElement) {
      input.value = props.value;
    }
  }, [field, props.value]);
  return (
    <TextInput
      ref={field}
      size="xs"
      className="sw-run-search"
      leftSection={<IconSearch size={13} aria-hidden />}
      rightSection={<SingleKey of="search.go" />}
      placeholder={t('Search inputs and outputs')}
      aria-label={t('Search runs')}
      disabled={hindrance !== undefined && props.value === ''}
      title={hindrance}
      defaultValue={props.value}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
