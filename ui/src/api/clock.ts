/**
 * What time it is for the server. The clocks of browsers are often minutes off; ages such as "heartbeat 3 s ago" would
 * be nonsense then. The Date header of every answer, which counts whole seconds, corrects them.
 */
const TOLERATED_MS = 2_000;
let offset = 0;

export function learnTime(header: string | null, browserNow: number = Date.now()): void {
  const server = header === null ? NaN : Date.parse(header);
  if (!Number.isNaN(server)) {
    const difference = server - browserNow;
    offset = Math.abs(difference) > TOLERATED_MS ? difference : 0;
  }
}

export function serverNow(): number {
  return Date.now() + offset;
}
