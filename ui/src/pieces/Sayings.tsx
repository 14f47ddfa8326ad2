import { Notification } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { currentSayings, onSayings, unsay } from './say';
import styles from './sayings.module.css';

export function Sayings() {
  const { t } = useTranslation();
  const sayings = useSyncExternalStore(onSayings, currentSayings);
  return (
    <div className={styles.corner} role="status" aria-live="polite">
      {sayings.map((each) => (
        <Notification
          key={each.id}
          title={each.title}
          color={each.refused ? 'red' : 'teal'}
          withBorder
          onClose={() => unsay(each.id)}
          closeButtonProps={{ 'aria-label': t('common.close') }}
          className={styles.saying}
        >
          {each.message}
        </Notification>
      ))}
    </div>
  );
}
