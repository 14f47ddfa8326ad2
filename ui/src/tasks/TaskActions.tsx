import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { refusalOf } from '../api/refusal';
import { PRIORITIES, type Priority, type Task } from '../api/shapes';
import { to, useNs } from '../frame/ns';
import { ConfirmDialog } from '../pieces/ConfirmDialog';
import { AgainIcon, StopIcon } from '../pieces/icons';
import { toast, toastRefusal } from '../pieces/toast';
import { useProblemWords } from '../pieces/useProblemWords';
import { May } from '../session/May';
import { CancelDialog } from './CancelDialog';
import { isFinal, isWaiting, usePriority, useRetry } from './tasks';

/** What can be done with a task in its state; what makes no sense is not there. */
export function TaskActions({ task }: { task: Task }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<'cancel' | 'retry' | undefined>(undefined);
  const close = () => setAsking(undefined);
  const canCancel = !isFinal(task) && task.cancel === undefined;
  const canRetry = task.state === 'failed' || task.state === 'cancelled';
  return (
    <>
      {isWaiting(task) && <PriorityChoice task={task} />}
      {canCancel && <May role="operator">{(may) => <Button color="red" variant="light" leftSection={<StopIcon />} disabled={!may} onClick={() => setAsking('cancel')}>{t('task.cancel')}</Button>}</May>}
      {canRetry && <May role="operator">{(may) => <Button leftSection={<AgainIcon />} disabled={!may} onClick={() => setAsking('retry')}>{t('task.retry')}</Button>}</May>}
      {asking === 'cancel' && <CancelDialog task={task} onClose={close} />}
      {asking === 'retry' && <RetryQuestion task={task} onClose={close} />}
    </>
  );
}

function PriorityChoice({ task }: { task: Task }) {
  const { t } = useTranslation();
  const words = useProblemWords();
  const change = usePriority(useNs(), task.id);
  const choose = (priority: string | null) =>
    change.mutate(priority as Priority, {
      onSuccess: () => toast(t('task.priorityChanged', { priority: t(`priority.${priority as Priority}`) })),
      onError: (thrown) => toastRefusal(words(refusalOf(thrown)).title, words(refusalOf(thrown)).sentence),
    });
  return (
    <May role="operator">
      {(may) => (
        <Select
          w={130}
          aria-label={t('task.priority')}
          disabled={!may}
          allowDeselect={false}
          value={task.priority}
          onChange={choose}
          data={PRIORITIES.map((value) => ({ value: value as string, label: t(`priority.${value}`) }))}
        />
      )}
    </May>
  );
}

function RetryQuestion({ task, onClose }: { task: Task; onClose: () => void }) {
  const { t } = useTranslation();
  const ns = useNs();
  const navigate = useNavigate();
  const retry = useRetry(ns, task.id);
  const go = () =>
    retry.mutate(undefined, {
      onSuccess: (made) => {
        toast(t('task.retried'));
        onClose();
        void navigate(to.task(ns, made.id));
      },
    });
  return <ConfirmDialog opened title={t('task.retryTitle')} text={t('task.retryText')} verb={t('task.retryRun')} busy={retry.isPending} thrown={retry.error} onYes={go} onClose={onClose} />;
}
