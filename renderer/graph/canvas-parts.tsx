import { IconFocusCentered } from '@tabler/icons-react';
import { Background, ControlButton, Controls } from '@xyflow/react';
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
export const SMALL_OVERVIEW = { width: 116, height: 76 };

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
