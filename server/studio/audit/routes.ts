import { getActivityChoices, listActivity } from '../../contract/studio/activity.ts';
import { parseTimestamp, toTimestamp } from '../../kernel/timestamp.ts';
import { memberOf, type StudioApp } from '../caller.ts';
import type { StudioDeps } from '../deps.ts';
import { readActivity, readChoices } from './read-activity.ts';

/** A time as rows say it, so that texts compare as times do. */
function storedTime(text: string | undefined): string | undefined {
  const at = text === undefined ? undefined : parseTimestamp(text);
  return at === undefined ? undefined : toTimestamp(at);
}

/** Binds the routes that read the audit log. */
export function registerActivityRoutes(app: StudioApp, deps: StudioDeps): void {
  app.implement(listActivity, ({ query }, context) => {
    const { actor, action, outcome, since, until, cursor, limit } = query;
    return readActivity(deps.db, {
      project: memberOf(context).project.id,
      actors: actor === undefined ? undefined : [actor],
      action,
      outcome,
      since: storedTime(since),
      until: storedTime(until),
      before: cursor === undefined ? undefined : Number(cursor),
      limit,
    });
  });
  app.implement(getActivityChoices, (_input, context) =>
    readChoices(deps.db, memberOf(context).project.id),
  );
}
