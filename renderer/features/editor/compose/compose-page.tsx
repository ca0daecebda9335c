import { t } from '../../../../preload/texts/t.ts';
import './compose.css';
import { Button, Select } from '@mantine/core';
import { IconArrowBackUp, IconPackage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { DraftSummary } from '../../../../server/contract/studio/drafts.ts';
import type { CompositionView } from '../../../../server/contract/studio/govern.ts';
import { navigateTo } from '../../../app/navigation.ts';
import { paths } from '../../../app/paths.ts';
import { useCommand } from '../../../app/use-command.ts';
import { WINDOW_PART } from '../../../app/window-parts.ts';
import { compositionQuery, declareNotApplicable, freeze } from '../../../data/artifact-actions.ts';
import { fileName } from '../../../data/draft-names.ts';
import { useArtifacts, useBindings, useDrafts, useMayEdit } from '../../../data/studio.ts';
import { useAction } from '../../../data/use-action.ts';
import { type CompositionPlace, compositionKey } from '../../../desktop/kept-compositions.ts';
import { useChosenBinding } from '../../../environments/chosen-alias.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { notifyDone } from '../../../ui/notify.tsx';
import { Page } from '../../../ui/page.tsx';
import { Unread } from '../../../ui/unread.tsx';
import { AliasField, AssertNotice } from '../../../workbench/freeze-fields.tsx';
import { trackWork } from '../../../workbench/work-store.ts';
import { modelUriOf } from '../text-models.ts';
import { AddOverlay } from './add-overlay.tsx';
import {
  type ComposeFault,
  type Composing,
  faultOf,
  freezeLabel,
  frozenLayers,
  layerOf,
  overridesText,
  readOverrides,
} from './compose-model.ts';
import { ComposedView } from './composed-view.tsx';
import type { LayerKey } from './layer-lines.ts';
import { LayerList } from './layer-list.tsx';
import { LayerNotes } from './layer-notes.tsx';
import { OverridesField } from './overrides-field.tsx';
import { type ComposeBody, useComposed } from './use-composed.ts';
import { useComposing } from './use-composing.ts';

interface ComposePageProps {
  readonly projectId: string;
  readonly base: string | undefined;
  /** The artifact whose layers it begins with. */
  readonly from: string | undefined;
}

/** Base, overlays and overrides, what they give together, and the artifact that is made of them. */
export function ComposePage(props: ComposePageProps) {
  const { projectId, base, from } = props;
  const drafts = useDrafts(projectId);
  const frozen = useQuery({
    ...compositionQuery(projectId, from ?? ''),
    enabled: from !== undefined,
  });
  const read = from === undefined || frozen.isSuccess;
  if (!drafts.isSuccess || !read) {
    return (
      <Page title={t('Compose')} testId="compose-page">
        <Unread query={drafts.isSuccess ? frozen : drafts} />
      </Page>
    );
  }
  const place = { projectId, base, from };
  const beginning: Composing = {
    base: frozen.data?.base.path ?? base ?? '',
    overlays: frozen.data?.overlays.map(({ path }) => path) ?? [],
    overrides: overridesText(frozen.data?.overrides ?? {}),
  };
  return (
    <OpenComposition
      key={compositionKey(place)}
      place={place}
      projectId={projectId}
      beginning={beginning}
      drafts={drafts.data}
      from={frozen.data}
      fromId={from}
    />
  );
}

interface OpenProps {
  readonly place: CompositionPlace;
  readonly projectId: string;
  readonly beginning: Composing;
  readonly drafts: readonly DraftSummary[];
  readonly from: CompositionView | undefined;
  readonly fromId: string | undefined;
}

/** The layers as they are now; null while one of them cannot be asked for. */
function useBody(
  composing: Composing,
  drafts: readonly DraftSummary[],
  overrides: ComposeBody['overrides'] | null,
): ComposeBody | null {
  const at = (path: string) => ({
    path,
    revision: drafts.find(({ ref }) => ref === path)?.revision ?? '',
  });
  const layers = [at(composing.base), ...composing.overlays.map(at)];
  const whole = overrides !== null && layers.every(({ revision }) => revision !== '');
  const text = JSON.stringify(whole ? [layers, overrides] : null);
  return useMemo(() => {
    const told: [ComposeBody['overlays'], ComposeBody['overrides']] | null = JSON.parse(text);
    const [base, ...overlays] = told?.[0] ?? [];
    return told === null || base === undefined ? null : { base, overlays, overrides: told[1] };
  }, [text]);
}

function OpenComposition(props: OpenProps) {
  const { projectId, drafts, from, place } = props;
  const state = useComposing(place, props.beginning);
  const { composing, finish } = state;
  const change = (next: Partial<Composing>): void => state.change(() => next);
  const [made, setMade] = useState<string | null>(null);
  useEffect(() => {
    if (made === null) return;
    notifyDone(t('Artifact created'));
    navigateTo(paths.artifact(projectId, made), { replace: true });
  }, [made, projectId]);
  const overrides = useMemo(() => readOverrides(composing.overrides), [composing.overrides]);
  const body = useBody(composing, drafts, overrides.value);
  const composed = useComposed(projectId, body);
  const [refused, setRefused] = useState<{ readonly body: ComposeBody; readonly error: unknown }>();
  // What refused to freeze is told until something of it is another one.
  const failure = composed.error ?? (refused?.body === body ? refused?.error : undefined);
  const fault = failure === undefined ? undefined : faultOf(failure, composing);
  const faultAt = (row: LayerKey): ComposeFault | undefined =>
    fault?.row === row ? fault : undefined;
  const seen = from === undefined ? [] : frozenLayers(from);
  const { base, overlays } = composing;
  const replace = (index: number, path: string): void =>
    change({ overlays: overlays.map((one, at) => (at === index ? path : one)) });
  const freezing = useFreezing({
    ...props,
    composing,
    overrides: overrides.value,
    body,
    fault,
    onMade: (artifactId) => {
      finish();
      setMade(artifactId);
    },
    onRefused: setRefused,
  });
  return (
    <Page
      title={
        from === undefined
          ? t('Compose')
          : t('New version of {file}', { file: fileName(from.base.path) })
      }
      sub={
        state.changed
          ? t('Not frozen yet: it is kept on this computer until you freeze or discard it')
          : t(
              'A base, overlays laid over it in their order, and overrides last: frozen together as an artifact',
            )
      }
      flush
      testId="compose-page"
      actions={
        <>
          {state.changed && (
            <Button
              variant="default"
              leftSection={<IconArrowBackUp size={16} />}
              onClick={state.discard}
              data-testid="discard-composition"
            >
              {t('Discard')}
            </Button>
          )}
          <FreezeButton freezing={freezing} />
        </>
      }
    >
      <div className="sw-compose">
        <div className="sw-compose-form" {...WINDOW_PART}>
          <section aria-labelledby="compose-base">
            <h2 className="sw-section-title" id="compose-base">
              {t('Base')}
            </h2>
            <Select
              size="xs"
              searchable
              aria-label={t('Base')}
              placeholder={t('Choose a spec')}
              allowDeselect={false}
              value={base === '' ? null : base}
              data={baseChoices(drafts, base)}
              onChange={(path) => path !== null && change({ base: path })}
              data-testid="compose-base"
            />
            {base !== '' && (
              <span className="sw-layer-name">
                <LayerNotes
                  projectId={projectId}
                  layer={layerOf(base, drafts, seen.slice(0, 1))}
                  from={from}
                  fault={faultAt('base')}
                  kind="spec"
                  onReplace={(path) => change({ base: path })}
                />
              </span>
            )}
          </section>
          <section aria-labelledby="compose-overlays">
            <h2 className="sw-section-title" id="compose-overlays">
              {t('Overlays')}
            </h2>
            <LayerList
              projectId={projectId}
              overlays={overlays}
              onChange={(next) => change({ overlays: next })}
              notes={(index) => (
                <LayerNotes
                  projectId={projectId}
                  layer={layerOf(overlays[index] ?? '', drafts, seen.slice(1))}
                  from={from}
                  fault={faultAt(`overlay ${index}`)}
                  kind="overlay"
                  onReplace={(path) => replace(index, path)}
                  onRemove={() => change({ overlays: overlays.filter((_, at) => at !== index) })}
                />
              )}
            />
            <AddOverlay
              projectId={projectId}
              drafts={drafts}
              chosen={overlays}
              onAdd={(path) => state.change((now) => withOverlay(now, path))}
            />
          </section>
          <section aria-labelledby="compose-overrides">
            <h2 className="sw-section-title" id="compose-overrides">
              {t('Overrides')}
            </h2>
            <OverridesField
              key={state.round}
              modelUri={modelUriOf(projectId, `compose/${compositionKey(place)}/overrides.yaml`)}
              base={base}
              text={composing.overrides}
              problem={overrides.problem ?? faultAt('overrides')?.text ?? null}
              composed={composed}
              onChange={(text) => change({ overrides: text })}
            />
          </section>
          <FreezeSection freezing={freezing} />
        </div>
        <div className="sw-compose-result" {...WINDOW_PART}>
          <ComposedView projectId={projectId} composing={composing} composed={composed} />
        </div>
      </div>
    </Page>
  );
}

function withOverlay(composing: Composing, path: string): Composing {
  const { overlays } = composing;
  return overlays.includes(path) ? composing : { ...composing, overlays: [...overlays, path] };
}

/** Specs of the project, and the base that is chosen also when it is none. */
function baseChoices(drafts: readonly DraftSummary[], base: string): string[] {
  const specs = drafts.filter(({ kind }) => kind === 'spec').map(({ ref }) => ref);
  return base === '' || specs.includes(base) ? specs : [base, ...specs];
}

interface Freezing {
  readonly composing: Composing;
  /** Null while they cannot be read. */
  readonly overrides: ComposeBody['overrides'] | null;
  readonly body: ComposeBody | null;
  readonly fault: ComposeFault | undefined;
  readonly onMade: (artifactId: string) => void;
  readonly onRefused: (refused: { body: ComposeBody; error: unknown }) => void;
}

/** Where a composition is frozen for, and whether it can be. */
function useFreezing(props: OpenProps & Freezing) {
  const { projectId, composing, body, fault, drafts } = props;
  const bindings = useBindings(projectId).data ?? [];
  const before = useArtifacts(projectId).data?.find(({ id }) => id === props.fromId);
  const mayEdit = useMayEdit(projectId);
  const inUse = useChosenBinding(projectId);
  const [chosen, setChosen] = useState<string | null>(null);
  const usual = bindings.find(({ alias }) => alias === before?.alias) ?? inUse;
  const alias = chosen ?? usual?.alias ?? '';
  const summary = drafts.find(({ ref }) => ref === composing.base);
  const action = useAction(async (notApplicable: boolean) => {
    if (body === null) return;
    try {
      if (notApplicable) await declareNotApplicable(projectId, body.base);
      const made = await trackWork(t('Creating artifact'), freeze(projectId, { ...body, alias }));
      props.onMade(made.id);
    } catch (error) {
      props.onRefused({ body, error });
    }
  });
  return {
    bindings,
    alias,
    setAlias: setChosen,
    mayEdit,
    assertable: summary?.can_assert_not_applicable === true,
    ready: mayEdit && body !== null && alias !== '' && fault === undefined,
    label: freezeLabel(composing, props.overrides),
    action,
    fault,
  };
}

type FreezeState = ReturnType<typeof useFreezing>;

function FreezeSection(props: { readonly freezing: FreezeState }) {
  const { bindings, alias, setAlias, assertable, mayEdit, ready, action, fault } = props.freezing;
  return (
    <section aria-labelledby="compose-freeze">
      <h2 className="sw-section-title" id="compose-freeze">
        {t('Artifact')}
      </h2>
      <AliasField bindings={bindings} value={alias} onChange={setAlias} />
      {assertable && (
        <>
          <AssertNotice />
          <Button
            mt="xs"
            variant="default"
            size="compact-sm"
            disabled={!ready}
            loading={action.busy}
            onClick={() => action.start(false)}
          >
            {t('Freeze to run only')}
          </Button>
        </>
      )}
      {fault?.row === null && <ErrorState compact error={fault.error} />}
      {!mayEdit && <p className="sw-faint">{t('Your role in this project makes no artifacts.')}</p>}
    </section>
  );
}

function FreezeButton(props: { readonly freezing: FreezeState }) {
  const { assertable, ready, action, label, alias } = props.freezing;
  const start = (): void => action.start(assertable);
  useCommand('artifact.freeze', start, ready && !action.busy);
  return (
    <Button
      leftSection={<IconPackage size={16} />}
      disabled={!ready}
      loading={action.busy}
      title={
        assertable
          ? t('Says too that the base needs no source analysis')
          : t('For {alias}', { alias })
      }
      onClick={start}
      data-testid="freeze"
    >
      {assertable
        ? t('No analysis needed, {lowerCase}{label}', {
            lowerCase: label.charAt(0).toLowerCase(),
            label: label.slice(1),
          })
        : label}
    </Button>
  );
}
