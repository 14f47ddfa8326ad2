import { Anchor, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { refusalOf } from '../api/refusal';
import type { Job, Json } from '../api/shapes';
import { to, useNs } from '../frame/ns';
import { ConfirmDialog } from '../pieces/ConfirmDialog';
import { toast } from '../pieces/toast';
import { instantOfInput, ownZone } from '../pieces/times';
import { type Asked, useTrigger } from './jobs';

/** Triggers a job, with another payload or for an instant if wanted. */
export default function TriggerDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const { t } = useTranslation();
  const ns = useNs();
  const trigger = useTrigger(ns, job.id);
  const [payload, setPayload] = useState('');
  const [instant, setInstant] = useState('');
  const [bad, setBad] = useState<string | undefined>(undefined);
  const refusal = trigger.error ? refusalOf(trigger.error) : undefined;
  const refusedField = refusal?.field === 'payload' || refusal?.field === 'at' ? refusal.field : undefined;

  const go = () => {
    const asked: Asked = {};
    if (payload.trim() !== '') {
      try {
        asked.payload = JSON.parse(payload) as Json;
      } catch (thrown) {
        setBad(t('triggerForm.payloadBad', { reason: (thrown as Error).message }));
        return;
      }
    }
    setBad(undefined);
    const at = instantOfInput(instant);
    if (at !== undefined) {
      asked.at = at;
    }
    trigger.mutate(asked, {
      onSuccess: (task) => {
        toast(<>{t('jobs.triggered', { job: job.id })} <Anchor component={Link} to={to.task(ns, task.id)} size="sm">{t('jobs.showTask')}</Anchor></>);
        onClose();
      },
    });
  };

  return (
    <ConfirmDialog
      opened
      title={t('triggerForm.title', { job: job.name })}
      text={t('triggerForm.intro')}
      verb={t('triggerForm.submit')}
      busy={trigger.isPending}
      thrown={refusedField === undefined ? trigger.error : undefined}
      onYes={go}
      onClose={onClose}
    >
      <Textarea
        label={t('triggerForm.payload')}
        description={t('triggerForm.payloadHint')}
        value={payload}
        onChange={(event) => setPayload(event.currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        error={bad ?? (refusedField === 'payload' && refusal?.message)}
        autosize
        minRows={3}
        maxRows={12}
        spellCheck={false}
      />
      <TextInput
        type="datetime-local"
        step={1}
        label={t('triggerForm.at')}
        description={t('triggerForm.atHint', { zone: ownZone() })}
        value={instant}
        onChange={(event) => setInstant(event.currentTarget.value)}
        error={refusedField === 'at' && refusal?.message}
      />
    </ConfirmDialog>
  );
}
