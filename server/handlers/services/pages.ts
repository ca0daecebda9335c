import type { JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import type { Paging, Row } from '../../services/service.ts';
import { StepFailure } from '../handler.ts';
import type { HttpAnswer } from '../http-port.ts';
import { fieldOf, getPath } from '../n8n/field-path.ts';
import { type Answered, type Asking, ask, type Extra } from './ask.ts';

/** More pages than any listing should need. */
const MOST_PAGES = 1_000;

/** Where a listing stands. */
interface Place {
  readonly pages: number;
  readonly count: number;
  readonly last: Answered | undefined;
}

function linkNext({ headers }: HttpAnswer): string | undefined {
  const { link = '' } = headers;
  const links = (typeof link === 'string' ? link : link.join(',')).split(',');
  const next = links.find((one) => /;\s{0,9}rel="?next\b/.test(one)) ?? '';
  const [open, close] = [next.indexOf('<'), next.indexOf('>')];
  return open < 0 || close < open ? undefined : next.slice(open + 1, close);
}

function placed(paging: Paging, values: JsonObject): Extra {
  return paging.in === 'json' ? { json: values } : { query: values };
}

function sizeOf({ size }: Paging, wanted: number): JsonObject {
  return size === undefined ? {} : { [size.name]: Math.min(size.most, wanted) };
}

/** What an answer names as its next page; undefined when there is none. */
function namedNext(paging: Paging, last: Answered, size: JsonObject): Extra | undefined {
  const next =
    paging.by === 'link'
      ? linkNext(last.answer)
      : isObject(last.body)
        ? fieldOf(last.body, paging.from ?? '', true)
        : undefined;
  if ((typeof next !== 'string' && typeof next !== 'number') || next === '') return undefined;
  if (paging.by === 'cursor') return placed(paging, { ...size, [paging.name ?? '']: next });
  return { address: onSameServer(String(next), last.answer.url) };
}

/** What asks for the page behind a place; undefined when there is none. */
function nextPage(paging: Paging, { last, pages, count }: Place, wanted: number) {
  const size = sizeOf(paging, wanted);
  const { by, name = '' } = paging;
  if (last === undefined)
    return placed(paging, { ...size, ...(by === 'page' ? { [name]: 1 } : {}) });
  if (by === 'once') return undefined;
  if (by === 'page') return placed(paging, { ...size, [name]: pages + 1 });
  if (by === 'offset') return placed(paging, { ...size, [name]: count });
  return namedNext(paging, last, size);
}

/** The address of a next page, on the server that the credential is for. */
function onSameServer(next: string, asked: string): string {
  if (originOf(next) === originOf(asked)) return next;
  throw new StepFailure('The next page is said to be on another server, which is not asked.');
}

function originOf(address: string): string {
  return /^https?:\/\/[^/?#@]+(?=[/?#]|$)/i.exec(address)?.[0].toLowerCase() ?? address;
}

function membersIn({ list }: Paging, { body }: Answered): readonly unknown[] {
  const found = list === undefined ? body : getPath(body, list.split('.'));
  return Array.isArray(found) ? found : [];
}

/** How many members are wanted at most. */
function wantedOf({ all, limit }: Paging, { maker }: Asking): number {
  const isAll = all === null || (maker.make(`$${all.setting}`) ?? all.or) === true;
  if (all !== null && isAll) return Number.POSITIVE_INFINITY;
  const most = Number(maker.make(`$${limit.setting}`) ?? limit.or);
  return Number.isFinite(most) && most >= 0 ? most : limit.or;
}

/** Full pages are followed by another one, unless the answers themselves say what comes next. */
function mayGoOn(paging: Paging, got: number, wanted: number): boolean {
  if (paging.by !== 'page' && paging.by !== 'offset') return true;
  const { size } = paging;
  return got > 0 && (size === undefined || got >= Math.min(size.most, wanted));
}

/** Asks page after page; answers all members, at most as many as are wanted. */
export async function askPages(
  asking: Asking,
  row: Row,
  paging: Paging,
): Promise<readonly unknown[]> {
  const wanted = wantedOf(paging, asking);
  const members: unknown[] = [];
  let last: Answered | undefined;
  for (let pages = 0; members.length < wanted; pages += 1) {
    if (pages >= MOST_PAGES) throw new StepFailure(`The list has more than ${MOST_PAGES} pages.`);
    const place = { pages, count: members.length, last };
    const extra = nextPage(paging, place, wanted);
    if (extra === undefined) break;
    last = await ask(asking, row, { extra });
    const got = membersIn(paging, last);
    members.push(...got);
    if (!mayGoOn(paging, got.length, wanted)) break;
  }
  return Number.isFinite(wanted) ? members.slice(0, wanted) : members;
}
