import { t } from '../../../preload/texts/t.ts';
import '../../ui/rows.css';
import { Button, Group, Radio, Stack } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconFileImport, IconFolderOpen } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ImportSources, listImportSources } from '../../../server/contract/studio/imports.ts';
import { runCommand } from '../../app/commands.ts';
import { routeQuery } from '../../data/query-client.ts';
import { Badge, type Tone } from '../../ui/status-badge.tsx';
import { useStore } from '../../ui/store.ts';
import { Unread } from '../../ui/unread.tsx';
import { CONVERSION_WORDS, CONVERSIONS, conversionStore } from './import-choice.ts';

const MODAL = 'import-options';

type Status = ImportSources['sources'][number]['status'];

const STATUS: Readonly<Record<Status, { tone: Tone; about: string }>> = {
  supported: { tone: 'success', about: t('Held against many real exports.') },
  experimental: {
    tone: 'warning',
    about: t('Read, and not held against many files yet: look at its gaps closely.'),
  },
  planned: { tone: 'neutral', about: t('Cannot be imported yet.') },
};

/** What can be imported and how well, and how it is converted; remembered for every later import. */
export function ImportOptions(props: { readonly onChoose: (command: string) => void }) {
  const sources = useQuery({ ...routeQuery(listImportSources), staleTime: 60_000 });
  const conversion = useStore(conversionStore);
  return (
    <div data-testid="import-options">
      <h3 className="sw-section-title">{t('What can be imported')}</h3>
      <Unread query={sources} rows={4} compact />
      {sources.isSuccess && (
        <ul className="sw-rows" aria-label={t('Sources')}>
          {sources.data.sources.map(({ id, label, status, accepts }) => (
            <li key={id} data-testid={`source-${id}`}>
              <div className="sw-row-name">
                <span>
                  <strong>{label}</strong> <code>{accepts.join(', ')}</code>
                </span>
                <span className="sw-faint">{STATUS[status].about}</span>
              </div>
              <Badge tone={STATUS[status].tone}>{status}</Badge>
            </li>
          ))}
        </ul>
      )}
      <Radio.Group
        label={t('Conversion')}
        description={t('Of n8n and Dify, for this import and those after it; the others have one.')}
        value={conversion}
        onChange={(value) => {
          const chosen = CONVERSIONS.find((known) => known === value);
          if (chosen !== undefined) conversionStore.set(chosen);
        }}
      >
        <Stack gap="xs" mt="xs">
          {CONVERSIONS.map((value) => (
            <Radio
              key={value}
              value={value}
              label={CONVERSION_WORDS[value].label}
              description={CONVERSION_WORDS[value].about}
              data-testid={`conversion-${value}`}
            />
          ))}
        </Stack>
      </Radio.Group>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button
          variant="default"
          leftSection={<IconFolderOpen size={16} />}
          onClick={() => props.onChoose('file.import-folder')}
        >
          {t('Choose a folder…')}
        </Button>
        <Button
          leftSection={<IconFileImport size={16} />}
          onClick={() => props.onChoose('file.import')}
          data-testid="choose-import-files"
          data-autofocus
        >
          {t('Choose files…')}
        </Button>
      </Group>
    </div>
  );
}

/** Opens {@link ImportOptions} as a dialog. */
export function showImportOptions(): void {
  modals.open({
    modalId: MODAL,
    title: t('Import'),
    size: 'lg',
    children: (
      <ImportOptions
        onChoose={(command) => {
          modals.close(MODAL);
          runCommand(command);
        }}
      />
    ),
  });
}
