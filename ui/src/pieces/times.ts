/** Instants as people read them: in the browser's zone, in the language of the interface. */

const RELATIVE: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function exact(instant: string, language: string, zone: string = ownZone()): string {
  return new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    hourCycle: 'h23',
    timeZone: zone,
  }).format(new Date(instant));
}

/** How far off an instant is, in its largest unit, cut off: an age of 119 s is "1 min". */
export function relative(instant: string, now: number, language: string): string {
  const seconds = Math.round((Date.parse(instant) - now) / 1000);
  const [unit, size] = RELATIVE.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  const amount = Math.trunc(seconds / size);
  return new Intl.RelativeTimeFormat(language, { numeric: amount === 0 ? 'auto' : 'always', style: 'short' }).format(amount, unit);
}

/** What an `<input type="datetime-local">` holds, read in the browser's zone. */
export function instantOfInput(local: string): string | undefined {
  const time = Date.parse(local);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

export function inputOfInstant(instant: string): string {
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) {
    return '';
  }
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}
