import { IconFocusCentered } from '@tabler/icons-react';
import { Background, ControlButton, Controls, MiniMap, type Rect, useStore } from '@xyflow/react';
import { useCallback } from 'react';
import { t } from '../../preload/texts/t.ts';
import { prefersStill } from '../ui/prefers-still.ts';

/** What every drawing of a workflow has in common: it is looked at, not edited. */
export const CANVAS = {
  nodesDraggable: false,
  nodesConnectable: false,
  edgesFocusable: false,
  // Key bindings of the canvas are global and would take keys from the text editor beside it.
  panActivationKeyCode: null,
  zoomActivationKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  deleteKeyCode: null,
  maxZoom: 2,
  ariaLabelConfig: {
    'controls.ariaLabel': t('Buttons of the drawing'),
    'controls.zoomIn.ariaLabel': t('Zoom in'),
    'controls.zoomOut.ariaLabel': t('Zoom out'),
  },
  // The canvas moves there in steps.
  get zoomOnDoubleClick() {
    return !prefersStill();
  },
} as const;

/** From so many nodes on only those in view are drawn. */
export const DRAW_ALL_UNTIL = 150;
/** From so many nodes on an overview helps. */
export const OVERVIEW_FROM = 12;
const OVERVIEW = { width: 160, height: 112 };
const SMALL_OVERVIEW = { width: 116, height: 76 };
/** A pane that is not so many times as large as the overview has no room for one. */
const OVERVIEW_ROOM = 2.5;
const PLAIN_NODE = 'var(--sw-line-strong)';

/** The ground of a drawing, and its buttons for zoom and for the whole view. */
export function CanvasGround(props: { readonly label: string; readonly onWhole: () => void }) {
  return (
    <>
      <Background gap={20} size={1} />
      <Controls showInteractive={false} showFitView={false} orientation="horizontal">
        <ControlButton onClick={props.onWhole} title={props.label} aria-label={props.label}>
          <IconFocusCentered size={14} />
        </ControlButton>
      </Controls>
    </>
  );
}

/** Whether the pane shows less than the whole drawing, and has room to say where in it. */
function useOverviewHelps(bounds: Rect, size: typeof OVERVIEW): boolean {
  return useStore(
    useCallback(
      ({ transform: [x, y, zoom], width, height }) => {
        const left = bounds.x * zoom + x;
        const top = bounds.y * zoom + y;
        const isWhole =
          left >= 0 &&
          top >= 0 &&
          left + bounds.width * zoom <= width &&
          top + bounds.height * zoom <= height;
        const hasRoom =
          width >= size.width * OVERVIEW_ROOM && height >= size.height * OVERVIEW_ROOM;
        return hasRoom && !isWhole;
      },
      [bounds, size],
    ),
  );
}

/** Where in a large drawing its pane is; it stands aside while the pane shows all of it. */
export function Overview(props: {
  readonly bounds: Rect;
  readonly label: string;
  readonly compact?: boolean | undefined;
  readonly colorOf?: (id: string) => string | undefined;
}) {
  const { bounds, colorOf } = props;
  const size = props.compact === true ? SMALL_OVERVIEW : OVERVIEW;
  const color = ({ id }: { readonly id: string }) => colorOf?.(id) ?? PLAIN_NODE;
  if (!useOverviewHelps(bounds, size)) return null;
  // A line around each node of about a pixel: those of a very long drawing would vanish.
  const scale = Math.max(bounds.width / size.width, bounds.height / size.height);
  return (
    <MiniMap
      pannable
      zoomable
      style={size}
      ariaLabel={props.label}
      nodeColor={color}
      nodeStrokeColor={color}
      nodeStrokeWidth={scale}
    />
  );
}
