import { useTranslation } from 'react-i18next';
import type { Worker } from '../api/shapes';
import { useNs } from '../frame/ns';
import { ConfirmDialog } from '../pieces/ConfirmDialog';
import { toast } from '../pieces/toast';
import { useDrain } from './workers';

export function DrainDialog({ worker, onClose }: { worker: Worker; onClose: () => void }) {
  const { t } = useTranslation();
  const drain = useDrain(useNs());
  const go = () =>
    drain.mutate({ worker, order: { undo: false } }, {
      onSuccess: () => {
        toast(t('workers.drained', { worker: worker.name }));
        onClose();
      },
    });
  return (
    <ConfirmDialog
      opened
      title={t('workers.drainTitle')}
      text={t('workers.drainText', { worker: worker.name, count: worker.running })}
      verb={t('workers.drain')}
      danger
      busy={drain.isPending}
      thrown={drain.error}
      onYes={go}
      onClose={onClose}
    />
  );
}
