import { useTranslation } from 'react-i18next';
import type { Worker } from '../api/shapes';
import { useNs } from '../frame/ns';
import { Ask } from '../pieces/Ask';
import { say } from '../pieces/say';
import { useDrain } from './workers';

export function DrainQuestion({ worker, onClose }: { worker: Worker; onClose: () => void }) {
  const { t } = useTranslation();
  const drain = useDrain(useNs());
  const go = () =>
    drain.mutate({ worker, order: { undo: false } }, {
      onSuccess: () => {
        say(t('workers.drained', { worker: worker.name }));
        onClose();
      },
    });
  return (
    <Ask
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
