import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react';
import { labelLines, type Point, roundedPath } from './layout-model.ts';

export type SpecFlowEdge = Edge<
  {
    readonly points: readonly Point[];
    readonly labelAt: Point | null;
    readonly text: string | null;
    readonly conditional: boolean;
    readonly taken: boolean;
    readonly chosen: boolean;
    /** Chooses the edge; null where it cannot be changed. */
    readonly choose: (() => void) | null;
  },
  'spec'
>;

/** An edge along the points that the layout gave it; dashed when it has a condition. */
export function SpecEdge({ id, data, markerEnd }: EdgeProps<SpecFlowEdge>) {
  if (data === undefined) {
    return null;
  }
  return (
    <>
      <BaseEdge
        id={id}
        path={roundedPath(data.points)}
        {...(markerEnd === undefined ? {} : { markerEnd })}
        className="sw-edge"
        data-conditional={data.conditional}
        data-taken={data.taken}
        data-chosen={data.chosen}
      />
      {data.text !== null && data.labelAt !== null && (
        <EdgeLabelRenderer>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the edge itself takes the keyboard */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: the edge itself takes the keyboard */}
          <span
            className="sw-edge-label"
            data-conditional={data.conditional}
            data-chosen={data.chosen}
            onClick={() => data.choose?.()}
            title={data.text}
            style={{
              transform: `translate(-50%, -50%) translate(${data.labelAt.x}px, ${data.labelAt.y}px)`,
            }}
          >
            {labelLines(data.text).join('\n')}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
}
