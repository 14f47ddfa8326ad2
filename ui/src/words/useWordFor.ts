import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { Words } from './en';

type Section = 'skipReason' | 'explainOutcome' | 'event' | 'strategyName';

/** The word of the dictionary for one of the server's; one that is newer than this interface is shown as it is. */
export function useWordFor(): <S extends Section>(section: S, given: string) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    (section, given) => {
      const key = `${section}.${given}`;
      // Checked on the line itself, which the compiler cannot see.
      return i18n.exists(key) ? t(key as `skipReason.${keyof Words['skipReason']}`) : given;
    },
    [t, i18n],
  );
}
