import { Button, Menu, Modal, TextInput } from '@mantine/core';
import { IconBookmark, IconDeviceFloppy, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import {
  createSavedFilter,
  listSavedFilters,
  type SavedFilter,
  updateSavedFilter,
} from '../../../server/contract/dashboard/saved-filters.ts';
import { call } from '../../data/api-client.ts';
import { useHindrance } from '../../data/operator.ts';
import { routeQuery } from '../../data/query-client.ts';
import { useAction } from '../../data/use-action.ts';
import { AskForm } from '../../ui/ask-form.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import type { RunFilter } from './run-filter-model.ts';
import { readFiltersAgain, SavedFilterDialog } from './saved-filter-dialog.tsx';
import { filterOfSaved, PRESETS, savedOfFilter } from './saved-filter-model.ts';

/** Saving under a name that exists replaces that filter, at the version that is shown. */
async function save(name: string, filter: RunFilter, taken: SavedFilter | undefined) {
  const body = { name, filters: savedOfFilter(filter) };
  await (taken === undefined
    ? call(createSavedFilter, { body })
    : call(updateSavedFilter, {
        params: { filter_id: taken.id },
        body: { ...body, version: taken.version },
      }));
}

/** Filters to choose from: the usual ones and those that were saved; the current one can be saved. */
export function SavedFilters(props: {
  readonly filter: RunFilter;
  readonly onChoose: (filter: RunFilter) => void;
}) {
  const saved = useQuery(routeQuery(listSavedFilters));
  const [naming, setNaming] = useState(false);
  const [editing, setEditing] = useState(false);
  const hindrance = useHindrance('filter.write');
  const list = saved.data ?? [];
  return (
    <>
      <Menu width={280} position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconBookmark size={14} aria-hidden />}
            data-testid="saved-filters"
          >
            {t('Filters')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {PRESETS.map(({ name, filter }) => (
            <Menu.Item key={name} onClick={() => props.onChoose(filter)}>
              {name}
            </Menu.Item>
          ))}
          {list.length > 0 && <Menu.Label>{t('Saved')}</Menu.Label>}
          {list.map((item) => (
            <Menu.Item key={item.id} onClick={() => props.onChoose(filterOfSaved(item.filters))}>
              {item.name}
            </Menu.Item>
          ))}
          {saved.isError && <Menu.Label>{t('Saved filters could not be read')}</Menu.Label>}
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconDeviceFloppy size={14} aria-hidden />}
            disabled={hindrance !== undefined}
            title={hindrance}
            onClick={() => setNaming(true)}
            data-testid="save-filter"
          >
            {t('Save this filter…')}
          </Menu.Item>
          {list.length > 0 && (
            <Menu.Item
              leftSection={<IconPencil size={14} aria-hidden />}
              disabled={hindrance !== undefined}
              title={hindrance}
              onClick={() => setEditing(true)}
              data-testid="edit-filters"
            >
              {t('Rename, change, remove…')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {naming && <NameDialog filter={props.filter} list={list} onClose={() => setNaming(false)} />}
      {editing && (
        <SavedFilterDialog list={list} shown={props.filter} onClose={() => setEditing(false)} />
      )}
    </>
  );
}

function NameDialog(props: {
  readonly filter: RunFilter;
  readonly list: readonly SavedFilter[];
  readonly onClose: () => void;
}) {
  const [name, setName] = useState('');
  const wanted = name.trim();
  const taken = props.list.find((item) => item.name === wanted);
  const saving = useAction(async () => {
    try {
      await save(wanted, props.filter, taken);
    } finally {
      void readFiltersAgain();
    }
    notifyDone(t('Saved as “{wanted}”', { wanted }));
    props.onClose();
  });
  return (
    <Modal opened onClose={props.onClose} title={t('Save this filter')}>
      <AskForm
        action={saving}
        failure={t('The filter was not saved')}
        label={taken === undefined ? t('Save') : t('Replace')}
        ready={wanted !== ''}
        testId="filter"
      >
        <TextInput
          label={t('Name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={120}
          required
          data-autofocus
          data-testid="filter-name"
        />
      </AskForm>
    </Modal>
  );
}
