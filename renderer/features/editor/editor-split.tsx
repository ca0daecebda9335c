import type { ReactNode } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import { t } from '../../../preload/texts/t.ts';
import { useRoom } from '../../ui/use-room.ts';
import { OverPart, usePart } from '../../workbench/over-part.tsx';

/** The height below which a run needs more of it than the text. */
const ROOM = { height: 480 };

/** The text, what stands beside it and what stands below both; every part keeps its size. */
export function EditorSplit(props: {
  readonly children: ReactNode;
  readonly side: ReactNode;
  /** Below both; null while nothing is there. */
  readonly below: ReactNode | null;
}) {
  // A small or zoomed window keeps the text readable: what stands beside it folds by itself.
  const { docked: side, over } = usePart('side');
  const room = useRoom(ROOM);
  const layout = useDefaultLayout({
    id: 'sw:editor',
    panelIds: side ? ['text', 'side'] : ['text'],
    storage: localStorage,
  });
  const rows = useDefaultLayout({
    id: 'sw:editor-rows',
    panelIds: props.below === null ? ['upper'] : ['upper', 'run'],
    storage: localStorage,
  });
  return (
    <Group
      orientation="vertical"
      id="editor-rows"
      defaultLayout={rows.defaultLayout}
      onLayoutChanged={rows.onLayoutChanged}
    >
      <Panel id="upper" minSize={room ? 140 : 44}>
        <Group
          orientation="horizontal"
          id="editor-split"
          defaultLayout={layout.defaultLayout}
          onLayoutChanged={layout.onLayoutChanged}
        >
          <Panel id="text" minSize={240}>
            <div className="sw-editor-text">{props.children}</div>
            <OverPart title={t('Graph, outline and preview')} position="right" opened={over}>
              {props.side}
            </OverPart>
          </Panel>
          {side && (
            <>
              <Separator className="sw-separator" aria-label={t('Resize graph')} />
              <Panel id="side" defaultSize="42%" minSize={220}>
                {props.side}
              </Panel>
            </>
          )}
        </Group>
      </Panel>
      {props.below !== null && (
        <>
          <Separator className="sw-separator" aria-label={t('Resize run')} />
          <Panel id="run" defaultSize="42%" minSize={room ? 120 : 160}>
            {props.below}
          </Panel>
        </>
      )}
    </Group>
  );
}
