import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { millisOf, partsOf } from './durations';

/** Says a duration in the language of the interface, be it in milliseconds or as the server writes it. */
export function useDuration(): (duration: number | string) => string {
  const { t } = useTranslation();
  return useCallback(
    (duration) => {
      const millis = typeof duration === 'number' ? duration : millisOf(duration);
      return millis === undefined
        ? String(duration)
        : partsOf(millis).map(({ unit, n }) => t(`unit.${unit}`, { n })).join(' ');
    },
    [t],
  );
}
