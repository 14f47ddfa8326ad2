/** Lets only so many at once; the others wait in their order. */
export function lane(width: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= width) {
      // Whoever leaves hands its place over, so that nobody who comes meanwhile can take it.
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
