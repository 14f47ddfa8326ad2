import { ActionIcon, Anchor, Checkbox, Text, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Job } from '../api/shapes';
import { to, useNs } from '../frame/ns';
import { Ago } from '../pieces/Ago';
import { PlayIcon } from '../pieces/icons';
import { rowStyles } from '../pieces/Rows';
import { May } from '../session/May';
import { EnabledSwitch } from './EnabledSwitch';
import styles from './jobs.module.css';
import { TriggerWords } from './TriggerWords';

export function JobRow({ job, isChosen, onChoose, onTrigger }: { job: Job; isChosen: boolean; onChoose: (isChosen: boolean) => void; onTrigger: () => void }) {
  const { t } = useTranslation();
  const ns = useNs();
  return (
    <tr data-chosen={isChosen} data-job={job.id}>
      <td className={`${rowStyles.narrow} ${rowStyles.start}`}>
        <Checkbox aria-label={t('jobs.selectOne', { job: job.id })} checked={isChosen} onChange={(event) => onChoose(event.currentTarget.checked)} />
      </td>
      <td className={`${rowStyles.main} ${rowStyles.head} ${styles.beside}`}>
        <div style={{ minWidth: 0 }}>
          <Anchor component={Link} to={to.job(ns, job.id)} fw={600} size="sm" lineClamp={2} title={job.name}>{job.name}</Anchor>
          {job.name !== job.id && <Text size="xs" c="dimmed" lineClamp={2} title={job.id}>{job.id}</Text>}
        </div>
      </td>
      <td data-label={t('jobs.col.trigger')} className={rowStyles.wide}><TriggerWords trigger={job.trigger} job={job.id} /></td>
      <td data-label={t('jobs.col.next')}>{job.enabled ? <span><Ago at={job.next} upcoming /></span> : <Text size="sm" c="dimmed">{t('jobs.off')}</Text>}</td>
      <td data-label={t('jobs.col.last')}>{job.last === undefined ? <Text size="sm" c="dimmed">{t('jobs.never')}</Text> : <span><Ago at={job.last} /></span>}</td>
      <td data-label={t('jobs.col.executor')}>{job.executor.type}</td>
      <td data-label={t('jobs.col.enabled')}><EnabledSwitch job={job} /></td>
      <td className={`${rowStyles.narrow} ${rowStyles.corner}`}>
        <May role="operator">
          {(may) => (
            <Tooltip label={t('jobs.trigger')}>
              <ActionIcon variant="light" size="lg" disabled={!may} onClick={onTrigger} aria-label={t('jobs.triggerOne', { job: job.id })}><PlayIcon /></ActionIcon>
            </Tooltip>
          )}
        </May>
      </td>
    </tr>
  );
}
