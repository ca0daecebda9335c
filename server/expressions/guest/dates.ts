// Date as the source's process has it: its local zone is UTC, whatever the machine's is.
import { askHost } from './host.ts';

const NativeDate = Date;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const PLAIN = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?Z$/;

const clock = { shift: 0 };

/** Sets the clock: it goes on from there. */
export function setClock(now: number): void {
  clock.shift = now - NativeDate.now();
}

function parse(text: string): number {
  const [, year, month, day, hour, minute, second, ms = '0'] = PLAIN.exec(text) ?? [];
  if (Number(day) <= 28 && Number(hour) < 24 && Number(month) <= 12 && Number(month) > 0)
    return NativeDate.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hour),
      Number(minute),
      Number(second),
      Number(ms),
    );
  return (askHost('parse_date', text) as number | null) ?? Number.NaN;
}

function momentOf(words: readonly unknown[]): number {
  if (words.length === 0) return now();
  if (words.length > 1) return NativeDate.UTC(...(words as [number, number]));
  const [word] = words;
  if (word instanceof NativeDate) return word.getTime();
  const primitive =
    typeof word === 'object' && word !== null
      ? (word as { [Symbol.toPrimitive]?(hint: string): unknown; valueOf(): unknown }).valueOf()
      : word;
  if (typeof primitive === 'string') return parse(primitive);
  return typeof primitive === 'object' ? parse(String(primitive)) : Number(primitive);
}

function now(): number {
  return NativeDate.now() + clock.shift;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function dateText(date: Date): string {
  const year = date.getUTCFullYear();
  const shown = (year < 0 ? '-' : '') + String(Math.abs(year)).padStart(year < 0 ? 6 : 4, '0');
  const day = `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${two(date.getUTCDate())}`;
  return `${day} ${shown}`;
}

function timeText(date: Date): string {
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':');
  return `${time} GMT+0000 (Coordinated Universal Time)`;
}

function textOf(write: (date: Date) => string) {
  return function text(this: Date): string {
    return Number.isNaN(this.getTime()) ? 'Invalid Date' : write(this);
  };
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
}

const UNITS = ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'];

/** Puts the patched Date in the place of the interpreter's. */
export function installDate(): void {
  const prototype = NativeDate.prototype as unknown as Record<string, unknown>;
  for (const unit of UNITS) {
    define(prototype, `get${unit}`, prototype[`getUTC${unit}`]);
    define(prototype, `set${unit}`, prototype[`setUTC${unit}`]);
  }
  define(prototype, 'getDay', prototype['getUTCDay']);
  define(prototype, 'getTimezoneOffset', function offset(this: Date) {
    return Number.isNaN(this.getTime()) ? Number.NaN : 0;
  });
  const full = (date: Date): string => `${dateText(date)} ${timeText(date)}`;
  define(prototype, 'toString', textOf(full));
  define(prototype, 'toDateString', textOf(dateText));
  define(prototype, 'toTimeString', textOf(timeText));

  function UtcDate(this: unknown, ...words: unknown[]): unknown {
    if (new.target === undefined) return full(new NativeDate(now()));
    return Reflect.construct(NativeDate, [momentOf(words)], new.target);
  }
  define(UtcDate, 'name', 'Date');
  define(UtcDate, 'now', now);
  define(UtcDate, 'parse', (text: unknown) => parse(String(text)));
  define(UtcDate, 'UTC', NativeDate.UTC);
  UtcDate.prototype = NativeDate.prototype;
  define(prototype, 'constructor', UtcDate);
  define(globalThis, 'Date', UtcDate);
}
