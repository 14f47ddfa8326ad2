import { Text, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Labels } from '../api/shapes';
import styles from './panel.module.css';

/** Labels or names as small tags; more than fit are counted and named on hover. */
export function LabelList({ labels, most = 4 }: { labels: Labels | string[] | undefined; most?: number }) {
  const { t } = useTranslation();
  const all = Array.isArray(labels) ? labels : Object.entries(labels ?? {}).map(([key, value]) => (value === '' ? key : `${key}=${value}`));
  if (all.length === 0) {
    return <Text span c="dimmed">{t('common.none')}</Text>;
  }
  const hidden = all.slice(most);
  return (
    <span className={styles.labels}>
      {all.slice(0, most).map((label) => <span key={label} className={styles.label} title={label}>{label}</span>)}
      {hidden.length > 0 && (
        <Tooltip label={hidden.join(', ')} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
          <span className={styles.label} tabIndex={0}>{t('common.more', { count: hidden.length })}</span>
        </Tooltip>
      )}
    </span>
  );
}
