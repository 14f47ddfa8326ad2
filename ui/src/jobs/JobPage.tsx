import { Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { Job } from '../api/shapes';
import { BackLink } from '../frame/BackLink';
import { to, useNs } from '../frame/ns';
import { PageHead } from '../frame/PageHead';
import { PageSkeleton } from '../frame/PageSkeleton';
import { DataView } from '../pieces/DataView';
import { PlayIcon } from '../pieces/icons';
import { ProblemNote } from '../pieces/ProblemNote';
import { May } from '../session/May';
import { EnabledSwitch } from './EnabledSwitch';
import { ExplainPanel } from './ExplainPanel';
import { FiresPanel } from './FiresPanel';
import { JobOverview } from './JobOverview';
import { definitionOf, useJob } from './jobs';
import { RecentTasks } from './RecentTasks';
import { VersionsPanel } from './VersionsPanel';

// The payload editor is loaded on demand.
const TriggerDialog = lazy(() => import('./TriggerDialog'));

export default function JobPage() {
  const { t } = useTranslation();
  const ns = useNs();
  const id = useParams<'job'>().job ?? '';
  const job = useJob(ns, id);
  if (job.data) {
    return <Shown key={id} job={job.data} />;
  }
  return (
    <>
      <PageHead title={id} name={id} above={<BackLink to={to.jobs(ns)} word={t('jobs.title')} />} />
      {job.error ? <ProblemNote thrown={job.error} again={() => void job.refetch()} /> : <PageSkeleton />}
    </>
  );
}

function Shown({ job }: { job: Job }) {
  const { t } = useTranslation();
  const ns = useNs();
  const [asking, setAsking] = useState(false);
  const actions = (
    <Group gap="md">
      <EnabledSwitch job={job} label={job.enabled ? t('job.enabled') : t('job.disabled')} />
      <May role="operator">{(may) => <Button leftSection={<PlayIcon />} disabled={!may} onClick={() => setAsking(true)}>{t('jobs.trigger')}</Button>}</May>
    </Group>
  );
  return (
    <>
      <PageHead
        title={job.name}
        name={job.name}
        above={<BackLink to={to.jobs(ns)} word={t('jobs.title')} />}
        below={job.description && <Text c="dimmed" size="sm" style={{ overflowWrap: 'anywhere' }}>{job.description}</Text>}
        actions={actions}
      />
      <Stack gap="md">
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <JobOverview job={job} />
          <FiresPanel job={job} />
        </SimpleGrid>
        <RecentTasks job={job.id} />
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <DataView title={t('job.definition')} value={definitionOf(job)} />
          <Stack gap="md">
            <ExplainPanel job={job.id} />
            <VersionsPanel job={job} />
          </Stack>
        </SimpleGrid>
      </Stack>
      {asking && <Suspense><TriggerDialog job={job} onClose={() => setAsking(false)} /></Suspense>}
    </>
  );
}
