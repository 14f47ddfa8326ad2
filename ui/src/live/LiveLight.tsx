import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useLiveStatus } from './Live';
import styles from './light.module.css';

export function LiveLight() {
  const { t } = useTranslation();
  const status = useLiveStatus();
  return (
    <Tooltip label={t(`live.${status}Hint`)} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      <span className={`${styles.light} ${styles[status]}`} role="status" tabIndex={0} data-live={status}>
        <span className={styles.word}>{t(`live.${status}`)}</span>
      </span>
    </Tooltip>
  );
}
