import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { refusalOf } from '../api/refusal';
import type { Worker } from '../api/shapes';
import { useNs } from '../frame/ns';
import { ConfirmDialog } from '../pieces/ConfirmDialog';
import { toast } from '../pieces/toast';
import { useCapacity } from './workers';

const MOST = 100_000;

export function CapacityDialog({ worker, onClose }: { worker: Worker; onClose: () => void }) {
  const { t } = useTranslation();
  const [value, setValue] = useState<number | string>(worker.capacity);
  const [bad, setBad] = useState(false);
  const change = useCapacity(useNs());
  const refusal = change.error ? refusalOf(change.error) : undefined;
  const go = () => {
    const isFit = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST;
    setBad(!isFit);
    if (isFit) {
      change.mutate({ worker, order: { capacity: value } }, {
        onSuccess: () => {
          toast(t('workers.capacityChanged', { worker: worker.name, capacity: value }));
          onClose();
        },
      });
    }
  };
  return (
    <ConfirmDialog
      opened
      title={t('workers.capacityTitle', { worker: worker.name })}
      text={t('workers.capacityHint')}
      verb={t('workers.capacityRun')}
      busy={change.isPending}
      thrown={refusal?.field === 'capacity' ? undefined : refusal}
      onYes={go}
      onClose={onClose}
    >
      <NumberInput
        label={t('workers.capacity')}
        value={value}
        onChange={setValue}
        min={0}
        max={MOST}
        clampBehavior="none"
        allowDecimal={false}
        thousandSeparator=","
        error={bad ? t('workers.capacityBad') : refusal?.field === 'capacity' && refusal.message}
        data-autofocus
      />
    </ConfirmDialog>
  );
}
