import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { API, ask, query } from '../api/http';
import type { CronPreview, TriggerRule } from '../api/shapes';
import { lane } from './lane';

/** A page of jobs may ask for fifty descriptions; a few at a time leave connections for what matters more. */
const inLane = lane(3);

/** What a cron expression means, in the language of the interface. It never changes, so it is asked for once. */
export function useCronWords(trigger: TriggerRule, job: string): string | undefined | null {
  const { i18n } = useTranslation();
  const language = i18n.language.startsWith('zh') ? 'chinese' : 'english';
  // H is spread by the job's id; other expressions mean the same for every job.
  const spread = /\bH\b/.test(trigger.cron ?? '') ? job : undefined;
  const words = useQuery({
    queryKey: ['cron', trigger.cron, trigger.dialect, language, spread],
    queryFn: ({ signal }) =>
      inLane(() => ask<CronPreview>(`${API}/cron/preview${query({ expression: trigger.cron, zone: trigger.zone, dialect: trigger.dialect, count: 1, language, job: spread })}`, { signal })),
    enabled: trigger.cron !== undefined,
    staleTime: Infinity,
    gcTime: 3_600_000,
    retry: false,
  });
  return words.isError ? null : words.data?.description;
}
