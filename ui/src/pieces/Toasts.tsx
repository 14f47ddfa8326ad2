import { Notification } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { currentToasts, onToasts, dismissToast } from './toast';
import styles from './toasts.module.css';

export function Toasts() {
  const { t } = useTranslation();
  const toasts = useSyncExternalStore(onToasts, currentToasts);
  return (
    <div className={styles.corner} role="status" aria-live="polite">
      {toasts.map((each) => (
        <Notification
          key={each.id}
          title={each.title}
          color={each.refused ? 'red' : 'teal'}
          withBorder
          onClose={() => dismissToast(each.id)}
          closeButtonProps={{ 'aria-label': t('common.close') }}
          className={styles.toast}
        >
          {each.message}
        </Notification>
      ))}
    </div>
  );
}
