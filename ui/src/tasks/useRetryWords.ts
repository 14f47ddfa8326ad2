import { useTranslation } from 'react-i18next';
import type { RetryRule } from '../api/shapes';
import { useDuration } from '../pieces/useDuration';

/** What happens after a failure, in words. */
export function useRetryWords(): (rule: RetryRule) => string {
  const { t } = useTranslation();
  const duration = useDuration();
  return ({ max, delay, backoff, cap, on = [] }) => {
    if (max === 0) {
      return t('task.retryNever');
    }
    return [
      t('task.retryUpTo', { count: max }),
      t('task.retryFirst', { delay: duration(delay) }),
      max > 1 && backoff > 1 && t('task.retryGrowing', { backoff, cap: duration(cap) }),
      on.length > 0 && t('task.retryOn', { kinds: on.map((kind) => t(`failure.${kind}`)).join(', ') }),
    ].filter(Boolean).join(' · ');
  };
}
