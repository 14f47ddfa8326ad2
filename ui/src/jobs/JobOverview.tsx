import { useTranslation } from 'react-i18next';
import type { Job } from '../api/shapes';
import { Ago } from '../pieces/Ago';
import { LabelList } from '../pieces/LabelList';
import { Facts, Mono, Panel } from '../pieces/Panel';
import { TriggerWords } from './TriggerWords';

export function JobOverview({ job }: { job: Job }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('job.overview')}>
      <Facts
        facts={[
          [t('jobs.sortBy.id'), <Mono key="id">{job.id}</Mono>],
          [t('jobs.col.trigger'), <TriggerWords key="trigger" trigger={job.trigger} job={job.id} />],
          [t('job.next'), job.enabled ? <Ago key="next" at={job.next} upcoming /> : t('jobs.off')],
          [t('job.last'), job.last === undefined ? t('jobs.never') : <Ago key="last" at={job.last} />],
          [t('job.executor'), job.executor.type],
          job.queue !== undefined && [t('job.queue'), job.queue],
          job.priority !== undefined && [t('job.priority'), t(`priority.${job.priority}`)],
          [t('job.labels'), <LabelList key="labels" labels={job.metadata} most={12} />],
          [t('job.created'), <Ago key="created" at={job.created} />],
          [t('job.updated'), <Ago key="updated" at={job.updated} />],
        ]}
      />
    </Panel>
  );
}
