import { NativeSelect, Radio, ScrollArea, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import type { GraphOperation } from '../../../../server/spec/edit/graph/operation.ts';
import { KIND_ICONS } from '../../../graph/node-shapes.tsx';
import { catalogueOf, found, freeName, keysOf, type PlaceChoice, placesOf } from './catalogue.ts';
import { EditDialog } from './edit-dialog.tsx';
import type { GraphEditing } from './editing-types.ts';

/** Where a new step goes unless another place is chosen. */
export interface AddPlace {
  readonly workflow: string | null;
  /** The value of a place choice. */
  readonly place: string | null;
}

function placeNow(places: readonly PlaceChoice[], wanted: string | null): PlaceChoice | undefined {
  return places.find(({ value }) => value === wanted) ?? places.at(-1);
}

/** The catalogue of what a step can be, its name and its place. */
export function AddStepDialog(props: {
  readonly editing: GraphEditing;
  readonly at: AddPlace;
  readonly refused: string | null;
  readonly onMake: (operation: GraphOperation, done: string) => void;
  readonly onClose: () => void;
}) {
  const { editing, at } = props;
  const [words, setWords] = useState('');
  const [entryId, setEntryId] = useState(t('new agent'));
  const [name, setName] = useState<string | null>(null);
  const [placed, setPlaced] = useState(at.place);
  const all = useMemo(() => catalogueOf(editing), [editing]);
  const shown = found(all, words);
  const entry = shown.find(({ id }) => id === entryId) ?? shown[0];
  const taken = new Set([
    ...keysOf(editing, at.workflow),
    ...(entry?.ref === null ? Object.values(editing.parts).flat() : []),
  ]);
  const id = name ?? freeName(entry?.ref ?? entry?.kind ?? 'step', taken);
  const places = placesOf(editing, at.workflow);
  const place = placeNow(places, placed);
  const ready = entry !== undefined && place !== undefined && id.trim() !== '';
  const add = (): void => {
    if (entry === undefined || place === undefined) return;
    const { kind, ref } = entry;
    props.onMake(
      {
        op: 'add_step',
        workflow: at.workflow,
        ...{ id, kind, ref: ref ?? id, declare: ref === null, place: place.place },
      },
      t('"{id}" was added.', { id }),
    );
  };
  return (
    <EditDialog
      title={t('Add step')}
      submit={t('Add step')}
      ready={ready}
      refused={props.refused}
      onSubmit={add}
      onClose={props.onClose}
    >
      <TextInput
        label={t('What it runs')}
        placeholder={t('Search agents, functions, people and workflows')}
        value={words}
        data-autofocus
        data-testid="graph-search"
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <ScrollArea.Autosize mah={220} type="auto" className="sw-graph-catalogue">
        <Radio.Group value={entry?.id ?? ''} onChange={setEntryId} aria-label={t('Catalogue')}>
          {shown.map(({ id: value, kind, title, about }) => {
            const Icon = KIND_ICONS[kind];
            return (
              <Radio
                key={value}
                value={value}
                size="xs"
                label={
                  <span className="sw-graph-entry" data-kind={kind}>
                    <Icon size={15} stroke={1.6} aria-hidden />
                    <strong>{title}</strong>
                    <span>{about}</span>
                  </span>
                }
              />
            );
          })}
        </Radio.Group>
        {shown.length === 0 && (
          <p className="sw-graph-none">{t('Nothing here has these words.')}</p>
        )}
      </ScrollArea.Autosize>
      <TextInput
        label={t('Name of the step')}
        value={id}
        data-testid="graph-name"
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NativeSelect
        label={t('Where')}
        value={place?.value ?? ''}
        data={places.map(({ value, label }) => ({ value, label }))}
        onChange={(event) => setPlaced(event.currentTarget.value)}
      />
    </EditDialog>
  );
}
