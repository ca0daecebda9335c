import type { Item, JsonObject } from '../../../items/item.ts';
import { type Handler, type HandlerCall, itemsOf, StepFailure } from '../../handler.ts';
import { HttpFailure } from '../../http-port.ts';
import { answerText } from '../http/answer-items.ts';
import { type ItemOutcome, outputsOf } from '../on-error.ts';
import { pairedWithAll } from '../pairings.ts';
import { type Settings, settingsByItem } from '../step-settings.ts';
import { readFeed } from './read-feed.ts';

const TIMEOUT_MS = 60_000;
const MOST_REDIRECTS = 5;
const ACCEPTED =
  'application/rss+xml, application/rdf+xml;q=0.8, application/atom+xml;q=0.6, application/xml;q=0.4, text/xml;q=0.4';

async function textAt(url: string, call: HandlerCall): Promise<string> {
  const answer = await call.http({
    method: 'GET',
    url,
    headers: { accept: ACCEPTED, 'user-agent': 'n8n' },
    maxRedirects: MOST_REDIRECTS,
    timeoutMs: TIMEOUT_MS,
  });
  if (answer.status >= 300) throw new StepFailure(`Status code ${answer.status}`);
  return answerText(answer);
}

async function feedOf(settings: Settings, call: HandlerCall): Promise<JsonObject[]> {
  const url = settings.text('url');
  if (url === '') throw new StepFailure('The parameter "URL" has to be set!');
  if (!/^https?:\/\//i.test(url)) throw new StepFailure('The provided "URL" is not valid!');
  if (settings.isOn('options.ignoreSSL'))
    throw new StepFailure(
      'The step wants to trust any certificate. Certificates are always checked here: remove the option.',
    );
  return readFeed(await textAt(url, call), settings.names('options.customFields'));
}

async function outcomeOf(
  settings: Settings,
  call: HandlerCall,
  pairedItem: NonNullable<Item['pairedItem']>,
): Promise<ItemOutcome> {
  try {
    return (await feedOf(settings, call)).map((json) => ({ json, pairedItem }));
  } catch (error) {
    if (!(error instanceof StepFailure || error instanceof HttpFailure)) throw error;
    return { failed: error.message };
  }
}

/** RSS Read, all versions: the entries of the feed of each item; in version 1 of the first alone. */
export const handleRssFeedRead: Handler = async (call) => {
  const items = itemsOf(call);
  const isOnce = call.node.version < 1.1;
  const all = await settingsByItem(call, items);
  const outcomes: ItemOutcome[] = [];
  for (const [at, settings] of (isOnce ? all.slice(0, 1) : all).entries()) {
    const pairing = isOnce ? pairedWithAll(items) : { item: at };
    const outcome = await outcomeOf(settings, call, pairing);
    outcomes.push(outcome);
    if ('failed' in outcome && call.node.onError === 'stop') break;
  }
  return outputsOf(items, outcomes, call.node.onError);
};
