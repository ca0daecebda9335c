import { t } from '../../../preload/texts/t.ts';
import './fix.css';
import { ActionIcon, Button } from '@mantine/core';
import { IconTool, IconX } from '@tabler/icons-react';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { shortRunId } from '../../ui/short-id.ts';
import { createStore, useStore } from '../../ui/store.ts';

/** The runs whose spec somebody went to mend; empty = none. */
export const fixingStore = createStore<readonly string[]>([]);

/** Over the editor, while somebody mends the spec of failed runs: the way back to them. */
export function FixBar(props: { readonly path: string }) {
  const runs = useStore(fixingStore);
  const [first] = runs;
  if (first === undefined || !/^\/projects\/[^/]+\/drafts\//.test(props.path)) {
    return null;
  }
  return (
    <section className="sw-fix-bar" aria-label={t('A run is being fixed')} data-testid="fix-bar">
      <IconTool size={16} aria-hidden />
      <span>
        {t('Fixing {detail}', {
          detail:
            runs.length === 1
              ? t('run {run}', { run: shortRunId(first) })
              : t('{count, plural, one {# run} other {# runs}}', { count: runs.length }),
        })}
      </span>
      <Button size="compact-xs" onClick={() => navigateTo(paths.fix(runs))} data-testid="fix-back">
        {t('Check and carry on…')}
      </Button>
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={t('Stop fixing')}
        onClick={() => fixingStore.set([])}
      >
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </section>
  );
}
