import { Button, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../../preload/texts/t.ts';
import { notifyError, notifyHint } from '../../../ui/notify.tsx';
import { askSpecWorker } from '../spec-client.ts';
import { type EditorHandle, SpecEditor } from '../spec-editor.tsx';
import type { RangedDiagnostic } from '../spec-protocol.ts';
import { layerAt } from './layer-lines.ts';
import { type Composed, withOverride } from './use-composed.ts';

/** Overrides as YAML with the language of specs; a value of the composition is added by its path. */
export function OverridesField(props: {
  /** The model of the text, with its undo history. */
  readonly modelUri: string;
  readonly base: string;
  readonly text: string;
  readonly problem: string | null;
  readonly composed: Composed;
  readonly onChange: (text: string) => void;
}) {
  const { text, composed, base } = props;
  const [open, setOpen] = useState(text !== '');
  const [round, setRound] = useState(0);
  const editor = useRef<EditorHandle | null>(null);
  const waiting = useRef<string | null>(null);
  const marks = useMarks(text, composed);
  const add = async (label: string): Promise<void> => {
    const leaf = composed.layers?.leaves.find((one) => one.label === label);
    if (composed.view === undefined || leaf === undefined) return;
    const next = await withOverride(composed.view, base, text, leaf.path);
    if (next === null) {
      notifyHint(t('The overrides cannot take this value: mend their text first'));
      return;
    }
    setOpen(true);
    if (editor.current === null) waiting.current = next;
    else show(editor.current, next);
  };
  return (
    <div data-testid="overrides">
      <Select
        key={round}
        size="xs"
        searchable
        aria-label={t('Override a value by its path')}
        placeholder={t('Override a value by its path…')}
        nothingFoundMessage={t('No value of that path')}
        limit={100}
        data={(composed.layers?.leaves ?? []).map(({ label }) => label)}
        onChange={(label) => {
          if (label === null) return;
          add(label).catch((error) => notifyError(t('The value was not added'), error));
          setRound(round + 1);
        }}
        data-testid="override-path"
      />
      {open ? (
        <div className="sw-overrides-editor">
          <SpecEditor
            modelUri={props.modelUri}
            initialText={text}
            readOnly={false}
            label={t('Overrides')}
            diagnostics={marks}
            platformProblems={[]}
            onOpen={() => undefined}
            onChange={props.onChange}
            onCursor={() => undefined}
            onReady={(handle) => {
              editor.current = handle;
              if (waiting.current !== null) show(handle, waiting.current);
              waiting.current = null;
            }}
          />
        </div>
      ) : (
        <Button
          mt={6}
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={13} />}
          onClick={() => setOpen(true)}
          data-testid="write-overrides"
        >
          {t('Write overrides')}
        </Button>
      )}
      {props.problem !== null && (
        <p className="sw-layer-fault" role="alert" data-testid="overrides-problem">
          {props.problem}
        </p>
      )}
    </div>
  );
}

/** Puts a text in and the keyboard at its end, where the new value stands. */
function show(editor: EditorHandle, text: string): void {
  editor.setText(text);
  const lines = text.trimEnd().split('\n');
  const at = { startLine: lines.length, startColumn: (lines.at(-1)?.length ?? 0) + 1 };
  editor.reveal({ ...at, endLine: at.startLine, endColumn: at.startColumn });
}

/** Findings of the composition that the overrides brought, at their places in the overrides. */
function useMarks(text: string, { view, findings }: Composed): readonly RangedDiagnostic[] {
  const [marks, setMarks] = useState<readonly RangedDiagnostic[]>([]);
  useEffect(() => {
    let current = true;
    const own = (findings ?? []).filter(
      ({ path }) =>
        path !== null && view !== undefined && layerAt(view.origins, path) === 'overrides',
    );
    const places = own.map(async (finding) => {
      const path = finding.path ?? '';
      const range = await askSpecWorker('locate', { text, file: '/overrides.yaml', path });
      return { ...finding, range: range ?? null };
    });
    Promise.all(places).then(
      (found) => current && setMarks(found),
      (error: unknown) => current && notifyError(t('The overrides could not be checked'), error),
    );
    return () => {
      current = false;
    };
  }, [text, view, findings]);
  return marks;
}
