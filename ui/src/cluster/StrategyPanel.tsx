import { Button, Group, Select, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNs } from '../frame/ns';
import { ConfirmDialog } from '../pieces/ConfirmDialog';
import { Panel } from '../pieces/Panel';
import { ProblemNote } from '../pieces/ProblemNote';
import { toast } from '../pieces/toast';
import { May } from '../session/May';
import { useChooseStrategy, useResetStrategy, useStrategy } from './cluster';
import { useStrategyName } from './useStrategyName';

/** By which rule workers get tasks: seen by all, chosen and cleared by admins. */
export function StrategyPanel() {
  const { t } = useTranslation();
  const ns = useNs();
  const strategy = useStrategy(ns);
  const choose = useChooseStrategy(ns);
  const name = useStrategyName();
  const [picked, setPicked] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const current = strategy.data?.strategy ?? '';
  const chosen = picked ?? current;
  const save = () =>
    choose.mutate(chosen, {
      onSuccess: () => {
        setPicked(null);
        toast(t('cluster.strategyChosen', { strategy: name(chosen) }));
      },
    });
  if (strategy.error && !strategy.data) {
    return <Panel title={t('cluster.strategy')}><ProblemNote thrown={strategy.error} again={() => void strategy.refetch()} /></Panel>;
  }
  return (
    <Panel title={t('cluster.strategy')}>
      <Stack gap="sm">
        {strategy.data === undefined ? <Skeleton height={36} /> : (
          <Group gap="sm" align="flex-end">
            <Select
              aria-label={t('cluster.strategyLabel')}
              data={strategy.data.known.map((each) => ({ value: each, label: name(each) }))}
              value={chosen}
              onChange={setPicked}
              allowDeselect={false}
              style={{ flex: 1, minWidth: 200 }}
            />
            <May role="admin">{(may) => <Button disabled={!may || chosen === current} loading={choose.isPending} onClick={save}>{t('cluster.strategySave')}</Button>}</May>
            <May role="admin">{(may) => <Button variant="default" disabled={!may} onClick={() => setAsking(true)}>{t('cluster.strategyReset')}</Button>}</May>
          </Group>
        )}
        {choose.error && <ProblemNote thrown={choose.error} />}
      </Stack>
      {asking && <ResetQuestion ns={ns} strategy={name(current)} onClose={() => setAsking(false)} />}
    </Panel>
  );
}

function ResetQuestion({ ns, strategy, onClose }: { ns: string; strategy: string; onClose: () => void }) {
  const { t } = useTranslation();
  const reset = useResetStrategy(ns);
  const go = () =>
    reset.mutate(undefined, {
      onSuccess: () => {
        toast(t('cluster.strategyWasReset'));
        onClose();
      },
    });
  return (
    <ConfirmDialog
      opened
      title={t('cluster.strategyResetTitle')}
      text={t('cluster.strategyResetText', { strategy })}
      verb={t('cluster.strategyReset')}
      danger
      busy={reset.isPending}
      thrown={reset.error}
      onYes={go}
      onClose={onClose}
    />
  );
}
