import {
  IconBan,
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
import { type ComponentType, useEffect, useRef } from 'react';
import { t } from '../../preload/texts/t.ts';
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
    /** Edges can be drawn from it and to it. */
    readonly editable: boolean;
    readonly chosen: boolean;
    /** Why the edge that is being drawn cannot lead here; null when it can, or none is drawn. */
    readonly refused: string | null;
    /** Takes the name that is being written, null when it is given up; null while none is. */
    readonly rename: ((name: string | null) => void) | null;
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
      data-chosen={data.chosen}
      data-refused={data.refused !== null}
      title={data.refused ?? data.warning ?? undefined}
    >
      <Handle type="target" position={Position.Top} isConnectable={data.editable} />
      {!mark && (
        <span className="sw-node-icon">
          <KindIcon size={18} stroke={1.6} aria-hidden />
        </span>
      )}
      <span className="sw-node-text">
        {data.rename === null ? (
          <strong>{data.label}</strong>
        ) : (
          <NameField label={data.label} onDone={data.rename} />
        )}
        {data.detail !== '' && <DetailText noted={data.noted} text={data.detail} />}
      </span>
      {data.start && !mark && (
        <span className="sw-node-start" role="img" aria-label={t('Start')}>
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
      {data.refused !== null && (
        <span className="sw-node-refused">
          <IconBan size={12} aria-hidden />
        </span>
      )}
      <Handle type="source" position={Position.Bottom} isConnectable={data.editable} />
    </div>
  );
}

function NameField(props: {
  readonly label: string;
  readonly onDone: (name: string | null) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <input
      ref={field}
      className="sw-node-name nodrag nopan"
      aria-label={t('New name of {label}', { label: props.label })}
      defaultValue={props.label}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        props.onDone(event.key === 'Enter' ? event.currentTarget.value : null);
        // The keyboard goes back to the node, not to nowhere.
        event.currentTarget.closest<HTMLElement>('.react-flow__node')?.focus();
      }}
      onBlur={() => props.onDone(null)}
    />
  );
}

function DetailText(props: { readonly noted: boolean; readonly text: string }) {
  return props.noted ? <em className="sw-node-note">{props.text}</em> : <span>{props.text}</span>;
}
