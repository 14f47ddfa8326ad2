import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Job } from '../api/shapes';
import { Rows } from '../pieces/Rows';
import { JobRow } from './JobRow';

export function JobRows({ jobs, loading, chosen, onChoose, onTrigger }: {
  jobs: Job[];
  loading: boolean;
  chosen: ReadonlySet<string>;
  onChoose: (ids: ReadonlySet<string>) => void;
  onTrigger: (job: Job) => void;
}) {
  const { t } = useTranslation();
  const isAll = jobs.length > 0 && chosen.size === jobs.length;
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) {
      next.add(id);
    } else {
      next.delete(id);
    }
    onChoose(next);
  };
  const all = (
    <Checkbox
      aria-label={t('jobs.selectAll')}
      checked={isAll}
      indeterminate={chosen.size > 0 && !isAll}
      onChange={() => onChoose(isAll ? new Set() : new Set(jobs.map((job) => job.id)))}
    />
  );
  const columns = [
    { key: 'select', head: all, narrow: true },
    ...(['job', 'trigger', 'next', 'last', 'executor', 'enabled'] as const).map((key) => ({ key, head: t(`jobs.col.${key}`), narrow: key === 'enabled' })),
    { key: 'actions', head: t('common.actions'), narrow: true },
  ];
  return (
    <Rows label={t('jobs.title')} columns={columns} loading={loading}>
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} isChosen={chosen.has(job.id)} onChoose={(isChosen) => choose(job.id, isChosen)} onTrigger={() => onTrigger(job)} />
      ))}
    </Rows>
  );
}
