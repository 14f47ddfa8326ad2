import { describe, expect, test } from 'vitest';
import { learnTime, serverNow } from '../src/api/clock';
import { millisOf, partsOf } from '../src/pieces/durations';
import { exact, inputOfInstant, instantOfInput, relative } from '../src/pieces/times';
import { yamlOf } from '../src/pieces/yaml';

const say = (millis: number) => partsOf(millis).map(({ n, unit }) => `${n}${unit}`).join(' ');

describe('durations', () => {
  test.each([['30s', 30_000], ['1h30m', 5_400_000], ['7d', 604_800_000], ['500ms', 500], ['PT5M', 300_000], ['P1DT2H', 93_600_000], ['PT0.5S', 500]])('%s is read', (text, millis) => {
    expect(millisOf(text)).toBe(millis);
  });

  test.each(['', 'soon', '5', '5m later', 'PT', 'P'])('"%s" is not taken for one', (text) => expect(millisOf(text)).toBeUndefined());

  test.each([[0, '0ms'], [840, '840ms'], [12_340, '12.3s'], [59_960, '59.9s'], [60_000, '1m'], [3_900_000, '1h 5m'], [90_061_000, '1d 1h'], [-5, '0ms']])('%i ms is told in its two largest units', (millis, told) => {
    expect(say(millis)).toBe(told);
  });
});

describe('times', () => {
  const now = Date.parse('2026-11-16T12:00:00Z');

  test('are told from now, in the largest unit', () => {
    expect(relative('2026-11-16T11:58:01Z', now, 'en')).toBe('1 min. ago');
    expect(relative('2026-11-17T13:00:00Z', now, 'en')).toBe('in 1 day');
    expect(relative('2026-11-16T12:00:00Z', now, 'en')).toBe('now');
    expect(relative('2026-11-16T11:00:00Z', now, 'zh-CN')).toBe('1小时前');
  });

  test('are exact in the zone that is asked for', () => {
    expect(exact('2026-11-16T12:00:00Z', 'en', 'Asia/Shanghai')).toContain('20:00:00');
    expect(exact('2026-11-16T16:30:00Z', 'en', 'Asia/Shanghai')).toContain('Nov 17');
  });

  test('survive the way through an input', () => {
    expect(instantOfInput(inputOfInstant('2026-11-16T12:34:56.000Z'))).toBe('2026-11-16T12:34:56.000Z');
    expect(instantOfInput('')).toBeUndefined();
    expect(inputOfInstant('nonsense')).toBe('');
  });

  test('follow the clock of the server when the own one is off', () => {
    learnTime(new Date(Date.now() + 300_000).toUTCString());
    expect(serverNow() - Date.now()).toBeGreaterThan(290_000);
    learnTime(new Date().toUTCString());
    expect(Math.abs(serverNow() - Date.now())).toBeLessThan(50);
  });
});

describe('YAML', () => {
  test('is written as people write it', () => {
    expect(yamlOf({ id: 'a', trigger: { cron: '0 * * * *', zone: 'Asia/Shanghai' }, tags: ['x', { z: 1 }], on: true, none: null, empty: {}, list: [] })).toBe(
      'id: a\ntrigger:\n  cron: "0 * * * *"\n  zone: Asia/Shanghai\ntags:\n  - x\n  - z: 1\n"on": true\nnone: null\nempty: {}\nlist: []\n',
    );
  });

  test('quotes what it would take for something else', () => {
    for (const text of ['true', 'No', 'null', '12', '1e3', '', ' x', 'x ', 'a: b', '# c', '- d', '2027-01-01', '~', '*a', '&b', '{c}', 'a\tb']) {
      expect(yamlOf(text), text).toBe(`${JSON.stringify(text)}\n`);
    }
  });

  test('keeps scripts readable', () => {
    expect(yamlOf({ script: 'set -e\n\necho hi\n' })).toBe('script: |\n  set -e\n\n  echo hi\n');
    expect(yamlOf({ script: 'a\nb' })).toBe('script: |-\n  a\n  b\n');
    expect(yamlOf({ script: 'a\r\nb' })).toBe('script: "a\\r\\nb"\n');
  });

  test('nests lists in lists', () => expect(yamlOf([[1, 2], [3]])).toBe('- - 1\n  - 2\n- - 3\n'));
});
