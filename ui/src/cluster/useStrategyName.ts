import { useCallback } from 'react';
import { useWordFor } from '../words/useWordFor';

/** A strategy in words, with the name that settings know it by. */
export function useStrategyName(): (strategy: string) => string {
  const wordFor = useWordFor();
  return useCallback(
    (strategy) => {
      const word = wordFor('strategyName', strategy);
      return word === strategy ? strategy : `${word} (${strategy})`;
    },
    [wordFor],
  );
}
