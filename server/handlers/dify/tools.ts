import { convert } from 'html-to-text';
import { DateTime } from 'luxon';
import { difyTool } from '../../items/dify-types.ts';
import { isObject } from '../../kernel/json.ts';
import { contextOf, StepFailure } from '../handler.ts';
import { HttpFailure } from '../http-port.ts';
import { FieldFailure } from '../n8n/fields.ts';
import { refuseCostlyMarkup } from '../n8n/html/costly-text.ts';
import { type DifyCall, type DifyHandler, gives } from './dify-call.ts';
import { textOfValue } from './values.ts';

const STANDARD_FORMAT = '%Y-%m-%d %H:%M:%S';
const SCRAPE_MS = 60_000;

/** Python's directives → Luxon's tokens. */
const DIRECTIVES: Readonly<Record<string, string>> = {
  ...{ Y: 'yyyy', y: 'yy', m: 'MM', d: 'dd', H: 'HH', I: 'hh', M: 'mm', S: 'ss', j: 'ooo' },
  ...{ A: 'cccc', a: 'ccc', B: 'LLLL', b: 'LLL', p: 'a', z: 'ZZZ', Z: 'ZZZZ', f: "SSS'000'" },
};

function luxonFormat(format: string): string {
  return format.replace(/%(.)|([A-Za-z]+)/g, (whole, directive?: string, word?: string) => {
    if (word !== undefined) return `'${word}'`;
    return directive === '%' ? '%' : (DIRECTIVES[directive ?? ''] ?? whole);
  });
}

/** A setting of a tool: what the node says, else what the tool is configured to. */
function settingOf({ data, pool }: DifyCall, name: string): string {
  for (const list of [data['tool_parameters'], data['tool_configurations']]) {
    const found = isObject(list) ? list[name] : undefined;
    if (found === undefined || found === null || found === '') continue;
    if (!isObject(found)) return pool.fill(found);
    const { type, value } = found;
    if (value === undefined || value === null || value === '') continue;
    return type === 'variable' ? textOfValue(pool.at(value)) : pool.fill(value);
  }
  return '';
}

function zoned(call: DifyCall, name: string): string {
  const zone = settingOf(call, name);
  return zone === '' ? 'utc' : zone;
}

function told(moment: DateTime, format: string, { node }: DifyCall): string {
  if (moment.isValid) return moment.toFormat(luxonFormat(format));
  throw new StepFailure(`'${node.name}': ${moment.invalidExplanation ?? 'no moment that exists'}`);
}

function formatOf(call: DifyCall, name = 'format'): string {
  return settingOf(call, name) || STANDARD_FORMAT;
}

function parsed(text: string, zone: string): DateTime {
  return DateTime.fromFormat(text, luxonFormat(STANDARD_FORMAT), { zone, locale: 'en-US' });
}

function millisOf(call: DifyCall): number {
  return call.step.facts.now;
}

type Tool = (call: DifyCall) => string | Promise<string>;

const FIND =
  'const { content, expression } = items[0].json; return { found: [...content.matchAll(new RegExp(expression, "g"))].map((match) => match.length > 2 ? match.slice(1) : match.length > 1 ? match[1] : match[0]) };';

/** The search runs confined: an expression may take without end. */
async function extract(call: DifyCall): Promise<string> {
  const json = { content: settingOf(call, 'content'), expression: settingOf(call, 'expression') };
  const code = { source: FIND, mode: 'all', goesOn: false } as const;
  const { answers } = await call.evaluator.runCode(contextOf(call, [{ json }]), code);
  const [answer] = answers;
  if (answer?.kind !== 'value') throw new StepFailure(answer?.message ?? 'nothing was found');
  return textOfValue(isObject(answer.value) ? answer.value['found'] : []);
}

async function scrape(call: DifyCall): Promise<string> {
  const url = settingOf(call, 'url');
  if (!/^https?:\/\//i.test(url))
    throw new StepFailure(`'${call.node.name}': its address must begin with http:// or https://`);
  const agent = settingOf(call, 'user_agent');
  const headers = {
    accept: 'text/html,text/*;q=0.9',
    ...(agent === '' ? {} : { 'user-agent': agent }),
  };
  try {
    const { body, status } = await call.http({
      ...{ method: 'GET', url, headers, maxRedirects: 20, timeoutMs: SCRAPE_MS },
    });
    if (status >= 400) throw new StepFailure(`The page answered with status ${status}.`);
    const text = new TextDecoder().decode(body);
    refuseCostlyMarkup(text);
    return convert(text, {
      wordwrap: false,
      selectors: [
        { selector: 'a', options: { ignoreHref: true } },
        ...['img', 'nav', 'footer'].map((selector) => ({ selector, format: 'skip' })),
      ],
    });
  } catch (error) {
    const isTold = error instanceof HttpFailure || error instanceof FieldFailure;
    throw isTold ? new StepFailure(error.message) : error;
  }
}

const TOOLS: Readonly<Record<string, Tool>> = {
  'regex/regex_extract': extract,
  'time/current_time': (call) =>
    told(
      DateTime.fromMillis(millisOf(call), { zone: zoned(call, 'timezone') }),
      formatOf(call),
      call,
    ),
  'time/localtime_to_timestamp': (call) => {
    const moment = parsed(settingOf(call, 'localtime'), zoned(call, 'timezone'));
    return moment.isValid ? String(Math.floor(moment.toSeconds())) : told(moment, '', call);
  },
  'time/timestamp_to_localtime': (call) => {
    const seconds = Number(settingOf(call, 'timestamp'));
    const moment = DateTime.fromSeconds(seconds, { zone: zoned(call, 'timezone') });
    return told(moment, STANDARD_FORMAT, call);
  },
  'time/timezone_conversion': (call) => {
    const zone = zoned(call, 'current_timezone');
    const moment = parsed(settingOf(call, 'current_time'), zone);
    return told(moment.setZone(zoned(call, 'target_timezone')), STANDARD_FORMAT, call);
  },
  'time/weekday': (call) => {
    const [year, month, day] = ['year', 'month', 'day'].map((name) =>
      Number(settingOf(call, name)),
    );
    const moment = DateTime.fromObject({ year: year ?? 0, month: month ?? 0, day: day ?? 0 });
    return told(moment.setLocale('en-US'), '%A', call);
  },
  'webscraper/webscraper': scrape,
};

/** A tool of Dify's own that needs no service. */
export const handleTool: DifyHandler = async (call) => {
  const { data } = call;
  const name = difyTool(String(data['provider_id'] ?? ''), String(data['tool_name'] ?? ''));
  const tool = TOOLS[name];
  if (tool === undefined)
    throw new StepFailure(`'${call.node.name}' calls '${name}', which is not here.`);
  const json = { text: await tool(call), files: [], json: [] };
  return gives(json);
};
