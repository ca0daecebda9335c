import { t } from '../../../preload/texts/t.ts';
import './editor.css';
import { Button } from '@mantine/core';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { useCommand } from '../../app/use-command.ts';
import { fileName } from '../../data/draft-names.ts';
import { useDrafts } from '../../data/studio.ts';
import { useChosenBinding } from '../../environments/chosen-alias.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { ListSkeleton } from '../../ui/page.tsx';
import { closeOver, togglePart } from '../../workbench/layout-store.ts';
import { openTab } from '../../workbench/tabs-store.ts';
import { RenameDialog } from './across/rename-dialog.tsx';
import { useAttachedRegistry } from './attached-registry.ts';
import { confirmDiscard } from './confirm-discard.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { isDirty, saveStateOf } from './draft-buffer.ts';
import { EditorBar } from './editor-bar.tsx';
import { EditorSide } from './editor-side.tsx';
import { EditorSplit } from './editor-split.tsx';
import { useInspectorPart } from './inspector/use-inspector-part.ts';
import { EditorBreadcrumbs } from './outline-panel.tsx';
import type { LiveRunProps } from './run/run-panel.tsx';
import { useRunPanel } from './run/use-run-panel.tsx';
import { nodeAtLine } from './spec-analysis.ts';
import { type EditorHandle, SpecEditor } from './spec-editor.tsx';
import { modelUriOf } from './text-models.ts';
import { useAnalysis } from './use-analysis.ts';
import { useDraftBuffer } from './use-draft-buffer.ts';
import { useDrawnLines } from './use-drawn-lines.ts';
import { useEditorStatus } from './use-editor-status.ts';
import { usePreview } from './use-preview.ts';
import { useReveal } from './use-reveal.ts';

export interface EditorPageProps {
  readonly projectId: string;
  readonly draftRef: string;
  /** Where to go in the text: a line, or a path of the document. */
  readonly line: number | undefined;
  readonly path: string | undefined;
  /** The secret whose binding is asked for at once. */
  readonly credential: string | undefined;
  /** Follows a run of the draft; several features draw it, so `app` puts it in. */
  readonly liveRun: ComponentType<LiveRunProps>;
}

