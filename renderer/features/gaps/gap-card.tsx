import { Button } from '@mantine/core';
import { AppLink } from '../../app/app-link.tsx';
import { paths } from '../../app/paths.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { attestHindrance, type GapCard, type GapContext, kindText } from './gap-model.ts';
import type { GapActions } from './use-gap-actions.ts';

/** One gap: what it means, where it came from and lands, and what can be done with it. */
export function GapCardPane(props: {
  readonly projectId: string;
  readonly card: GapCard;
  readonly context: GapContext;
  readonly actions: GapActions;
}) {
  const { gap } = props.card;
  const draftPath = props.context.draft?.path;
  return (
    <article className="sw-gap-card" aria-live="polite" data-testid="gap-card">
      <StatusBadge status={gap.severity} /> <span className="sw-faint">{kindText(gap.kind)}</span>
      <h2>{gap.title}</h2>
      <p className="sw-gap-detail">{gap.detail}</p>
      <dl className="sw-facts">
        <dt>Source</dt>
        <dd>
          {gap.source_ref.source_label}
          {gap.source_ref.locator !== null && (
            <span className="sw-mono sw-faint"> {gap.source_ref.locator}</span>
          )}
        </dd>
        <dt>In the spec</dt>
        <dd>
          {gap.spec_ref === null || draftPath === undefined ? (
            <span className="sw-faint">No place of its own</span>
          ) : (
            <AppLink
              to={paths.draft(props.projectId, draftPath, { path: gap.spec_ref })}
              testId="gap-spec-ref"
            >
              <code>{gap.spec_ref}</code>
            </AppLink>
          )}
        </dd>
      </dl>
      <Actions {...props} />
      <Suggestions {...props} />
    </article>
  );
}

function Actions(props: {
  readonly card: GapCard;
  readonly context: GapContext;
  readonly actions: GapActions;
}) {
  const { card, context, actions } = props;
  if (card.standing === 'attested' || card.standing === 'acknowledged') {
    return (
      <div className="sw-gap-actions" data-testid="gap-settled">
        <StatusBadge status="completed">{card.standing}</StatusBadge>
        <span className="sw-faint">
          {card.by !== null && <>by {card.by} </>}
          {card.at !== null && <TimeAgo at={card.at} />}
          {card.standing === 'attested' &&
            ` at revision ${context.draft?.revision?.slice(0, 8) ?? ''}`}
        </span>
        {card.standing === 'attested' && (
          <Button
            size="xs"
            variant="default"
            loading={actions.busy}
            onClick={() => actions.retract(card)}
            rightSection={<kbd className="sw-kbd">r</kbd>}
            data-testid="retract"
          >
            Retract
          </Button>
        )}
      </div>
    );
  }
  if (card.gap.severity === 'blocking') {
    const hindrance = attestHindrance(context.draft);
    return (
      <>
        <div className="sw-gap-actions">
          <Button
            size="xs"
            variant={hindrance === undefined ? 'default' : 'filled'}
            onClick={() => actions.openEditor(card)}
            rightSection={<kbd className="sw-kbd">e</kbd>}
            data-testid="fix-in-editor"
          >
            Fix in editor
          </Button>
          <Button
            size="xs"
            disabled={hindrance !== undefined}
            loading={actions.busy}
            onClick={() => actions.attest(card)}
            rightSection={<kbd className="sw-kbd">t</kbd>}
            data-testid="attest"
          >
            Attest that it is resolved
          </Button>
        </div>
        <p className="sw-faint">
          {hindrance ??
            `You attest for ${context.draft?.path ?? ''} at revision ${context.draft?.revision?.slice(0, 8) ?? ''}. A later edit needs a new attestation.`}
        </p>
      </>
    );
  }
  return card.gap.severity === 'manual' ? <AcknowledgeAction {...props} /> : null;
}

function AcknowledgeAction(props: {
  readonly card: GapCard;
  readonly context: GapContext;
  readonly actions: GapActions;
}) {
  const { card, context, actions } = props;
  if (context.artifact === undefined) {
    return (
      <div data-testid="acknowledge-later">
        <div className="sw-gap-actions">
          <Button size="xs" onClick={actions.createArtifact} data-testid="create-artifact">
            Create artifact
          </Button>
        </div>
        <p className="sw-faint">
          Gaps to review are acknowledged for an artifact of the draft, and there is none yet.
        </p>
      </div>
    );
  }
  return (
    <>
      <div className="sw-gap-actions">
        <Button
          size="xs"
          loading={actions.busy}
          onClick={() => actions.acknowledge(card)}
          rightSection={<kbd className="sw-kbd">a</kbd>}
          data-testid="acknowledge"
        >
          Acknowledge
        </Button>
      </div>
      <p className="sw-faint">
        For artifact {context.artifact.id.slice(0, 8)} of {context.artifact.base.path}. Your name
        and the time are recorded.
      </p>
    </>
  );
}

function Suggestions(props: { readonly card: GapCard; readonly context: GapContext }) {
  const { spec_ref } = props.card.gap;
  const suggestions = props.context.analysis.suggestions.filter(
    (suggestion) => suggestion.spec_ref !== null && suggestion.spec_ref === spec_ref,
  );
  return suggestions.length === 0 ? null : (
    <section>
      <h3 className="sw-section-title">Suggestions</h3>
      {suggestions.map((suggestion) => (
        <div key={suggestion.id} className="sw-import-gap">
          <strong>{suggestion.title}</strong>
          <span>
            {suggestion.detail} <span className="sw-faint">{suggestion.rationale}</span>
          </span>
        </div>
      ))}
    </section>
  );
}
