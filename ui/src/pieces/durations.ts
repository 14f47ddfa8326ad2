/** Durations, as the server writes them and as people read them. */

const MS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;
export type Unit = keyof typeof MS;
export type Part = { unit: Unit; n: string };

const SHORT = /(\d+(?:\.\d+)?)(ms|[dhms])/gy;
const ISO = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;

/** Milliseconds of `1h30m`, `500ms` or `PT5M`; undefined of anything else. */
export function millisOf(text: string): number | undefined {
  const iso = ISO.exec(text);
  if (iso && text.length > 2) {
    const [, d, h, m, s] = iso;
    return Number(d ?? 0) * MS.d + Number(h ?? 0) * MS.h + Number(m ?? 0) * MS.m + Number(s ?? 0) * MS.s;
  }
  let total = 0;
  let read = 0;
  for (const match of text.matchAll(SHORT)) {
    total += Number(match[1]) * MS[match[2] as Unit];
    read += match[0].length;
  }
  return read > 0 && read === text.length ? total : undefined;
}

/** The two largest units that matter: 1 h 5 min, 12.3 s, 840 ms. */
export function partsOf(millis: number): Part[] {
  const ms = Math.max(0, Math.round(millis));
  if (ms < MS.s) {
    return [{ unit: 'ms', n: String(ms) }];
  }
  if (ms < MS.m) {
    // Rounded down, so that 59.96 s does not read as 60 s.
    return [{ unit: 's', n: String(Math.floor(ms / 100) / 10) }];
  }
  const units: Unit[] = ['d', 'h', 'm', 's'];
  const first = units.findIndex((unit) => ms >= MS[unit]);
  const big = units[first]!;
  const small = units[first + 1]!;
  const rest = Math.floor((ms % MS[big]) / MS[small]);
  const parts = [{ unit: big, n: String(Math.floor(ms / MS[big])) }];
  return rest === 0 ? parts : [...parts, { unit: small, n: String(rest) }];
}
