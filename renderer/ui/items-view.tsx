import { t } from '../../preload/texts/t.ts';
import './items-view.css';
import { ActionIcon, SegmentedControl } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { CopyCode } from './copy-code.tsx';
import { type DataColumn, DataTable } from './data-table.tsx';
import { type Fields, fieldNames, fieldText, fieldWidth, shortFieldText } from './item-fields.ts';

interface ItemRow {
  /** Number of the item, from 0. */
  readonly at: number;
  readonly fields: Fields;
}

const MOST_COLUMNS = 30;
/** Characters of a list that are drawn as JSON; the copy button gives all. */
const MOST_JSON = 200_000;

function rowId({ at }: ItemRow): string {
  return `item-${at}`;
}

function columnsOf(
  names: readonly string[],
  items: readonly Fields[],
): readonly DataColumn<ItemRow>[] {
  return [
    {
      id: '#',
      header: '#',
      width: '48px',
      align: 'right',
      cell: ({ at }) => <span className="sw-faint">{at + 1}</span>,
    },
    ...names.map((name) => ({
      id: `field ${name}`,
      header: name,
      width: `${fieldWidth(name, items)}px`,
      cell: ({ fields }: ItemRow) => shortFieldText(fields[name]),
    })),
  ];
}

/** Items as a table of their fields or as JSON; a chosen row shows its item whole. */
export function ItemsView(props: {
  /** Accessible name. */
  readonly label: string;
  readonly items: readonly Fields[];
}) {
  const { label, items } = props;
  const [view, setView] = useState('table');
  return (
    <div className="sw-items" data-testid="items-view">
      <header className="sw-items-head">
        <span className="sw-faint">
          {t('{count, plural, one {# item} other {# items}}', { count: items.length })}
        </span>
        <SegmentedControl
          size="xs"
          aria-label={t('How to show: {label}', { label })}
          value={view}
          onChange={setView}
          data={[
            { value: 'table', label: t('Table') },
            { value: 'json', label: t('JSON') },
          ]}
        />
      </header>
      {view === 'table' ? <ItemTable label={label} items={items} /> : <ItemsJson items={items} />}
    </div>
  );
}

function ItemTable(props: { readonly label: string; readonly items: readonly Fields[] }) {
  const { label, items } = props;
  const [chosen, setChosen] = useState<number | null>(null);
  const names = useMemo(() => fieldNames(items), [items]);
  const columns = useMemo(() => columnsOf(names.slice(0, MOST_COLUMNS), items), [names, items]);
  const rows = useMemo(() => items.map((fields, at): ItemRow => ({ at, fields })), [items]);
  const item = chosen === null ? undefined : items[chosen];
  return (
    <>
      <div className="sw-items-table">
        <DataTable
          label={label}
          columns={columns}
          rows={rows}
          rowId={rowId}
          selectedId={chosen === null ? null : `item-${chosen}`}
          onOpen={({ at }) => setChosen(chosen === at ? null : at)}
        />
      </div>
      {names.length > MOST_COLUMNS && (
        <p className="sw-faint">
          {t('{count, plural, one {# more field} other {# more fields}}: choose a row, or JSON.', {
            count: names.length - MOST_COLUMNS,
          })}
        </p>
      )}
      {chosen !== null && item !== undefined && (
        <ItemDetail at={chosen} item={item} onClose={() => setChosen(null)} />
      )}
    </>
  );
}

function ItemDetail(props: {
  readonly at: number;
  readonly item: Fields;
  readonly onClose: () => void;
}) {
  const title = t('Item {at}', { at: props.at + 1 });
  return (
    <section className="sw-items-detail" aria-label={title} data-testid="item-detail">
      <header>
        <h4 className="sw-section-title">{title}</h4>
        <CopyCode value={JSON.stringify(props.item, null, 2)} shown={t('copy JSON')} />
        <ActionIcon variant="subtle" size="sm" onClick={props.onClose} aria-label={t('Close item')}>
          <IconX size={14} aria-hidden />
        </ActionIcon>
      </header>
      <dl className="sw-facts">
        {Object.entries(props.item).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <pre>{fieldText(value)}</pre>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function ItemsJson(props: { readonly items: readonly Fields[] }) {
  const text = useMemo(() => JSON.stringify(props.items, null, 2), [props.items]);
  const isCut = text.length > MOST_JSON;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className="sw-text-box sw-items-json" aria-label={t('Items as JSON')} tabIndex={0}>
        <pre data-testid="items-json">{isCut ? text.slice(0, MOST_JSON) : text}</pre>
      </section>
      <CopyCode
        value={text}
        shown={isCut ? t('copy all: only the beginning is shown') : t('copy')}
      />
    </>
  );
}
