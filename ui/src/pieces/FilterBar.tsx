import { Button } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './filters.module.css';
import { FilterIcon } from './icons';

/** Filters in one row; on a phone only the first, the others behind a button that says how many are set. */
export function FilterBar({ first, active, children }: { first: ReactNode; active: number; children: ReactNode }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const id = useId();
  return (
    <div className={styles.bar} role="search" aria-label={t('common.filters')}>
      <div className={styles.first}>{first}</div>
      <Button className={styles.toggle} variant="default" leftSection={<FilterIcon size={16} />} aria-expanded={opened} aria-controls={id} onClick={() => setOpened(!opened)}>
        {t('common.filters')}{active > 0 && ` (${active})`}
      </Button>
      <div id={id} className={styles.others} data-opened={opened}>{children}</div>
    </div>
  );
}
