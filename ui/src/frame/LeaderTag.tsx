import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCluster } from '../cluster/cluster';
import { CrownIcon, WarnIcon } from '../pieces/icons';
import styles from './frame.module.css';
import { to, useNs } from './ns';

/** The leader, in the header of every page, because without a leader no job fires. */
export function LeaderTag() {
  const { t } = useTranslation();
  const ns = useNs();
  const cluster = useCluster(ns);
  if (!cluster.data) {
    return <span className={styles.leader} />;
  }
  const { leader } = cluster.data;
  const hint = leader === undefined ? t('frame.leaderNone') : t('frame.leaderIs', { leader });
  return (
    <Tooltip label={hint} multiline maw={300}>
      <Link to={to.cluster(ns)} className={`${styles.leader} ${leader === undefined ? styles.leaderless : ''}`} aria-label={hint}>
        {leader === undefined ? <WarnIcon size={16} /> : <CrownIcon size={16} />}
        <span className={styles.leaderName}>{leader ?? t('frame.noLeader')}</span>
      </Link>
    </Tooltip>
  );
}
