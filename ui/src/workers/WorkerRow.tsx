import { ActionIcon, Anchor, Group, Text, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { refusalOf } from '../api/refusal';
import type { Worker } from '../api/shapes';
import { to, useNs } from '../frame/ns';
import { Ago } from '../pieces/Ago';
import { DrainIcon, GaugeIcon, PlayIcon } from '../pieces/icons';
import { LabelList } from '../pieces/LabelList';
import { rowStyles } from '../pieces/Rows';
import { toast, toastRefusal } from '../pieces/toast';
import { WorkerBadge } from '../pieces/StateBadge';
import { useProblemWords } from '../pieces/useProblemWords';
import { May } from '../session/May';
import { Bar } from './Bar';
import { useDrain } from './workers';
import styles from './workers.module.css';

export function WorkerRow({ worker, onDrain, onCapacity }: { worker: Worker; onDrain: () => void; onCapacity: () => void }) {
  const { t } = useTranslation();
  const ns = useNs();
  return (
    <tr data-worker={worker.id}>
      <td className={`${rowStyles.main} ${rowStyles.head}`}>
        <div style={{ minWidth: 0 }}>
          <Anchor component={Link} to={to.tasks(ns, { worker: worker.id })} fw={600} size="sm" aria-label={t('workers.tasksOf', { worker: worker.name })}>{worker.name}</Anchor>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>{worker.id}</Text>
          {worker.address && <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>{worker.address}</Text>}
        </div>
      </td>
      <td data-label={t('workers.col.status')}><span><WorkerBadge status={worker.status} /></span></td>
      <td data-label={t('workers.col.load')} className={rowStyles.wide}><Load worker={worker} /></td>
      <td data-label={t('workers.col.running')}><Held worker={worker} /></td>
      <td data-label={t('workers.col.labels')}><LabelList labels={worker.labels} most={3} /></td>
      <td data-label={t('workers.col.queues')}><LabelList labels={worker.queues?.length ? worker.queues : [t('workers.allQueues')]} most={3} /></td>
      <td data-label={t('workers.col.heartbeat')}><span><Ago at={worker.heartbeat} /></span></td>
      <td className={`${rowStyles.narrow} ${rowStyles.corner}`}>
        <Group gap={4} wrap="nowrap">
          <DrainSwitch worker={worker} onDrain={onDrain} />
          <May role="operator">
            {(may) => (
              <Tooltip label={t('workers.capacity')}>
                <ActionIcon variant="subtle" color="gray" disabled={!may} onClick={onCapacity} aria-label={t('workers.capacityOne', { worker: worker.name })}><GaugeIcon /></ActionIcon>
              </Tooltip>
            )}
          </May>
        </Group>
      </td>
    </tr>
  );
}

function DrainSwitch({ worker, onDrain }: { worker: Worker; onDrain: () => void }) {
  const { t } = useTranslation();
  const words = useProblemWords();
  const drain = useDrain(useNs());
  const isDraining = worker.status === 'draining';
  const undo = () =>
    drain.mutate({ worker, order: { undo: true } }, {
      onSuccess: () => toast(t('workers.undrained', { worker: worker.name })),
      onError: (thrown) => toastRefusal(words(refusalOf(thrown)).title, words(refusalOf(thrown)).sentence),
    });
  return (
    <May role="operator">
      {(may) => (
        <Tooltip label={isDraining ? t('workers.undrain') : t('workers.drain')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            disabled={!may}
            onClick={isDraining ? undo : onDrain}
            aria-label={isDraining ? t('workers.undrainOne', { worker: worker.name }) : t('workers.drainOne', { worker: worker.name })}
          >
            {isDraining ? <PlayIcon /> : <DrainIcon />}
          </ActionIcon>
        </Tooltip>
      )}
    </May>
  );
}

function Load({ worker }: { worker: Worker }) {
  const { t } = useTranslation();
  const { cpu, memory } = worker.load ?? {};
  if (cpu === undefined && memory === undefined) {
    return <Text span c="dimmed">{t('common.none')}</Text>;
  }
  const text = (share: number) => t('workers.percent', { percent: Math.round(share * 100) });
  return (
    <span className={styles.bars}>
      {cpu !== undefined && <Bar label={t('workers.cpu')} share={cpu} text={text(cpu)} />}
      {memory !== undefined && <Bar label={t('workers.memory')} share={memory} text={text(memory)} />}
    </span>
  );
}

function Held({ worker }: { worker: Worker }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const share = worker.capacity === 0 ? 0 : worker.running / worker.capacity;
  return (
    <span className={styles.held}>
      <span>{t('workers.ofCapacity', { running: number.format(worker.running), capacity: number.format(worker.capacity) })}</span>
      <span className={styles.track} aria-hidden="true"><span className={styles.fill} style={{ width: `${Math.min(100, share * 100)}%` }} /></span>
    </span>
  );
}
