import { afterEach, expect, test } from 'vitest';
import { languageOf, speak } from './language.ts';
import { pieces, t, tAs, translated } from './t.ts';

afterEach(() => speak('en', {}, 'en-US'));

const RUNS = '{count, plural, one {# run} other {# runs}} left';

test('English is said as it stands in the code, with its plurals', () => {
  expect(t("It's {not} a message")).toBe("It's {not} a message");
  expect(t(RUNS, { count: 1 })).toBe('1 run left');
  expect(t(RUNS, { count: 1_204 })).toBe('1,204 runs left');
  expect(t("{name}'s run < {limit}", { name: 'A', limit: 3 })).toBe("A's run < 3");
});

test('another language has its own texts and numbers; what it misses is said in English', () => {
  const catalogue = {
    Save: 'Sichern',
    'verb|Run': 'Ausführen',
    Run: 'Lauf',
    [RUNS]: 'noch {count, plural, one {# Lauf} other {# Läufe}}',
  };
  speak('de', catalogue, 'de-AT');
  expect(t('Save')).toBe('Sichern');
  expect(translated('Save')).toBe('Sichern');
  expect(t('Run')).toBe('Lauf');
  expect(tAs('verb', 'Run')).toBe('Ausführen');
  expect(tAs('place', 'Gaps')).toBe('Gaps');
  expect(t(RUNS, { count: 12_345 })).toBe('noch 12\u{A0}345 Läufe');
  expect(t('Discard')).toBe('Discard');
});

test('elements stand where the language wants them', () => {
  speak('de', { 'started {time} by <b>you</b>': '{time} von <b>dir</b> begonnen' }, 'de');
  const values = { time: 'gestern', b: (text: readonly string[]) => `*${text.join('')}*` };
  expect(pieces<string>('started {time} by <b>you</b>', values).join('')).toBe(
    'gestern von *dir* begonnen',
  );
});

test('strange English has brackets around every text and keeps what stands for variables', () => {
  speak('en-XA', {}, 'en-US');
  expect(t('Save')).toBe('[Šåṽé··]');
  expect(t(RUNS, { count: 2 })).toMatch(/^\[2 .*·\]$/);
  expect(t(RUNS, { count: 2 })).not.toMatch(/[a-z]/);
  expect(t('by {name}', { name: 'Ada' })).toContain('Ada');
  const parts = pieces<string>('by {name}, <b>now</b>', {
    name: 'Ada',
    b: (text) => text.join(''),
  });
  for (const part of parts) {
    expect(part).toMatch(/^\[.*\]$|^[^a-z]*$/);
  }
});

test('the language of the system is the first that is spoken', () => {
  expect(languageOf(['fr-FR', 'de-AT', 'en'])).toBe('de');
  expect(languageOf(['zh-Hans-CN'])).toBe('zh');
  expect(languageOf(['fr'])).toBe('en');
  expect(languageOf([])).toBe('en');
});
