import { Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Job } from '../api/shapes';
import { useNs } from '../frame/ns';
import { Ago, Exact } from '../pieces/Ago';
import { Panel } from '../pieces/Panel';
import { ProblemNote } from '../pieces/ProblemNote';
import { useFires } from './jobs';
import styles from './jobs.module.css';

export function FiresPanel({ job }: { job: Job }) {
  const { t } = useTranslation();
  const fires = useFires(useNs(), job);
  const remark = useRemark();
  return (
    <Panel title={t('job.fires')}>
      <Stack gap="xs">
        {!job.enabled && <Text size="sm" c="dimmed">{t('job.firesOff')}</Text>}
        {fires.error && !fires.data && <ProblemNote thrown={fires.error} again={() => void fires.refetch()} />}
        {fires.isPending && Array.from({ length: 8 }, (_, i) => <Skeleton key={i} height={22} />)}
        {fires.data?.next.length === 0 && <Text size="sm" c="dimmed">{t('job.firesNone')}</Text>}
        <ol className={styles.fires}>
          {fires.data?.next.map((fire) => (
            <li key={fire.at}>
              <span><Exact at={fire.at} />{fire.remark && <span className={styles.remark}> · {remark(fire.remark)}</span>}</span>
              <Text span size="sm" c="dimmed"><Ago at={fire.at} /></Text>
            </li>
          ))}
        </ol>
      </Stack>
    </Panel>
  );
}

/** The server's remarks on clock changes, in the language of the interface; one that is newer than it is shown as it is. */
function useRemark(): (said: string) => string {
  const { t } = useTranslation();
  return (said) => {
    const moved = /^moved: clocks jump over (.+)$/.exec(said);
    if (moved) {
      return t('job.remarkMoved', { time: moved[1] });
    }
    if (said.startsWith('first of two:')) {
      return t('job.remarkFirst');
    }
    return said.startsWith('second of two:') ? t('job.remarkSecond') : said;
  };
}
