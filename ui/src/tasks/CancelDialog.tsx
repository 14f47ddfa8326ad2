import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { refusalOf } from '../api/refusal';
import type { Task } from '../api/shapes';
import { useNs } from '../frame/ns';
import { ConfirmDialog } from '../pieces/ConfirmDialog';
import { toast } from '../pieces/toast';
import { useCancel } from './tasks';

export function CancelDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const cancel = useCancel(useNs(), task.id);
  const refusal = cancel.error ? refusalOf(cancel.error) : undefined;
  const go = () =>
    cancel.mutate(reason.trim(), {
      onSuccess: () => {
        toast(t('task.cancelAsked'));
        onClose();
      },
    });
  return (
    <ConfirmDialog
      opened
      title={t('task.cancelTitle')}
      text={t('task.cancelText', { task: task.id })}
      verb={t('task.cancelRun')}
      keep={t('task.cancelKeep')}
      danger
      busy={cancel.isPending}
      thrown={refusal?.field === 'reason' ? undefined : refusal}
      onYes={go}
      onClose={onClose}
    >
      <TextInput
        label={t('task.cancelReason')}
        description={t('task.cancelReasonHint')}
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={refusal?.field === 'reason' && refusal.message}
        data-autofocus
      />
    </ConfirmDialog>
  );
}
