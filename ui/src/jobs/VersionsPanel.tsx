import { Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '../api/shapes';
import { useNs } from '../frame/ns';
import { Ago } from '../pieces/Ago';
import { DataText } from '../pieces/DataView';
import { LabelList } from '../pieces/LabelList';
import { Panel } from '../pieces/Panel';
import { ProblemNote } from '../pieces/ProblemNote';
import { yamlOf } from '../pieces/yaml';
import { changedFields } from './changes';
import { definitionOf, useVersions } from './jobs';
import styles from './jobs.module.css';

/** How the job was defined before, the newest first, with what has changed each time. */
export function VersionsPanel({ job }: { job: Job }) {
  const { t } = useTranslation();
  const versions = useVersions(useNs(), job.id);
  const items = versions.data?.items ?? [];
  return (
    <Panel title={t('job.versions')} flush>
      {versions.error && !versions.data && <ProblemNote thrown={versions.error} again={() => void versions.refetch()} />}
      {versions.isPending && <Stack p="md" gap="xs"><Skeleton height={22} /><Skeleton height={22} /></Stack>}
      {versions.data && items.length === 0 && <Text size="sm" c="dimmed" p="md">{t('job.versionsNone')}</Text>}
      {items.map((version, i) => (
        <Version key={version.generation} version={version} before={items[i + 1]} isCurrent={version.generation === job.generation} />
      ))}
    </Panel>
  );
}

function Version({ version, before, isCurrent }: { version: Job; before: Job | undefined; isCurrent: boolean }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const changed = before && changedFields(version, before);
  return (
    <details className={styles.version} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        <Text span fw={600} size="sm">{t('job.version', { generation: version.generation })}</Text>
        {isCurrent && <Text span size="xs" c="dimmed">{t('job.current')}</Text>}
        <Text span size="sm" c="dimmed"><Ago at={version.updated} /></Text>
        <span title={t('job.changed')}><LabelList labels={changed === undefined ? [t('job.firstVersion')] : changed.length === 0 ? [t('job.sameVersion')] : changed} most={5} /></span>
      </summary>
      {opened && <DataText text={yamlOf(definitionOf(version))} label={t('job.versionShow', { generation: version.generation })} />}
    </details>
  );
}
