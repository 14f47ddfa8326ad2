import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Worker } from '../api/shapes';
import { useNs } from '../frame/ns';
import { PageHead } from '../frame/PageHead';
import { EmptyNote } from '../pieces/EmptyNote';
import { ProblemNote } from '../pieces/ProblemNote';
import { Rows } from '../pieces/Rows';
import { CapacityDialog } from './CapacityDialog';
import { DrainDialog } from './DrainDialog';
import { WorkerRow } from './WorkerRow';
import { useWorkers } from './workers';

type Asking = { about: 'drain' | 'capacity'; worker: Worker };

export default function WorkersPage() {
  const { t } = useTranslation();
  const ns = useNs();
  const workers = useWorkers(ns);
  const [asking, setAsking] = useState<Asking | undefined>(undefined);
  const close = () => setAsking(undefined);
  const columns = [
    ...(['worker', 'status', 'load', 'running', 'labels', 'queues', 'heartbeat'] as const).map((key) => ({ key, head: t(`workers.col.${key}`) })),
    { key: 'actions', head: t('common.actions'), narrow: true },
  ];
  const isEmpty = workers.data?.items.length === 0;
  return (
    <>
      <PageHead title={t('workers.title')} name={t('workers.title')} />
      {workers.error && !workers.data && <ProblemNote thrown={workers.error} again={() => void workers.refetch()} />}
      {isEmpty && <EmptyNote title={t('workers.emptyTitle')} text={t('workers.emptyText')} command={t('workers.emptyCommand')} />}
      {!isEmpty && (workers.data || workers.isPending) && (
        <Rows label={t('workers.title')} columns={columns} loading={workers.isPending} expected={4}>
          {workers.data?.items.map((worker) => (
            <WorkerRow key={worker.id} worker={worker} onDrain={() => setAsking({ about: 'drain', worker })} onCapacity={() => setAsking({ about: 'capacity', worker })} />
          ))}
        </Rows>
      )}
      {asking?.about === 'drain' && <DrainDialog worker={asking.worker} onClose={close} />}
      {asking?.about === 'capacity' && <CapacityDialog worker={asking.worker} onClose={close} />}
    </>
  );
}
