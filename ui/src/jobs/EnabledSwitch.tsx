import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { refusalOf } from '../api/refusal';
import type { Job } from '../api/shapes';
import { useNs } from '../frame/ns';
import { toast, toastRefusal } from '../pieces/toast';
import { useProblemWords } from '../pieces/useProblemWords';
import { May } from '../session/May';
import { useSwitch } from './jobs';

export function EnabledSwitch({ job, label }: { job: Job; label?: string }) {
  const { t } = useTranslation();
  const words = useProblemWords();
  const change = useSwitch(useNs());
  const flip = (enabled: boolean) =>
    change.mutate({ job, enabled }, {
      onSuccess: () => toast(t(enabled ? 'jobs.wasEnabled' : 'jobs.wasDisabled', { job: job.id })),
      onError: (thrown) => toastRefusal(words(refusalOf(thrown)).title, words(refusalOf(thrown)).sentence),
    });
  return (
    <May role="operator">
      {(may) => (
        <Switch
          checked={job.enabled}
          disabled={!may}
          onChange={(event) => flip(event.currentTarget.checked)}
          label={label}
          aria-label={t(job.enabled ? 'jobs.disableOne' : 'jobs.enableOne', { job: job.id })}
        />
      )}
    </May>
  );
}
