import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
} from '@tabler/icons-react';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import type { NodeMark } from './canvas-marks.ts';

export type SourceFlowNode = Node<
  {
    readonly label: string;
    readonly type: string;
    readonly disabled: boolean;
    readonly note: boolean;
    readonly mark: NodeMark | undefined;
    readonly active: boolean;
  },
  'source'
>;

const ICONS = {
  blocking: IconCircleX,
  manual: IconAlertTriangle,
  info: IconInfoCircle,
  settled: IconCircleCheck,
} as const;

/** An element of the source as its own canvas shows it, marked by the worst of its gaps. */
export function SourceNode({ data }: NodeProps<SourceFlowNode>) {
  const { mark } = data;
  const Icon = mark === undefined ? undefined : ICONS[mark.worst];
  return (
    <div
      className="sw-source-node"
      data-active={data.active}
      data-disabled={data.disabled}
      data-note={data.note}
      data-mark={mark?.worst}
      title={`${data.label} · ${data.type}`}
    >
      <Handle type="target" id="in" position={Position.Left} isConnectable={false} />
      <Handle type="target" id="below" position={Position.Bottom} isConnectable={false} />
      <span className="sw-node-text sw-source-text">
        <strong>{data.label}</strong>
        <span>{data.type}</span>
      </span>
      {Icon !== undefined && mark !== undefined && (
        <span className="sw-source-mark">
          <Icon size={14} aria-hidden />
          {mark.count > 1 && mark.count}
        </span>
      )}
      <Handle type="source" id="out" position={Position.Right} isConnectable={false} />
      <Handle type="source" id="above" position={Position.Top} isConnectable={false} />
    </div>
  );
}
