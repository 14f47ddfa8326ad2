import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { refusalOf } from '../api/refusal';
import type { Cluster } from '../api/shapes';
import { useNs } from '../frame/ns';
import { ConfirmDialog } from '../pieces/ConfirmDialog';
import { PauseIcon, PlayIcon } from '../pieces/icons';
import { Panel } from '../pieces/Panel';
import { toast, toastRefusal } from '../pieces/toast';
import { useProblemWords } from '../pieces/useProblemWords';
import { May } from '../session/May';
import { usePause, useResume } from './cluster';

/** Whether the namespace runs, and the switch for it. */
export function OperationPanel({ cluster }: { cluster: Cluster }) {
  const { t } = useTranslation();
  const ns = useNs();
  const words = useProblemWords();
  const resume = useResume(ns);
  const [asking, setAsking] = useState(false);
  const goOn = () =>
    resume.mutate(undefined, {
      onSuccess: () => toast(t('cluster.wasResumed')),
      onError: (thrown) => toastRefusal(words(refusalOf(thrown)).title, words(refusalOf(thrown)).sentence),
    });
  return (
    <Panel title={t('cluster.operation')}>
      <Group justify="space-between" gap="md">
        <Stack gap={2} style={{ flex: 1, minWidth: 180 }}>
          <Text fw={600} size="sm">{cluster.paused ? t('cluster.paused') : t('cluster.running')}</Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {!cluster.paused ? t('cluster.runningText') : cluster.pausedFor ? t('frame.pausedFor', { reason: cluster.pausedFor }) : t('frame.pausedText')}
          </Text>
        </Stack>
        <May role="admin">
          {(may) =>
            cluster.paused
              ? <Button leftSection={<PlayIcon />} disabled={!may} loading={resume.isPending} onClick={goOn}>{t('cluster.resume')}</Button>
              : <Button variant="default" leftSection={<PauseIcon />} disabled={!may} onClick={() => setAsking(true)}>{t('cluster.pause')}</Button>}
        </May>
      </Group>
      {asking && <PauseDialog ns={ns} onClose={() => setAsking(false)} />}
    </Panel>
  );
}

function PauseDialog({ ns, onClose }: { ns: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const pause = usePause(ns);
  const refusal = pause.error ? refusalOf(pause.error) : undefined;
  const go = () => {
    const given = reason.trim();
    setMissing(given === '');
    if (given !== '') {
      pause.mutate(given, {
        onSuccess: () => {
          toast(t('cluster.wasPaused'));
          onClose();
        },
      });
    }
  };
  return (
    <ConfirmDialog
      opened
      title={t('cluster.pauseTitle', { namespace: ns })}
      text={t('cluster.pauseText')}
      verb={t('cluster.pause')}
      danger
      busy={pause.isPending}
      thrown={refusal?.field === 'reason' ? undefined : refusal}
      onYes={go}
      onClose={onClose}
    >
      <TextInput
        label={t('cluster.pauseReason')}
        description={t('cluster.pauseReasonHint')}
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.currentTarget.value)}
        error={missing ? t('cluster.pauseReasonMissing') : refusal?.field === 'reason' && refusal.message}
        required
        data-autofocus
      />
    </ConfirmDialog>
  );
}
