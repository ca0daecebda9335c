import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react';
import { labelLines, type Point, roundedPath } from './layout-model.ts';

export type SpecFlowEdge = Edge<
  {
    readonly points: readonly Point[];
    readonly labelAt: Point | null;
    readonly text: string | null;
    readonly conditional: boolean;
    readonly taken: boolean;
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
      />
      {data.text !== null && data.labelAt !== null && (
        <EdgeLabelRenderer>
          <span
            className="sw-edge-label"
            data-conditional={data.conditional}
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
