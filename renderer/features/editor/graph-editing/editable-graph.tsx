import { t } from '../../../../preload/texts/t.ts';
import { SERVICE_TEXT } from '../../../ui/service-text.tsx';
import './graph-editing.css';
import { useCallback, useRef, useState } from 'react';
import type { GraphOperation } from '../../../../server/spec/edit/graph/operation.ts';
import { GraphCanvas, type GraphCanvasProps } from '../../../graph/graph-canvas.tsx';
import type { EditorHandle } from '../spec-editor.tsx';
import type { DrawnLines } from '../use-drawn-lines.ts';
import type { DrawnLine, DrawnStep, GraphEditing } from './editing-types.ts';
import {
  type Chosen,
  type GraphAction,
  lackOf,
  NOTHING_CHOSEN,
  stillThere,
} from './graph-actions.ts';
import { type GraphDialog, GraphDialogs } from './graph-dialogs.tsx';
import { GraphMenu } from './graph-menu.tsx';
import { GraphToolbar } from './graph-toolbar.tsx';
import { useCanvasEditing } from './use-canvas-editing.ts';
import { type GraphEditSession, useGraphEdit } from './use-graph-edit.ts';

const STALE = t('The text cannot be read now, so the graph cannot be edited. Mend the text first.');

interface Acting {
  readonly session: GraphEditSession;
  readonly open: (dialog: GraphDialog) => void;
  readonly setRenaming: (id: string | null) => void;
  readonly inspect: () => void;
  readonly reveal: (id: string) => void;
}

function remove(session: GraphEditSession, step?: DrawnStep, line?: DrawnLine): void {
  if (line !== undefined) {
    void session.make({ op: 'delete_line', line: line.at }, t('The edge was deleted.'));
  } else if (step !== undefined) {
    void session.make(
      { op: 'delete_step', at: step.at },
      t('"{key}" was deleted.', { key: step.key }),
    );
  }
}

function move(session: GraphEditSession, way: 'earlier' | 'later', step?: DrawnStep): void {
  if (step === undefined) return;
  const by = way === 'earlier' ? -1 : 1;
  void session.make(
    { op: 'move_step', at: step.at, by },
    t('"{key}" comes {way} now.', { key: step.key, way }),
  );
}

function fallBack(session: GraphEditSession, line?: DrawnLine): void {
  if (line === undefined) return;
  const done = t('"{to}" runs now when "{from}" fails.', { to: line.to, from: line.from });
  void session.make({ op: 'set_fallback', line: line.at }, done);
}

function begin(
  { session, open, setRenaming, inspect, reveal }: Acting,
  action: GraphAction,
  id: string | null,
  step?: DrawnStep,
  line?: DrawnLine,
): void {
  switch (action) {
    case 'undo':
    case 'redo':
      session.history(action);
      return;
    case 'inspect':
      inspect();
      return;
    case 'text':
      if (id !== null) reveal(id);
      return;
    case 'rename':
      setRenaming(id);
      return;
    case 'delete':
      remove(session, step, line);
      return;
    case 'fallback':
      fallBack(session, line);
      return;
    case 'earlier':
    case 'later':
      move(session, action, step);
      return;
    default:
      open(action);
  }
}

/** The live graph of a draft, which edits its text. */
export function EditableGraph(
  props: Omit<GraphCanvasProps, 'editing'> & {
    readonly editor: { readonly current: EditorHandle | null };
    readonly projectId: string;
    readonly file: string;
    readonly editing: GraphEditing;
    readonly lines: DrawnLines;
    /** Opens the form of what is chosen. */
    readonly onInspect: () => void;
  },
) {
  const { editor, projectId, file, editing, lines, onInspect, ...canvas } = props;
  const { look: onLook, lookEdge, reveal } = lines;
  const host = useRef<HTMLDivElement>(null);
  const [picked, setPicked] = useState<Chosen>(NOTHING_CHOSEN);
  const [asked, setAsked] = useState<{ dialog: GraphDialog; about: Chosen } | null>(null);
  const lookAfter = useCallback(
    (id: string) => {
      setPicked({ nodes: [id], line: null, left: true });
      onLook(id);
    },
    [onLook],
  );
  const session = useGraphEdit({ editor, host, projectId, file, editing, onLook: lookAfter });
  const [menu, setMenu] = useState<{ readonly x: number; readonly y: number } | null>(null);
  const [renaming, setRenaming] = useState<string | null>(null);
  const fault = canvas.stale === true ? STALE : editing.fault;
  const chosen = stillThere(picked, editing);
  const act = (action: GraphAction, about: Chosen): void => {
    const history = action === 'undo' || action === 'redo';
    const lack = history ? undefined : (fault ?? lackOf(action, about));
    session.say(lack === undefined ? null : { tone: 'refused', text: lack });
    if (lack !== undefined) return;
    const id = about.nodes[0] ?? null;
    const step = id === null ? undefined : editing.steps[id];
    const line = about.line === null ? undefined : editing.lines[about.line];
    const open = (dialog: GraphDialog): void => setAsked({ dialog, about });
    const inspect = (): void => {
      if (about.line !== null) lookEdge(about.line);
      else if (id !== null) onLook(id);
      onInspect();
    };
    begin({ session, open, setRenaming, inspect, reveal }, action, id, step, line);
  };
  const canvasEditing = useCanvasEditing({
    ...{ session, editing, chosen, renaming, act, setRenaming, onLook, lookEdge },
    enabled: fault === null,
    choose(next) {
      setPicked(next);
      session.say(null);
    },
    openMenu: setMenu,
  });
  const makeAndClose = (operation: GraphOperation, done: string): void => {
    void session.make(operation, done).then((made) => {
      if (made) setAsked(null);
    });
  };
  return (
    <div className="sw-graph-edit" ref={host}>
      <GraphToolbar chosen={chosen} fault={fault} onAction={(action) => act(action, chosen)} />
      <div className="sw-graph-drawing">
        <GraphCanvas {...canvas} editing={canvasEditing} />
      </div>
      <p
        className="sw-graph-word"
        role="status"
        data-testid="graph-word"
        data-tone={session.word?.tone}
        {...(fault !== null && canvas.stale !== true ? SERVICE_TEXT : {})}
      >
        {fault ?? session.word?.text ?? ''}
      </p>
      {menu !== null && (
        <GraphMenu
          at={menu}
          chosen={chosen}
          onAction={(action) => act(action, chosen)}
          onClose={() => setMenu(null)}
        />
      )}
      {asked !== null && (
        <GraphDialogs
          {...{ dialog: asked.dialog, editing, session }}
          chosen={stillThere(asked.about, editing)}
          onMake={makeAndClose}
          onClose={() => {
            setAsked(null);
            session.say(null);
          }}
        />
      )}
    </div>
  );
}
