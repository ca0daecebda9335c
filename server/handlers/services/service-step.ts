import type { Item, JsonObject } from '../../items/item.ts';
import { isObject } from '../../kernel/json.ts';
import { findRow } from '../../services/find-row.ts';
import type { Row, Service } from '../../services/service.ts';
import { type Handler, type HandlerCall, itemsOf, StepFailure } from '../handler.ts';
import { forEachItem, type OneItem } from '../n8n/each-item.ts';
import { itemsOfAnswer } from '../n8n/http/answer-items.ts';
import { type Asking, ask, madeText } from './ask.ts';
import { accessOf, type ServiceAccess } from './credential.ts';
import { Maker } from './make-value.ts';
import { askPages } from './pages.ts';

function itemJson(value: unknown): JsonObject {
  if (isObject(value)) return value;
  return value === undefined || value === null ? {} : { data: value };
}

const FILE_SHOWN = {
  format: 'file',
  fullResponse: false,
  splitsLists: true,
  keepsText: true,
} as const;

/** A step of a service for one item, before its last request is sent. */
class ServiceItem {
  readonly #one: OneItem;
  readonly #service: Service;
  readonly #access: ServiceAccess;
  readonly #around: JsonObject;

  constructor(one: OneItem, service: Service, access: ServiceAccess) {
    this.#one = one;
    this.#service = service;
    this.#access = access;
    this.#around = { ...access.around, item: one.item.json };
  }

  /** Asking with what is known of answers before. */
  asking(more: JsonObject): Asking {
    const { call, item, settings } = this.#one;
    const maker = new Maker({
      setting: (path) => settings.value(path),
      item,
      around: { ...this.#around, ...more },
      zone: call.step.facts.zone,
    });
    return { call, service: this.#service, access: this.#access, item, maker };
  }

  /** The items that a value becomes. */
  items(value: unknown): Item[] {
    const pairedItem = { item: this.#one.at };
    const list = Array.isArray(value) ? value : [value];
    return list.map((one) => ({ json: itemJson(one), pairedItem }));
  }

  async run(row: Row): Promise<readonly Item[]> {
    const before: unknown[] = [];
    this.#refuseAll(row);
    Object.assign(this.#around, this.asking({}).maker.object(row.names ?? {}));
    for (const request of row.before ?? []) {
      const { body } = await ask(this.asking({ before }), request);
      before.push(body);
    }
    const asking = this.asking({ before });
    if (row.file !== undefined) return this.#file(row, asking, before);
    const answer =
      row.paging === undefined ? await ask(asking, row) : await askPages(asking, row, row.paging);
    const body = 'body' in answer ? answer.body : answer;
    const headers = 'body' in answer ? answer.answer.headers : {};
    const { maker } = this.asking({ before, answer: body, headers });
    return this.items(row.answer === undefined ? body : maker.make(row.answer));
  }

  /** Nothing is changed where the settings that narrow it are empty. */
  #refuseAll({ needs = [] }: Row): void {
    for (const path of needs) {
      const value = this.#one.settings.value(path);
      const isThere = Array.isArray(value) ? value.length > 0 : Boolean(value);
      if (!isThere) throw new StepFailure(`The setting '${path}' is empty: nothing was asked for.`);
    }
  }

  async #file(row: Row, asking: Asking, before: unknown[]): Promise<Item[]> {
    const { answer } = await ask(asking, row, { isFile: true });
    const property = madeText(asking.maker, row.file, 'data');
    const shown = { ...FILE_SHOWN, property };
    const { item, at } = this.#one;
    const { maker } = this.asking({ before });
    const [json] = this.items(row.answer === undefined ? item.json : maker.make(row.answer));
    return itemsOfAnswer(answer, shown, item, at).map((made) => ({
      ...made,
      json: json?.json ?? {},
    }));
  }
}

/** The row of a node. @throws StepFailure when there is none */
function rowOf({ node }: HandlerCall): { readonly service: Service; readonly row: Row } {
  const found = findRow(node);
  if (found !== undefined && 'row' in found) return found;
  throw new StepFailure(
    `No built-in step carries out ${node.type} with ${found?.lacks ?? 'these settings'}. Put a step of your own in its place.`,
  );
}

/** A step of a vendor that one row of the table carries out: item by item, one after another. */
export const handleService: Handler = async (call) => {
  const { service, row } = rowOf(call);
  if (itemsOf(call).length === 0) return [[]];
  const access = await accessOf(service, call);
  const step = forEachItem((one) => new ServiceItem(one, service, access).run(row));
  return step(call);
};
