import { describe, expect, test } from 'vitest';
import { AnsiFilter } from '../src/tasks/ansi';
import { LogBuffer } from '../src/tasks/logBuffer';

const whole = (text: string) => {
  const filter = new AnsiFilter();
  return filter.push(text) + filter.end();
};

describe('terminal codes', () => {
  const text = '\x1b[1;32mgreen\x1b[0m \x1b]0;title\x07plain \x1b]8;;http\x1b\\link\x1b]8;;\x1b\\ \x1b(Bx\x07\x00\u009by\r\nz\r50%\r60%\n\tend';
  const wanted = 'green plain link xy\nz\n50%\n60%\n\tend';

  test('are taken out', () => expect(whole(text)).toBe(wanted));

  test('are taken out wherever a piece cuts them', () => {
    for (let cut = 0; cut <= text.length; cut++) {
      const filter = new AnsiFilter();
      expect(filter.push(text.slice(0, cut)) + filter.push(text.slice(cut)) + filter.end(), `cut at ${cut}`).toBe(wanted);
    }
  });

  test('leave text, markup and other scripts alone', () => expect(whole('<b>[1] 你好 é</b>\n')).toBe('<b>[1] 你好 é</b>\n'));

  test('that never end are not waited for without end', () => {
    const filter = new AnsiFilter();
    expect(filter.push(`\x1b]0;${'x'.repeat(5_000)}`).length).toBeGreaterThan(4_000);
  });
});

describe('the log of a task', () => {
  const log = (id: string, attempt: number, text: string, type = 'log') => ({ id, type, data: JSON.stringify({ attempt, text }) });

  test('grows by attempts, in their order', () => {
    const book = new LogBuffer();
    book.take(log('2:1', 2, 'b'));
    book.take(log('1:1', 1, 'a'));
    book.take(log('1:2', 1, 'c'));
    expect(book.attempts()).toEqual([{ number: 1, pieces: ['ac'] }, { number: 2, pieces: ['b'] }]);
    expect(book.lastId).toBe('1:2');
  });

  test('begins anew when its middle was cut out', () => {
    const book = new LogBuffer();
    book.take(log('1:9', 1, 'long long'));
    book.take(log('1:5', 1, 'head…', 'anew'));
    expect(book.attempts()[0]!.pieces.join('')).toBe('head…');
  });

  test('is complete after its end, and resumes nowhere but at a place', () => {
    const book = new LogBuffer();
    book.take(log('1:1', 1, 'a\x1b['));
    book.take({ id: 'end', type: 'end', data: '{}' });
    expect(book.ended).toBe(true);
    expect(book.lastId).toBe('1:1');
  });

  test('is kept in pieces, so that growing does not copy all of it', () => {
    const book = new LogBuffer();
    for (let i = 0; i < 10; i++) {
      book.take(log(`1:${i}`, 1, 'x'.repeat(10_000)));
    }
    const { pieces } = book.attempts()[0]!;
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('').length).toBe(100_000);
  });
});
