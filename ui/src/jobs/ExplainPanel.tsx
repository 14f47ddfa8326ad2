import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { refusalOf } from '../api/refusal';
import type { Explanation } from '../api/shapes';
import { to, useNs } from '../frame/ns';
import { Exact } from '../pieces/Ago';
import { Facts, Mono, Panel } from '../pieces/Panel';
import { ProblemNote } from '../pieces/ProblemNote';
import { instantOfInput, ownZone } from '../pieces/times';
import { useWordFor } from '../words/useWordFor';
import { useExplain } from './jobs';

/** Answers the question that comes after every surprise: why did it fire then, or why not? */
export function ExplainPanel({ job }: { job: string }) {
  const { t } = useTranslation();
  const [instant, setInstant] = useState('');
  const explain = useExplain(useNs(), job);
  const refusal = explain.error ? refusalOf(explain.error) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    explain.mutate(instantOfInput(instant));
  };
  return (
    <Panel title={t('job.explain')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">{t('job.explainIntro')}</Text>
        <form onSubmit={submit}>
          <Group align="flex-end" gap="sm">
            <TextInput
              type="datetime-local"
              step={1}
              label={t('job.explainAt')}
              description={t('job.explainAtHint', { zone: ownZone() })}
              value={instant}
              onChange={(event) => setInstant(event.currentTarget.value)}
              error={refusal?.field === 'at' && refusal.message}
              style={{ flex: 1, minWidth: 200 }}
            />
            <Button type="submit" variant="default" loading={explain.isPending}>{t('job.explainRun')}</Button>
          </Group>
        </form>
        {refusal && refusal.field !== 'at' && <ProblemNote thrown={refusal} />}
        <div aria-live="polite">{explain.data && <Answer explanation={explain.data} />}</div>
      </Stack>
    </Panel>
  );
}

function Answer({ explanation }: { explanation: Explanation }) {
  const { t } = useTranslation();
  const wordFor = useWordFor();
  const ns = useNs();
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>{explanation.sentence}</Text>
      <Facts
        facts={[
          [t('job.explainAt'), <Exact key="at" at={explanation.at} />],
          [t('job.outcome'), wordFor('explainOutcome', explanation.outcome)],
          explanation.reason !== undefined && [t('job.reason'), wordFor('skipReason', explanation.reason)],
          explanation.task !== undefined && [t('task.id'), <Anchor key="task" component={Link} to={to.task(ns, explanation.task)} size="sm"><Mono>{explanation.task}</Mono></Anchor>],
        ]}
      />
    </Stack>
  );
}
