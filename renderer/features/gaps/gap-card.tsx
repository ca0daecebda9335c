import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../../preload/texts/t.ts';
import { listModelKeys } from '../../../server/contract/gateway/model-keys.ts';
import { plainTitle } from '../../../server/gaps/estate/shared-causes.ts';
import { AppLink } from '../../app/app-link.tsx';
import { navigateTo } from '../../app/navigation.ts';
import { paths } from '../../app/paths.ts';
import { WINDOW_PART } from '../../app/window-parts.ts';
import { routeQuery } from '../../data/query-client.ts';
import { rich } from '../../ui/rich.ts';
import { SERVICE_TEXT, ServiceText } from '../../ui/service-text.tsx';
import { SingleKey } from '../../ui/single-key.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import type { DraftPlace } from './draft/draft-protocol.ts';
import { DraftLines } from './draft-lines.tsx';
import {
  attestHindrance,
  type GapCard,
  type GapContext,
  isOpen,
  isOutdated,
  kindText,
  standingText,
} from './gap-model.ts';
import type { Links } from './links.ts';
import { ImportOf } from './review/analysis-words.tsx';
import { draftAt, type GapActions } from './use-gap-actions.ts';
import { WriteFunction } from './write-function.tsx';

export interface GapCardPaneProps {
  readonly projectId: string;
  readonly card: GapCard;
  readonly context: GapContext;
  readonly links: Links;
  /** The draft's text; undefined while it is read. */
  readonly text: string | undefined;
  readonly actions: GapActions;
}

/** One gap: what it means, where it came from and lands, and what can be done with it. */
export function GapCardPane(props: GapCardPaneProps) {
  const { gap } = props.card;
  return (
    <article className="sw-gap-card" aria-live="polite" {...WINDOW_PART} data-testid="gap-card">
      <div className="sw-gap-card-head">
        <StatusBadge status={gap.severity} />{' '}
        <span className="sw-faint" title={kindText(gap.kind)}>
          <ServiceText>{plainTitle(gap)}</ServiceText>
        </span>
      </div>
      <h2>{gap.source_ref.source_label}</h2>
      <p className="sw-gap-detail" {...SERVICE_TEXT}>
        {gap.detail}
      </p>
      <Actions {...props} />
      <Places {...props} />
      <Suggestions {...props} />
    </article>
  );
}

function Places(props: GapCardPaneProps) {
  const { card, context, links } = props;
  const { gap } = card;
  const { source_id, source_label, locator } = gap.source_ref;
  const place = links.placeOf.get(source_id);
  return (
    <>
      <dl className="sw-facts">
        <dt>{t('Source')}</dt>
        <dd>
          {source_label}
          {locator !== null && <span className="sw-mono sw-faint"> {locator}</span>}
        </dd>
        {context.entry !== undefined && (
          <>
            <dt>{t('Import')}</dt>
            <dd data-testid="gap-import">
              <ImportOf entry={context.entry} />
            </dd>
          </>
        )}
        <dt>{t('In the draft')}</dt>
        <dd>
          <Place {...props} place={place} draftPath={context.draft?.path} />
          {links.hostOf.has(source_id) && place !== undefined && (
            <span className="sw-faint"> {t('part of what it is attached to')}</span>
          )}
        </dd>
      </dl>
      {place !== undefined && props.text !== undefined && (
        <DraftLines text={props.text} place={place} />
      )}
    </>
  );
}

function Place(
  props: GapCardPaneProps & {
    readonly place: DraftPlace | undefined;
    readonly draftPath: string | undefined;
  },
) {
  const path = props.place?.path ?? props.card.gap.spec_ref;
  if (path === null || props.draftPath === undefined) {
    return <span className="sw-faint">{t('No place of its own')}</span>;
  }
  return (
    <AppLink to={paths.draft(props.projectId, props.draftPath, { path })} testId="gap-spec-ref">
      <code>{path}</code>
      {props.place !== undefined && t(', line {startLine}', { startLine: props.place.startLine })}
    </AppLink>
  );
}

