import { t } from '../../../../preload/texts/t.ts';
import './compose.css';
import { Button, Select } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { compositionQuery } from '../../../data/artifact-actions.ts';
import { useArtifacts, useDrafts } from '../../../data/studio.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { Unread } from '../../../ui/unread.tsx';
import { CompareView } from '../compare/compare-view.tsx';
import {
  type CompareSide,
  readSide,
  type SideGroup,
  sideGroups,
  sideText,
} from './compare-side.ts';
import { frozenLayers } from './compose-model.ts';
import { type ComposeBody, composeQuery } from './use-composed.ts';

interface CompareVersionsProps {
  readonly projectId: string;
  readonly left: string | undefined;
  readonly right: string | undefined;
}

/** Two artifacts, or an artifact and a draft, beside one another: lines, meaning and drawings. */
export function CompareVersionsPage(props: CompareVersionsProps) {
  const { projectId } = props;
  const artifacts = useArtifacts(projectId);
  const drafts = useDrafts(projectId);
  const [left, right] = [readSide(props.left), readSide(props.right)];
  const go = (one: string | undefined, other: string | undefined): void =>
    navigateTo(paths.compareVersions(projectId, one, other), { replace: true });
  const groups = sideGroups(artifacts.data ?? [], drafts.data ?? []);
  return (
    <Page
      title={t('Compare versions')}
      sub={t('What one says otherwise than the other')}
      testId="compare-versions"
    >
      <Unread query={artifacts.isSuccess ? drafts : artifacts} />
      {artifacts.isSuccess && drafts.isSuccess && (
        <>
          <div className="sw-compare-sides">
            <SideField
              label={t('Earlier')}
              groups={groups}
              value={left}
              onChange={(value) => go(value, props.right)}
              testId="compare-left"
            />
            <Button
              size="xs"
              variant="default"
              aria-label={t('Change sides')}
              onClick={() => go(props.right, props.left)}
              px={8}
            >
              <IconArrowsLeftRight size={15} />
            </Button>
            <SideField
              label={t('Later')}
              groups={groups}
              value={right}
              onChange={(value) => go(props.left, value)}
              testId="compare-right"
            />
          </div>
          {left === undefined || right === undefined ? (
            <EmptyState compact title={t('Choose two versions')}>
              {t(
                'Versions of a draft are its artifacts; the draft as it is now stands beside them.',
              )}
            </EmptyState>
          ) : (
            <Compared projectId={projectId} sides={[left, right]} groups={groups} />
          )}
        </>
      )}
    </Page>
  );
}

function SideField(props: {
  readonly label: string;
  readonly groups: readonly SideGroup[];
  readonly value: CompareSide | undefined;
  readonly onChange: (value: string) => void;
  readonly testId: string;
}) {
  return (
    <Select
      label={props.label}
      size="xs"
      searchable
      allowDeselect={false}
      placeholder={t('Choose a version')}
      data={[...props.groups]}
      value={props.value === undefined ? null : sideText(props.value)}
      onChange={(value) => value !== null && props.onChange(value)}
      data-testid={props.testId}
    />
  );
}

function Compared(props: {
  readonly projectId: string;
  readonly sides: readonly [CompareSide, CompareSide];
  readonly groups: readonly SideGroup[];
}) {
  const { projectId, sides, groups } = props;
  const left = useSideText(projectId, sides[0]);
  const right = useSideText(projectId, sides[1]);
  const labelOf = (side: CompareSide): string =>
    groups.flatMap(({ items }) => items).find(({ value }) => value === sideText(side))?.label ??
    t('A version that is gone');
  if (left.data === undefined) return <Unread query={left} compact />;
  if (right.data === undefined) return <Unread query={right} compact />;
  return (
    <CompareView
      first="meaning"
      left={left.data.text}
      right={right.data.text}
      file="version.yaml"
      labels={[labelOf(sides[0]), labelOf(sides[1])]}
    />
  );
}

/** The composed text of a side; drafts are composed too, so that both are written alike. */
function useSideText(projectId: string, side: CompareSide) {
  const drafts = useDrafts(projectId).data ?? [];
  const id = side.kind === 'draft' ? undefined : side.id;
  const frozen = useQuery({
    ...compositionQuery(projectId, id ?? ''),
    enabled: id !== undefined,
  });
  const now = (path: string) => ({
    path,
    revision: drafts.find(({ ref }) => ref === path)?.revision ?? '',
  });
  let body: ComposeBody | null = null;
  if (side.kind === 'draft') {
    body = { base: now(side.ref), overlays: [], overrides: {} };
  } else if (side.kind === 'next' && frozen.data !== undefined) {
    const [base, ...overlays] = frozenLayers(frozen.data).map(({ path }) => now(path));
    body = { base: base ?? now(''), overlays, overrides: frozen.data.overrides };
  }
  const composed = useQuery({
    ...composeQuery(projectId, body),
    placeholderData: keepPreviousData,
  });
  return side.kind === 'artifact' || frozen.isError ? frozen : composed;
}
