import { ActionIcon, Checkbox, Menu, TextInput } from '@mantine/core';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { type SingleKeyId, singleKeyOf, useChangedSingleKeys } from '../../app/single-keys.ts';
import { useSingleKeysOn } from '../../app/use-single-keys.ts';
import { SingleKey } from '../../ui/single-key.tsx';
import { kindText } from './gap-model.ts';
import { type GapFilter, NO_FILTER } from './gap-rows.ts';

/** Search, kinds, and "only what is open". */
export function GapTools(props: {
  readonly kinds: readonly { readonly kind: string; readonly count: number }[];
  readonly filter: GapFilter;
  readonly onFilter: (filter: GapFilter) => void;
  readonly search: RefObject<HTMLInputElement | null>;
}) {
  const { filter, onFilter } = props;
  const filtered = filter.kinds.length > 0 || filter.openOnly;
  const toggle = (kind: string): void =>
    onFilter({
      ...filter,
      kinds: filter.kinds.includes(kind)
        ? filter.kinds.filter((one) => one !== kind)
        : [...filter.kinds, kind],
    });
  return (
    <div className="sw-gap-tools">
      <TextInput
        ref={props.search}
        size="xs"
        style={{ flex: 1 }}
        placeholder={t('Search gaps')}
        aria-label={t('Search gaps')}
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={<SingleKey of="search.go" />}
        value={filter.text}
        onChange={({ currentTarget }) => onFilter({ ...filter, text: currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            onFilter({ ...filter, text: '' });
            event.currentTarget.blur();
          } else if (event.key === 'Enter') {
            event.currentTarget.blur();
          }
        }}
        data-testid="gap-search"
      />
      <Menu position="bottom-end" closeOnItemClick={false} width={260}>
        <Menu.Target>
          <ActionIcon
            variant={filtered ? 'filled' : 'default'}
            aria-label={filtered ? t('Filter, in use') : t('Filter')}
            title={t('Filter')}
            data-testid="gap-filter"
          >
            <IconFilter size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflow: 'auto' }}>
          <Menu.Item onClick={() => onFilter({ ...filter, openOnly: !filter.openOnly })}>
            <Checkbox
              readOnly
              tabIndex={-1}
              checked={filter.openOnly}
              label={t('Only open gaps')}
            />
          </Menu.Item>
          <Menu.Label>{t('Kinds')}</Menu.Label>
          {props.kinds.map(({ kind, count }) => (
            <Menu.Item key={kind} onClick={() => toggle(kind)}>
              <Checkbox
                readOnly
                tabIndex={-1}
                checked={filter.kinds.includes(kind)}
                label={`${kindText(kind)} ${count}`}
              />
            </Menu.Item>
          ))}
          {filtered && (
            <Menu.Item onClick={() => onFilter({ ...NO_FILTER, text: filter.text })}>
              {t('Show all')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}

const KEYS: readonly (readonly [keys: readonly SingleKeyId[], what: string])[] = [
  [['gaps.next', 'gaps.before'], t('next, previous')],
  [['gaps.next-open', 'gaps.open-before'], t('open ones')],
  [['gaps.fold'], t('unfold')],
  [['gaps.fix'], t('fix')],
  [['gaps.editor'], t('editor')],
  [['gaps.attest'], t('attest')],
  [['gaps.retract'], t('retract')],
  [['gaps.acknowledge'], t('acknowledge')],
  [['gaps.undo'], t('undo')],
];

/** The keys of the page. */
export function GapKeys(props: { readonly undoes: string | null }) {
  const on = useSingleKeysOn();
  const changed = useChangedSingleKeys();
  return !on ? null : (
    <div className="sw-gap-keys">
      {KEYS.map(([ids, what]) =>
        ids.every((id) => singleKeyOf(id, changed) === null) ? null : (
          <span
            key={what}
            title={ids.includes('gaps.undo') ? (props.undoes ?? undefined) : undefined}
          >
            {ids.map((id) => (
              <SingleKey key={id} of={id} />
            ))}{' '}
            {what}
          </span>
        ),
      )}
    </div>
  );
}
