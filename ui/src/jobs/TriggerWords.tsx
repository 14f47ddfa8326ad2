import { Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Trigger, TriggerRule } from '../api/shapes';
import { Mono } from '../pieces/Panel';
import { exact } from '../pieces/times';
import { useDuration } from '../pieces/useDuration';
import { useCronWords } from './cronWords';

/** When a job fires, in words. */
export function TriggerWords({ trigger, job }: { trigger: Trigger; job: string }) {
  const { t } = useTranslation();
  if (trigger === 'none') {
    return <Text size="sm" c="dimmed">{t('trigger.none')}</Text>;
  }
  return (
    <div style={{ minWidth: 0 }}>
      {trigger.cron === undefined ? <Plain trigger={trigger} /> : <Cron trigger={trigger} job={job} />}
      <Besides trigger={trigger} />
    </div>
  );
}

function Cron({ trigger, job }: { trigger: TriggerRule; job: string }) {
  const words = useCronWords(trigger, job);
  return (
    <>
      <Text size="sm" component="div"><Mono>{trigger.cron}</Mono> <Text span size="xs" c="dimmed">{zoneName(trigger.zone)}</Text></Text>
      {words === undefined ? <Skeleton height={12} width={130} my={4} /> : <Text size="xs" c="dimmed" mih={20}>{words}</Text>}
    </>
  );
}

/** The server writes UTC as the offset that it is. */
const zoneName = (zone: string | undefined) => (zone === 'Z' ? 'UTC' : zone);

function Plain({ trigger }: { trigger: TriggerRule }) {
  const { t, i18n } = useTranslation();
  const duration = useDuration();
  const words = (): string => {
    if (trigger.every !== undefined) {
      return t(trigger.from === 'end' ? 'trigger.everyEnd' : 'trigger.every', { duration: duration(trigger.every) });
    }
    if (trigger.at !== undefined) {
      return t('trigger.at', { time: exact(trigger.at, i18n.language) });
    }
    const outcome = trigger.on === 'failed' ? 'trigger.afterFailed' : trigger.on === 'finished' ? 'trigger.afterFinished' : 'trigger.afterSucceeded';
    return t(outcome, { job: trigger.after });
  };
  return <Text size="sm">{words()}</Text>;
}

function Besides({ trigger }: { trigger: TriggerRule }) {
  const { t } = useTranslation();
  const duration = useDuration();
  const parts = [
    trigger.calendar && t('trigger.calendar', { name: trigger.calendar }),
    trigger.jitter && t('trigger.jitter', { duration: duration(trigger.jitter) }),
  ].filter(Boolean);
  return parts.length === 0 ? null : <Text size="xs" c="dimmed">{parts.join(' · ')}</Text>;
}
