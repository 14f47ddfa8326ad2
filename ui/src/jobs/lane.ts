/** Lets only so many at once; the others wait in their order. */
export function lane(width: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= width) {
      // A finished call passes its slot on directly, so that a new call cannot take it first.
      await new Promise<void>((enter) => waiting.push(enter));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) {
        next();
      } else {
        running--;
      }
    }
  };
}
