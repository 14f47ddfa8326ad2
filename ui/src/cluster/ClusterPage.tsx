import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Cluster, Engine } from '../api/shapes';
import { useNs } from '../frame/ns';
import { PageHead } from '../frame/PageHead';
import { PageSkeleton } from '../frame/PageSkeleton';
import { Ago } from '../pieces/Ago';
import { WarnIcon } from '../pieces/icons';
import { Facts, Mono, Panel } from '../pieces/Panel';
import { ProblemNote } from '../pieces/ProblemNote';
import { useCluster } from './cluster';
import { EventFeed } from './EventFeed';
import { NodeRows } from './NodeRows';
import { OperationPanel } from './OperationPanel';
import { StrategyPanel } from './StrategyPanel';

export default function ClusterPage() {
  const { t } = useTranslation();
  const ns = useNs();
  const cluster = useCluster(ns);
  return (
    <>
      <PageHead title={t('cluster.title')} name={t('cluster.title')} />
      {cluster.error && !cluster.data && <ProblemNote thrown={cluster.error} again={() => void cluster.refetch()} />}
      {cluster.isPending && <PageSkeleton />}
      {cluster.data && <Shown cluster={cluster.data} />}
    </>
  );
}

function Shown({ cluster }: { cluster: Cluster }) {
  const { t } = useTranslation();
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Leadership cluster={cluster} />
        <EnginePanel title={t('cluster.engine')} engine={cluster.engine} />
        {cluster.electionEngine && <EnginePanel title={t('cluster.electionEngine')} engine={cluster.electionEngine} />}
        <OperationPanel cluster={cluster} />
        <StrategyPanel />
      </SimpleGrid>
      <NodeRows nodes={cluster.nodes} />
      <EventFeed />
    </Stack>
  );
}

function Leadership({ cluster }: { cluster: Cluster }) {
  const { t, i18n } = useTranslation();
  const count = new Intl.NumberFormat(i18n.language);
  return (
    <Panel title={t('cluster.leadership')}>
      <Facts
        facts={[
          [t('cluster.leader'), cluster.leader === undefined ? t('cluster.noLeader') : <Mono>{cluster.leader}</Mono>],
          [t('cluster.since'), <Ago key="since" at={cluster.since} />],
          [t('cluster.term'), count.format(cluster.term)],
          [t('cluster.elections'), count.format(cluster.elections)],
        ]}
      />
    </Panel>
  );
}

function EnginePanel({ title, engine }: { title: string; engine: Engine }) {
  const { t, i18n } = useTranslation();
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <Panel title={title}>
      <Stack gap="sm">
        <Facts
          facts={[
            [t('cluster.kind'), engine.kind],
            engine.version !== undefined && [t('cluster.version'), engine.version],
            [t('cluster.durability'), engine.durability],
            engine.fullness !== undefined && engine.fullness > 0 && [t('cluster.fullness'), percent.format(engine.fullness)],
          ]}
        />
        {engine.warnings?.map((warning) => <EngineWarning key={warning} text={warning} />)}
      </Stack>
    </Panel>
  );
}

function EngineWarning({ text }: { text: string }) {
  return <Alert color="orange" variant="light" icon={<WarnIcon />}>{text}</Alert>;
}