function Actions(props: GapCardPaneProps) {
  const { card } = props;
  if (!isOpen(card)) {
    return <Settled {...props} />;
  }
  return card.gap.severity === 'blocking' ? (
    <BlockingActions {...props} />
  ) : (
    <AcknowledgeAction {...props} />
  );
}

function Settled(props: GapCardPaneProps) {
  const { card, context, actions } = props;
  if (card.standing === 'not_needed') {
    return (
      <div className="sw-gap-actions">
        <EditorButton {...props} />
      </div>
    );
  }
  return (
    <div className="sw-gap-actions" data-testid="gap-settled">
      <StatusBadge status="completed">{standingText(card.standing)}</StatusBadge>
      <span className="sw-faint">
        {card.by !== null && <>{t('by {by}', { by: card.by })} </>}
        {card.at !== null && <TimeAgo at={card.at} />}
        {card.standing === 'attested' &&
          t(' at revision {revision}', { revision: context.draft?.revision?.slice(0, 8) ?? '' })}
      </span>
      {card.standing === 'attested' && (
        <Button
          size="xs"
          variant="default"
          loading={actions.busy}
          disabled={context.rank !== undefined}
          title={context.rank}
          onClick={() => actions.retract([card])}
          rightSection={<SingleKey of="gaps.retract" />}
          data-testid="retract"
        >
          {t('Retract')}
        </Button>
      )}
    </div>
  );
}

function FixButtons(props: GapCardPaneProps) {
  const { card, actions } = props;
  return (
    <>
      {props.links.placeOf.has(card.gap.source_ref.source_id) && (
        <Button
          size="xs"
          onClick={() => actions.fix([card])}
          rightSection={<SingleKey of="gaps.fix" />}
          data-testid="fix-gap"
        >
          {t('Fix…')}
        </Button>
      )}
      <WriteFunction
        projectId={props.projectId}
        gapId={card.gap.ref.gap_id}
        draft={draftAt(props.context)}
        part={props.links.codeOf[card.gap.source_ref.source_id]}
      />
      <InsteadButton {...props} />
      <BindButton {...props} />
      <EditorButton {...props} />
    </>
  );
}

function EditorButton(props: GapCardPaneProps) {
  return (
    <Button
      size="xs"
      variant="default"
      onClick={() => props.actions.openEditor(props.card)}
      rightSection={<SingleKey of="gaps.editor" />}
      data-testid="fix-in-editor"
    >
      {t('Open in editor')}
    </Button>
  );
}

/** Opens the edits at those that put another step, or a server's tool, in its place. */
function InsteadButton(props: GapCardPaneProps) {
  const { card, links, actions } = props;
  const part = links.codeOf[card.gap.source_ref.source_id];
  return part === undefined ? null : (
    <Button
      size="xs"
      variant="default"
      onClick={() => actions.fix([card], part.kind === 'tool' ? 'by_mcp' : 'by_http')}
      data-testid="step-instead"
    >
      {part.kind === 'tool' ? t('Use an MCP server instead…') : t('Add a step instead…')}
    </Button>
  );
}

/** Leads to the binding of the very credential that the element sends, and from there back. */
function BindButton(props: GapCardPaneProps) {
  const { context, card, links } = props;
  const secret = links.secretOf[card.gap.source_ref.source_id];
  const list = useQuery({ ...routeQuery(listModelKeys), enabled: secret !== undefined }).data;
  const { draft } = context;
  if (secret === undefined || draft === undefined) {
    return null;
  }
  const isBound = list?.keys.some(({ name, kept_in }) => name === secret && kept_in !== null);
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconKey size={14} aria-hidden />}
      onClick={() => navigateTo(paths.draft(props.projectId, draft.path, { credential: secret }))}
      data-testid="bind-credential"
    >
      {isBound === true ? t('Replace the binding…') : t('Bind…')}
    </Button>
  );
}

