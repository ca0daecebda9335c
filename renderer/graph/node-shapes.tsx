import {
  IconCircleDot,
  IconFunction,
  IconKey,
  IconPlayerPlayFilled,
  IconRobot,
  IconShieldCheck,
  IconSitemap,
  IconUser,
} from '@tabler/icons-react';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import type { ComponentType } from 'react';
import type { NodeKind } from './graph-model.ts';

type Icon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>;

export const KIND_ICONS: Readonly<Record<NodeKind, Icon>> = {
  agent: IconRobot,
  function: IconFunction,
  human: IconUser,
  workflow: IconSitemap,
  guardrail: IconShieldCheck,
  step: IconCircleDot,
  credential: IconKey,
  mark: IconCircleDot,
};

/** What a run did at a node; `idle` when no run is shown. */
export type NodeProgress = 'idle' | 'visited' | 'current' | 'failed';

/** How grave a mark on a node is. */
export type MarkTone = 'danger' | 'warning' | 'info' | 'success';

export type SpecFlowNode = Node<
  {
    readonly label: string;
    readonly detail: string;
    readonly kind: NodeKind;
    /** Other nodes stand inside of it. */
    readonly container: boolean;
    /** The detail is a note about a run. */
    readonly noted: boolean;
    readonly start: boolean;
    readonly disabled: boolean;
    readonly progress: NodeProgress;
    readonly active: boolean;
    readonly warning: string | null;
    readonly tone: MarkTone;
  },
  'spec'
>;

/** A node: kind by shape, icon and colour; the start carries its own mark. */
export function SpecNode({ data }: NodeProps<SpecFlowNode>) {
  const KindIcon = KIND_ICONS[data.kind];
  const mark = data.kind === 'mark';
  return (
    <div
      className="sw-node"
      data-kind={data.kind}
      data-container={data.container}
      data-active={data.active}
      data-disabled={data.disabled}
      data-progress={data.progress}
      title={data.warning ?? undefined}
    >
      <Handle type="target" position={Position.Top} isConnectable={false} />
      {!mark && (
        <span className="sw-node-icon">
          <KindIcon size={18} stroke={1.6} aria-hidden />
        </span>
      )}
      <span className="sw-node-text">
        <strong>{data.label}</strong>
        {data.detail !== '' && <DetailText noted={data.noted} text={data.detail} />}
      </span>
      {data.start && !mark && (
        <span className="sw-node-start" role="img" aria-label="Start">
          <IconPlayerPlayFilled size={9} aria-hidden />
        </span>
      )}
      {data.warning !== null && (
        <span
          className="sw-node-warning"
          data-tone={data.tone}
          role="img"
          aria-label={data.warning}
        />
      )}
      <Handle type="source" position={Position.Bottom} isConnectable={false} />
    </div>
  );
}

function DetailText(props: { readonly noted: boolean; readonly text: string }) {
  return props.noted ? <em className="sw-node-note">{props.text}</em> : <span>{props.text}</span>;
}
