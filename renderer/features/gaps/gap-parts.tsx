import { SegmentedControl } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { t } from '../../../preload/texts/t.ts';
import { useRoom } from '../../ui/use-room.ts';

const COLUMN = ['list', 'gap', 'drawings'] as const;
type ColumnPart = (typeof COLUMN)[number];
const COLUMN_LABELS: Readonly<Record<ColumnPart, string>> = {
  list: t('List'),
  gap: t('Chosen gap'),
  drawings: t('Source and draft'),
};

export interface GapPartsProps {
  readonly list: ReactNode;
  readonly drawings: ReactNode;
  readonly gap: ReactNode;
  /** Counts up whenever a gap is pressed in the list. */
  readonly pressed: number;
}

/** The parts of the gap page beside each other; in a small or zoomed window one at a time. */
export function GapParts(props: GapPartsProps) {
  const wide = useRoom({ width: 760 });
  const high = useRoom({ height: 480 });
  return wide && high ? <GapColumns {...props} /> : <GapColumn {...props} />;
}

function GapColumn(props: GapPartsProps) {
  const [part, setPart] = useState<ColumnPart>('list');
  const { pressed } = props;
  useEffect(() => {
    if (pressed > 0) {
      setPart('gap');
    }
  }, [pressed]);
  return (
    <div className="sw-gap-column">
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t('Part of the page')}
        value={part}
        onChange={(next) => setPart(COLUMN.find((one) => one === next) ?? 'list')}
        data={COLUMN.map((value) => ({ value, label: COLUMN_LABELS[value] }))}
        data-testid="gap-part"
      />
      <div className="sw-gap-only">{props[part]}</div>
    </div>
  );
}

function GapColumns(props: GapPartsProps) {
  const layout = useDefaultLayout({
    id: 'sw:gaps',
    panelIds: ['list', 'rest'],
    storage: localStorage,
  });
  return (
    <Group
      orientation="horizontal"
      id="gaps-split"
      defaultLayout={layout.defaultLayout}
      onLayoutChanged={layout.onLayoutChanged}
    >
      <Panel id="list" defaultSize="34%" minSize={272}>
        {props.list}
      </Panel>
      <Separator className="sw-separator" aria-label={t('Resize the list')} />
      <Panel id="rest" minSize={300}>
        <Group orientation="vertical" id="gaps-rest">
          <Panel id="drawings" defaultSize="52%" minSize={140}>
            {props.drawings}
          </Panel>
          <Separator className="sw-separator" aria-label={t('Resize the drawings')} />
          <Panel id="card" minSize={140}>
            {props.gap}
          </Panel>
        </Group>
      </Panel>
    </Group>
  );
}