function BlockingActions(props: GapCardPaneProps) {
  const { card, context, actions } = props;
  const hindrance = attestHindrance(context);
  return (
    <>
      <div className="sw-gap-actions">
        <FixButtons {...props} />
        <Button
          size="xs"
          variant={card.standing === 'lapsed' ? 'filled' : 'default'}
          disabled={hindrance !== undefined}
          loading={actions.busy}
          onClick={() => actions.attest([card])}
          rightSection={<SingleKey of="gaps.attest" />}
          data-testid="attest"
        >
          {card.standing === 'lapsed' ? t('Attest again') : t('Attest that it is resolved')}
        </Button>
      </div>
      <p className="sw-faint">{hindrance ?? <AttestNote card={card} context={context} />}</p>
    </>
  );
}

function AttestNote(props: { readonly card: GapCard; readonly context: GapContext }) {
  const { card, context } = props;
  const revision = context.draft?.revision?.slice(0, 8) ?? '';
  return card.standing === 'lapsed' ? (
    <>
      {rich('Attested {value}{time} for an earlier revision. The draft is at {revision} now.', {
        value: card.by !== null && t('by {by} ', { by: card.by }),
        time: card.at !== null && <TimeAgo at={card.at} />,
        revision,
      })}
    </>
  ) : (
    <>
      {t(
        'You attest for {path} at revision {revision}. A later edit needs a new attestation, so fix first and attest last.',
        { path: context.draft?.path ?? '', revision },
      )}
    </>
  );
}

function AcknowledgeAction(props: GapCardPaneProps) {
  const { card, context, actions } = props;
  const { artifact } = context;
  return (
    <>
      <div
        className="sw-gap-actions"
        data-testid={artifact === undefined ? 'acknowledge-later' : undefined}
      >
        {artifact === undefined || isOutdated(context) ? (
          <Button
            size="xs"
            variant={artifact === undefined ? 'filled' : 'default'}
            onClick={actions.createArtifact}
            data-testid="create-artifact"
          >
            {t('Create artifact')}
          </Button>
        ) : null}
        {artifact !== undefined && (
          <Button
            size="xs"
            loading={actions.busy}
            onClick={() => actions.acknowledge([card])}
            rightSection={<SingleKey of="gaps.acknowledge" />}
            data-testid="acknowledge"
          >
            {t('Acknowledge')}
          </Button>
        )}
        <FixButtons {...props} />
      </div>
      <p className="sw-faint">{acknowledgeNote(context)}</p>
    </>
  );
}

function acknowledgeNote(context: GapContext): string {
  const { refused } = context;
  const why =
    refused === undefined
      ? ''
      : refused.why === 'gone'
        ? t('Artifact {id} was deleted. ', { id: refused.id.slice(0, 8) })
        : t('Artifact {id} does not carry this import. ', { id: refused.id.slice(0, 8) });
  return `${why}${acknowledgeText(context)}`;
}

function acknowledgeText(context: GapContext): string {
  const { artifact } = context;
  if (artifact === undefined) {
    return t(
      'Gaps to review are acknowledged for an artifact of the draft, and there is none yet.',
    );
  }
  const about = t('For artifact {id} of {path}. Your name and the time are recorded.', {
    id: artifact.id.slice(0, 8),
    path: artifact.base.path,
  });
  return isOutdated(context)
    ? t('{about} The draft has changed since: a new artifact starts without acknowledgements.', {
        about,
      })
    : about;
}

function Suggestions(props: GapCardPaneProps) {
  const { spec_ref } = props.card.gap;
  const suggestions = props.context.analysis.suggestions.filter(
    (suggestion) => suggestion.spec_ref !== null && suggestion.spec_ref === spec_ref,
  );
  return suggestions.length === 0 ? null : (
    <section>
      <h3 className="sw-section-title">{t('Suggestions')}</h3>
      {suggestions.map((suggestion) => (
        <div key={suggestion.id} className="sw-gap-suggestion" {...SERVICE_TEXT}>
          <strong>{suggestion.title}</strong>
          <span>
            {suggestion.detail} <span className="sw-faint">{suggestion.rationale}</span>
          </span>
        </div>
      ))}
    </section>
  );
}
