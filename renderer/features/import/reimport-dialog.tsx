import { Button, Modal } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { t } from '../../../preload/texts/t.ts';
import { sha256Hex } from '../../../server/kernel/sha256.ts';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { fileName, isGenerated } from '../../data/draft-names.ts';
import { useAction } from '../../data/use-action.ts';
import { type OpenedFile, openImportFiles } from '../../desktop/bridge.ts';
import { AskForm } from '../../ui/ask-form.tsx';
import { notifyDone } from '../../ui/notify.tsx';
import { rich } from '../../ui/rich.ts';
import type { ReimportRequest } from '../../workbench/reimport-request.ts';
import { trackWork } from '../../workbench/work-store.ts';
import { keptFiles } from './batch-files.ts';
import { CONVERSION_WORDS } from './import-choice.ts';
import { importFile } from './import-queries.ts';
import { type ChosenFile, judgeFile, sameText } from './reimport-model.ts';

interface Chosen {
  readonly name: string;
  readonly judged: ChosenFile;
}

/** Imports the source of a draft again: with the file that is at hand, else one that is chosen. */
export function ReimportDialog(props: ReimportRequest & { readonly onClose: () => void }) {
  const { projectId, ref, source, conversion, sourceSha256, onClose } = props;
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const take = (file: OpenedFile): void => {
    const hash = file.text === null ? '' : sha256Hex(file.text);
    const judged = judgeFile(file, hash, { source, sha: sourceSha256 });
    setChosen({ name: file.name, judged });
  };
  useEffect(() => {
    let current = true;
    const find = async (): Promise<void> => {
      const files = await keptFiles(projectId);
      const kept = files.find(({ text }) => text !== null && sha256Hex(text) === sourceSha256);
      if (current && kept?.text != null) {
        setChosen({ name: kept.name, judged: { usable: true, same: true, text: kept.text } });
      }
    };
    // Without the window's database no file is at hand, and one is asked for.
    find().catch(() => undefined);
    return () => {
      current = false;
    };
  }, [projectId, sourceSha256]);
  const judged = chosen?.judged;
  const importing = useAction(async () => {
    if (chosen === null || judged?.usable !== true) {
      return;
    }
    const file = { name: chosen.name, text: judged.text };
    const title = isGenerated(ref) ? fileName(ref) : undefined;
    const options = { conversion, ...(title === undefined ? {} : { title }) };
    const result = await trackWork(
      t('Importing {name}', { name: chosen.name }),
      importFile(projectId, source, file, options),
    );
    onClose();
    const [analysisId] = result.analysis_ids;
    if (result.draft.path === ref || analysisId === undefined) {
      notifyDone(t('Imported again: the draft is the same, its analysis is new'));
      return;
    }
    navigateTo(paths.importResult(projectId, analysisId, result.draft.path, ref));
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Import the source of {file} again', { file: fileName(ref) })}
      size="lg"
    >
      <AskForm
        action={importing}
        failure={t('It was not imported')}
        label={t('Import again')}
        ready={judged?.usable === true}
        onCancel={onClose}
        testId="reimport-file"
      >
        <p style={{ marginTop: 0 }}>
          {rich(
            'The studio keeps what it found, not the file. Choose the {source} export that {b} was made from, or a later version of it. It is converted as before: {lowerCase}.',
            {
              source,
              b: <strong>{ref}</strong>,
              lowerCase: CONVERSION_WORDS[conversion].label.toLowerCase(),
            },
          )}
        </p>
        <Button
          variant="default"
          leftSection={<IconFileImport size={16} />}
          onClick={() =>
            void openImportFiles().then(([file]) => {
              if (file !== undefined) take(file);
            })
          }
          data-testid="choose-source"
        >
          {chosen === null ? t('Choose the file…') : t('Choose another file…')}
        </Button>
        <p role="status" data-testid="chosen-source">
          {chosen !== null && (
            <>
              <strong>{chosen.name}</strong>.{' '}
              {chosen.judged.usable ? sameText(chosen.judged.same) : chosen.judged.problem}
            </>
          )}
        </p>
      </AskForm>
    </Modal>
  );
}
