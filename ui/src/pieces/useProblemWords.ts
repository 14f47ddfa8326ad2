import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { type Refusal, UNREACHABLE, UNREADABLE } from '../api/refusal';

const TITLED = ['invalid', 'unauthenticated', 'forbidden', 'notFound', 'conflict', 'stale', 'timeout', 'tooLarge', 'tooMany', 'unavailable', 'unknown', 'unsupported', 'notAllowed', 'unreachable', 'unreadable'] as const;

/** A refusal in words: what kind it is, and the sentence that came with it. */
export function useProblemWords(): (refusal: Refusal) => { title: string; sentence: string } {
  const { t } = useTranslation();
  return useCallback(
    (refusal) => {
      const known = TITLED.find((code) => code === refusal.code) ?? 'other';
      const sentence =
        refusal.code === UNREACHABLE ? t('problem.unreachable')
        : refusal.code === UNREADABLE ? t('problem.unreadable', { message: refusal.message })
        : refusal.message;
      return { title: t(`problem.title.${known}`), sentence };
    },
    [t],
  );
}
