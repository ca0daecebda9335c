import { useCallback, useEffect, useRef, useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import type { GraphOperation, StepAddress } from '../../../../server/spec/edit/graph/operation.ts';
import { notifyError } from '../../../ui/notify.tsx';
import { askRename, type RenameWish } from '../across/rename-request.ts';
import { askSpecWorker } from '../spec-client.ts';
import type { EditorHandle } from '../spec-editor.tsx';
import type { GraphEditAnswer } from '../spec-protocol.ts';
import type { GraphEditing } from './editing-types.ts';

/** What the line below the graph says. */
export interface GraphWord {
  readonly tone: 'done' | 'refused';
  readonly text: string;
}

/** Makes operations of a drawing in the text that the editor shows. */
export interface GraphEditSession {
  readonly word: GraphWord | null;
  readonly say: (word: GraphWord | null) => void;
  /** True when the text was changed; why not is said. */
  readonly make: (operation: GraphOperation, done: string) => Promise<boolean>;
  /** Why no edge can lead from a step to each node. */
  readonly faultsFrom: (from: StepAddress) => Promise<Readonly<Record<string, string>>>;
  readonly history: (step: 'undo' | 'redo') => void;
}

const MEANWHILE = t('The text has changed meanwhile. Try it again.');

function sameStep(a: StepAddress, b: StepAddress): boolean {
  return a.workflow === b.workflow && a.step === b.step;
}

/** Puts the keyboard on a node as soon as it is drawn, unless the author went on before. */
function focusNode(host: HTMLElement | null, id: string, isWanted: () => boolean): void {
  const until = performance.now() + 1_000;
  const look = (): void => {
    if (!isWanted()) return;
    const node = [...(host?.querySelectorAll<HTMLElement>('.react-flow__node') ?? [])].find(
      (one) => one.dataset['id'] === id,
    );
    if (node !== undefined) node.focus({ preventScroll: true });
    else if (performance.now() < until) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/**
 * The edits of an operation. A step that other drafts name too is renamed there as well, once that
 * is agreed to in a dialog: `asked`.
 */
async function answerOf(
  draft: Pick<RenameWish, 'projectId' | 'ref' | 'text'>,
  operation: GraphOperation,
): Promise<GraphEditAnswer | 'asked' | undefined> {
  const whole = { text: draft.text, file: draft.ref };
  const answer = await askSpecWorker('graph_edit', { ...whole, operation });
  if (operation.op !== 'rename_step' || answer === undefined || 'problem' in answer) return answer;
  const { at, name } = operation;
  const offset = await askSpecWorker('step_name', { ...whole, at });
  if (offset === null || offset === undefined) return answer;
  const asked = await askRename({ ...draft, offset, name });
  return asked === 'alone' ? answer : asked;
}

/** Operations of the drawing in the text of an editor; the step that an operation is about is looked at afterwards. */
export function useGraphEdit(input: {
  readonly editor: { readonly current: EditorHandle | null };
  readonly host: { readonly current: HTMLElement | null };
  readonly projectId: string;
  readonly file: string;
  readonly editing: GraphEditing | null;
  readonly onLook: (id: string) => void;
}): GraphEditSession {
  const { editor, host, projectId, file, editing, onLook } = input;
  const [word, setWord] = useState<GraphWord | null>(null);
  const wanted = useRef<StepAddress | null>(null);
  const turn = useRef(0);
  const say = useCallback((next: GraphWord | null) => {
    wanted.current = null;
    turn.current += 1;
    setWord(next);
  }, []);
  useEffect(() => {
    const address = wanted.current;
    if (address === null || editing === null) return;
    wanted.current = null;
    const mine = turn.current;
    const id = Object.entries(editing.steps).find(([, { at }]) => sameStep(at, address))?.[0];
    if (id === undefined) return;
    onLook(id);
    focusNode(host.current, id, () => turn.current === mine);
  }, [editing, host, onLook]);
  const make = useCallback(
    async (operation: GraphOperation, done: string): Promise<boolean> => {
      const handle = editor.current;
      if (handle === null) return false;
      const text = handle.text();
      try {
        const answer = await answerOf({ projectId, ref: file, text }, operation);
        if (answer === undefined || answer === 'asked') return answer === 'asked';
        if ('problem' in answer) {
          setWord({ tone: 'refused', text: answer.problem });
          return false;
        }
        if (answer.edits.length === 0) return true;
        wanted.current = answer.select;
        const made = handle.edit(text, answer.edits);
        if (!made) wanted.current = null;
        const words = [done, ...answer.notes].join(' ');
        setWord(made ? { tone: 'done', text: words } : { tone: 'refused', text: MEANWHILE });
        return made;
      } catch (error) {
        notifyError(t('The graph was not changed'), error);
        return false;
      }
    },
    [editor, projectId, file],
  );
  const faultsFrom = useCallback(
    async (from: StepAddress) =>
      (await askSpecWorker('connect_faults', {
        text: editor.current?.text() ?? '',
        file,
        from,
      })) ?? {},
    [editor, file],
  );
  const history = useCallback((step: 'undo' | 'redo') => editor.current?.history(step), [editor]);
  return { word, say, make, faultsFrom, history };
}
