import { AppShell, Group } from '@mantine/core';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink, Outlet, useLocation } from 'react-router';
import { Live } from '../live/Live';
import { LiveLight } from '../live/LiveLight';
import { ClusterIcon, JobsIcon, TasksIcon, WorkersIcon } from '../pieces/icons';
import { remember } from '../pieces/memory';
import { ownZone } from '../pieces/times';
import { AccountMenu } from './AccountMenu';
import { Banners } from './Banners';
import bell from './bell.svg';
import { Crash } from './Crash';
import styles from './frame.module.css';
import { LeaderTag } from './LeaderTag';
import { NamespaceChoice } from './NamespaceChoice';
import { NS_MEMORY, to, useNs } from './ns';
import { PageSkeleton } from './PageSkeleton';

const SECTIONS = [
  { key: 'jobs', icon: JobsIcon },
  { key: 'tasks', icon: TasksIcon },
  { key: 'workers', icon: WorkersIcon },
  { key: 'cluster', icon: ClusterIcon },
] as const;

export function Frame() {
  const { t } = useTranslation();
  const ns = useNs();
  const { pathname } = useLocation();
  useEffect(() => remember(NS_MEMORY, ns), [ns]);
  return (
    <Live key={ns} ns={ns}>
      <a href="#content" className={styles.skip}>{t('app.skip')}</a>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 208, breakpoint: 'sm', collapsed: { mobile: true } }}
        footer={{ height: { base: 60, sm: 0 } }}
        padding={{ base: 'sm', sm: 'lg' }}
      >
        <AppShell.Header className={styles.header}>
          <Group gap="sm" wrap="nowrap" className={styles.start}>
            <NavLink to={to.jobs(ns)} className={styles.brand} aria-label={t('app.name')}>
              <img src={bell} width={28} height={28} alt="" />
              <span className={styles.brandName}>{t('app.name')}</span>
            </NavLink>
            <NamespaceChoice />
          </Group>
          <Group gap="md" wrap="nowrap" className={styles.end}>
            <LeaderTag />
            <LiveLight />
            <AccountMenu />
          </Group>
        </AppShell.Header>
        <AppShell.Navbar visibleFrom="sm" className={styles.navbar} p="sm" aria-label={t('nav.main')}>
          <Sections className={styles.side} />
          <p className={styles.zone}>{t('frame.zone', { zone: ownZone() })}</p>
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1} className={styles.main}>
          <div className={styles.width}>
            <Banners />
            <Crash key={pathname}><Suspense fallback={<PageSkeleton />}><Outlet /></Suspense></Crash>
          </div>
        </AppShell.Main>
        <AppShell.Footer hiddenFrom="sm" className={styles.footer}>
          <nav aria-label={t('nav.main')}><Sections className={styles.tab} /></nav>
        </AppShell.Footer>
      </AppShell>
    </Live>
  );
}

function Sections({ className }: { className: string | undefined }) {
  const { t } = useTranslation();
  const ns = useNs();
  return SECTIONS.map(({ key, icon: Symbol }) => (
    <NavLink key={key} to={to[key](ns)} className={className ?? ''}>
      <Symbol size={20} />
      <span>{t(`nav.${key}`)}</span>
    </NavLink>
  ));
}
