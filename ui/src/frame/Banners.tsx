import { Alert, Anchor, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useCluster } from '../cluster/cluster';
import { PauseIcon, WarnIcon } from '../pieces/icons';
import { useMe } from '../session/session';
import { to, useNs } from './ns';

/** What everybody must know on every page. */
export function Banners() {
  const { t } = useTranslation();
  const ns = useNs();
  const me = useMe();
  const cluster = useCluster(ns).data;
  const isOnCluster = useLocation().pathname === to.cluster(ns);
  if (!me.insecure && !cluster?.paused) {
    return null;
  }
  return (
    <Stack gap="xs" mb="md">
      {me.insecure && (
        <Alert color="red" variant="light" icon={<WarnIcon />} title={t('frame.insecureTitle')} role="alert">{t('frame.insecureText')}</Alert>
      )}
      {cluster?.paused && (
        <Alert color="orange" variant="light" icon={<PauseIcon />} title={t('frame.pausedTitle')} role="status">
          {t('frame.pausedText')} {cluster.pausedFor && t('frame.pausedFor', { reason: cluster.pausedFor })}{' '}
          {!isOnCluster && <Anchor component={Link} to={to.cluster(ns)} size="sm">{t('frame.toCluster')}</Anchor>}
        </Alert>
      )}
    </Stack>
  );
}
