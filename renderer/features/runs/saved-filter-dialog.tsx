import { t } from '../../../preload/texts/t.ts';
import './saved-filters.css';
import { ActionIcon, Button, Group, Modal, TextInput, Tooltip } from '@mantine/core';
import { IconDeviceFloppy, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import {
  deleteSavedFilter,
  listSavedFilters,
  type SavedFilter,
  updateSavedFilter,
} from '../../../server/contract/dashboard/saved-filters.ts';
import { isJsonObject } from '../../../server/kernel/json.ts';
import { call } from '../../data/api-client.ts';
import { ApiError } from '../../data/api-error.ts';
import { queryClient, routePrefix } from '../../data/query-client.ts';
import { type Action, useAction } from '../../data/use-action.ts';
import { actorName } from '../../ui/actor-name.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { filterText, type RunFilter } from './run-filter-model.ts';
import { filterOfSaved, savedOfFilter } from './saved-filter-model.ts';

/** Reads the saved filters again. */
export function readFiltersAgain(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: routePrefix(listSavedFilters) });
}

/** What somebody wants a saved filter to be. */
interface Change {
  readonly id: string;
  readonly name: string;
  readonly filters: SavedFilter['filters'];
}

/** Renames saved filters, gives them what the list shows now, removes them. */
export function SavedFilterDialog(props: {
  readonly list: readonly SavedFilter[];
  /** What the list shows now. */
  readonly shown: RunFilter;
  readonly onClose: () => void;
}) {
  const { list, shown } = props;
  const [refused, setRefused] = useState<Change | null>(null);
  const change = useAction(async (wanted: Change & { readonly version: number }) => {
    const { id, name, filters, version } = wanted;
    try {
      await call(updateSavedFilter, {
        params: { filter_id: id },
        body: { name, filters: isJsonObject(filters) ? filters : {}, version },
      });
      setRefused(null);
      notifyDone(t('“{name}” is saved', { name }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'dashboard_state_conflict') {
        throw error;
      }
      setRefused(wanted);
    } finally {
      await readFiltersAgain();
    }
  });
  const remove = useAction(async ({ id, name, version }: SavedFilter) => {
    try {
      await call(deleteSavedFilter, { params: { filter_id: id }, query: { version } });
      notifyDone(t('“{name}” is removed', { name }));
    } finally {
      await readFiltersAgain();
    }
  });
  const theirs = list.find(({ id }) => id === refused?.id);
  const error = change.error ?? remove.error;
  return (
    <Modal opened onClose={props.onClose} title={t('Saved filters')} size="lg">
      {refused !== null && theirs !== undefined && (
        <Conflict
          mine={refused}
          theirs={theirs}
          busy={change.busy}
          onReplace={() => change.start({ ...refused, version: theirs.version })}
          onKeep={() => setRefused(null)}
        />
      )}
      {error !== undefined && <ErrorState compact title={t('It was not changed')} error={error} />}
      <ul className="sw-saved-list" data-testid="saved-filter-list">
        {list.map((saved) => (
          <Line
            key={`${saved.id} ${saved.version}`}
            saved={saved}
            shown={shown}
            change={change}
            onRemove={() => remove.start(saved)}
          />
        ))}
      </ul>
    </Modal>
  );
}

function Line(props: {
  readonly saved: SavedFilter;
  readonly shown: RunFilter;
  readonly change: Action<Change & { readonly version: number }>;
  readonly onRemove: () => void;
}) {
  const { saved, shown, change } = props;
  const [name, setName] = useState(saved.name);
  const wanted = name.trim();
  const isRenamed = wanted !== '' && wanted !== saved.name;
  return (
    <li>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isRenamed) {
            change.start({ ...saved, name: wanted });
          }
        }}
      >
        <TextInput
          size="xs"
          aria-label={t('Name of {name}', { name: saved.name })}
          value={name}
          maxLength={120}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {isRenamed && (
          <Button size="compact-xs" type="submit" loading={change.busy}>
            {t('Rename')}
          </Button>
        )}
        <Tooltip
          label={t('Give it what the list shows now: {filter}', { filter: filterText(shown) })}
        >
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('Give {name} what the list shows now', { name: saved.name })}
            onClick={() => change.start({ ...saved, filters: savedOfFilter(shown) })}
          >
            <IconDeviceFloppy size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('Remove {name}', { name: saved.name })}
          onClick={props.onRemove}
        >
          <IconTrash size={15} aria-hidden />
        </ActionIcon>
      </form>
      <small className="sw-faint">
        {t('{filter} · by {created_by}', {
          filter: filterText(filterOfSaved(saved.filters)),
          created_by: actorName(saved.created_by),
        })}
      </small>
    </li>
  );
}

function Conflict(props: {
  readonly mine: Change;
  readonly theirs: SavedFilter;
  readonly busy: boolean;
  readonly onReplace: () => void;
  readonly onKeep: () => void;
}) {
  const { mine, theirs } = props;
  const sides = [
    { title: t('Stored now'), name: theirs.name, filters: theirs.filters },
    { title: t('Yours'), name: mine.name, filters: mine.filters },
  ];
  return (
    <section className="sw-saved-conflict" data-testid="filter-conflict">
      <strong>
        {t('Somebody changed this filter meanwhile. Nothing of yours is stored yet.')}
      </strong>
      <dl>
        {sides.map(({ title, name, filters }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              “{name}”: {filterText(filterOfSaved(filters))}
            </dd>
          </div>
        ))}
      </dl>
      <Group gap="xs">
        <Button size="xs" loading={props.busy} onClick={props.onReplace} data-testid="filter-mine">
          {t('Store yours')}
        </Button>
        <Button size="xs" variant="default" onClick={props.onKeep}>
          {t('Keep what is stored')}
        </Button>
      </Group>
    </section>
  );
}
