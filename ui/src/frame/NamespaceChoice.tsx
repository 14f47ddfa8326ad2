import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router';
import { NAMESPACES, namespaces } from '../session/session';
import { useNs } from './ns';
import styles from './frame.module.css';

export function NamespaceChoice() {
  const { t } = useTranslation();
  const ns = useNs();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const all = useQuery({ queryKey: NAMESPACES, queryFn: namespaces, staleTime: 60_000 });
  const names = all.data?.items.map((each) => each.name) ?? [ns];
  const go = (name: string | null) => {
    if (name !== null && name !== ns) {
      // The same section of the other namespace; ids of this one mean nothing there.
      const section = pathname.split('/')[3] ?? 'jobs';
      void navigate(`/ns/${encodeURIComponent(name)}/${section}`);
    }
  };
  return (
    <Select
      className={styles.namespace}
      aria-label={t('frame.namespace')}
      data={names.includes(ns) ? names : [ns, ...names]}
      value={ns}
      onChange={go}
      allowDeselect={false}
      searchable={names.length > 8}
      size="sm"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}