/** A draft: its text with findings as you type, its graph beside it, and the platform's word. */
export function EditorPage(props: EditorPageProps) {
  const { projectId, draftRef } = props;
  const session = useDraftBuffer(projectId, draftRef);
  const { buffer } = session;
  const summary = useDrafts(projectId).data?.find(({ ref }) => ref === draftRef);
  const readOnly = summary !== undefined && summary.capabilities !== 'read_write';
  const alias = useChosenBinding(projectId)?.alias;
  const analysis = useAnalysis(draftRef, useAttachedRegistry(projectId));
  const checkable =
    summary?.kind === 'spec' && analysis.latest?.parsed === true && !analysis.running;
  const preview = usePreview(projectId, draftRef, alias, buffer, checkable);
  const editor = useRef<EditorHandle | null>(null);
  const [ready, setReady] = useState(false);
  const [cursor, setCursor] = useState<{ line: number; column: number } | null>(null);
  const [deciding, setDeciding] = useState(false);
  const conflict = buffer !== null && buffer.theirs !== null;
  const save = async (): Promise<boolean> => {
    if (conflict) {
      setDeciding(true);
      return false;
    }
    await inspector.settled();
    return await session.save();
  };
  useEffect(() => openTab(projectId, draftRef), [projectId, draftRef]);
  useEffect(() => {
    document.title = t('{file} · Specwright', { file: fileName(draftRef) });
  }, [draftRef]);
  useEffect(() => setDeciding(conflict), [conflict]);
  useAdoptedText(editor, session.adopted);
  const problems = useEditorStatus({
    projectId,
    ref: draftRef,
    buffer,
    readOnly,
    analysis,
    preview,
    cursor,
    editor,
  });
  useReveal({
    editor,
    ready,
    analysis,
    draftRef,
    text: buffer?.text,
    line: props.line,
    path: props.path,
  });
  const inspector = useInspectorPart({
    editor,
    file: draftRef,
    analysis: analysis.latest,
    enabled: buffer !== null,
  });
  const { onCursor } = inspector.session;
  const lines = useDrawnLines(editor, analysis.latest, onCursor);
  const running = useRunPanel({
    projectId,
    draftRef,
    alias,
    buffer,
    current: session.current,
    problems,
    summary,
    analysis,
    editor,
    ready,
    onNode: lines.reveal,
    settled: inspector.settled,
    liveRun: props.liveRun,
  });
  useCommand('draft.save', () => void save(), buffer !== null);
  useCommand('draft.preview', preview.run, alias !== undefined);
  useCommand('draft.format', () => editor.current?.format(), buffer !== null && !readOnly);
  useCommand('draft.symbol', () => editor.current?.run('symbol'), buffer !== null);
  useCommand('draft.problem', () => editor.current?.run('problem'), buffer !== null);
  useCommand('view.side', () => togglePart('side'));
  useCommand(
    'draft.revert',
    () => confirmDiscard(fileName(draftRef), () => editor.current?.setText(session.discard())),
    buffer !== null && isDirty(buffer),
  );
  if (session.query.isError && buffer === null) {
    return <ErrorState error={session.query.error} onRetry={() => session.query.refetch()} />;
  }
  if (buffer === null) {
    return (
      <div className="sw-page-body">
        <ListSkeleton rows={12} />
      </div>
    );
  }
  const activeId =
    cursor === null || analysis.latest === null
      ? null
      : (nodeAtLine(analysis.latest.nodeRanges, cursor.line) ?? null);
  return (
    <section className="sw-editor" data-testid="editor-page" data-ref={draftRef}>
      <EditorBar
        projectId={projectId}
        draftRef={draftRef}
        summary={summary}
        save={saveStateOf(buffer, readOnly)}
        dirty={isDirty(buffer)}
        savedText={buffer.base.text}
        text={buffer.text}
        revision={session.revision}
        alias={alias}
        credentials={analysis.latest?.credentials ?? []}
        asksFor={props.credential}
        onBound={preview.run}
        onSave={save}
        onRun={running.run}
      />
      {conflict && (
        <div className="sw-banner" role="alert" data-testid="conflict-banner">
          <span className="sw-banner-text">
            {t('This draft was changed elsewhere. Your text and the other version are both kept.')}
          </span>
          <Button size="compact-xs" variant="default" onClick={() => setDeciding(true)}>
            {t('Compare and decide')}
          </Button>
        </div>
      )}
      <div className="sw-editor-body">
        <EditorSplit
          below={running.panel}
          side={
            <EditorSide
              projectId={projectId}
              label={fileName(draftRef)}
              analysis={analysis}
              activeId={activeId}
              lines={lines}
              inspector={inspector}
              editor={editor}
              file={draftRef}
              readOnly={readOnly}
              cursor={cursor}
              onPlace={(range) => {
                closeOver();
                editor.current?.reveal(range);
              }}
              problems={problems}
              preview={preview}
              alias={alias}
              text={buffer.text}
              progress={running.progress}
            />
          }
        >
          <EditorBreadcrumbs
            items={analysis.outline}
            cursor={cursor}
            onOpen={(range) => editor.current?.reveal(range)}
          />
          <SpecEditor
            key={draftRef}
            modelUri={modelUriOf(projectId, draftRef)}
            initialText={buffer.text}
            readOnly={readOnly}
            label={t('Text of {file}', { file: fileName(draftRef) })}
            diagnostics={analysis.latest?.diagnostics ?? []}
            platformProblems={problems.filter(({ source }) => source === 'platform')}
            onOpen={analysis.push}
            onChange={(text, version) => {
              session.type(text);
              analysis.push(text, version);
            }}
            onCursor={(line, column) => {
              setCursor({ line, column });
              onCursor(line, column);
            }}
            onReady={(handle) => {
              editor.current = handle;
              setReady(true);
            }}
          />
        </EditorSplit>
      </div>
      <RenameDialog
        projectId={projectId}
        draftRef={draftRef}
        editor={editor}
        dirty={isDirty(buffer)}
        revision={session.revision}
      />
      {deciding && buffer.theirs !== null && (
        <ConflictDialog
          fileName={fileName(draftRef)}
          base={buffer.base}
          mine={buffer.text}
          theirs={buffer.theirs}
          onClose={() => setDeciding(false)}
          onResolve={(text) => {
            session.decide(text);
            editor.current?.setText(text);
            void session.save();
          }}
          onTakeTheirs={() => {
            editor.current?.setText(session.discard());
            notifyDone(t('Their version is open; undo brings your text back'));
          }}
        />
      )}
    </section>
  );
}

/** Shows a text that someone else saved while this one was untouched. */
function useAdoptedText(
  editor: { readonly current: EditorHandle | null },
  adopted: string | null,
): void {
  useEffect(() => {
    if (adopted !== null) {
      editor.current?.setText(adopted);
    }
  }, [editor, adopted]);
}
