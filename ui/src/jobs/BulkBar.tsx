import { Button, List, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BulkOutcome } from '../api/shapes';
import { useNs } from '../frame/ns';
import { ConfirmDialog } from '../pieces/ConfirmDialog';
import { toast, toastRefusal } from '../pieces/toast';
import { May } from '../session/May';
import { type BulkAction, useBulk } from './jobs';
import styles from './jobs.module.css';

const ACTIONS: BulkAction[] = ['trigger', 'enable', 'disable'];
const NAMED = 8;

/** What can be done with the jobs that are chosen, all at once. */
export function BulkBar({ ids, onDone }: { ids: string[]; onDone: () => void }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<BulkAction | undefined>(undefined);
  if (ids.length === 0) {
    return null;
  }
  return (
    <div className={styles.bulk} role="region" aria-label={t('jobs.selected', { count: ids.length })}>
      <Text size="sm" fw={600} me="auto">{t('jobs.selected', { count: ids.length })}</Text>
      {ACTIONS.map((action) => (
        <May key={action} role="operator">
          {(may) => <Button size="xs" variant="default" disabled={!may} onClick={() => setAsking(action)}>{t(`jobs.${action}`)}</Button>}
        </May>
      ))}
      <Button size="xs" variant="subtle" onClick={onDone}>{t('jobs.clearSelection')}</Button>
      {asking && <BulkQuestion action={asking} ids={ids} onClose={() => setAsking(undefined)} onDone={onDone} />}
    </div>
  );
}

function BulkQuestion({ action, ids, onClose, onDone }: { action: BulkAction; ids: string[]; onClose: () => void; onDone: () => void }) {
  const { t } = useTranslation();
  const bulk = useBulk(useNs());
  const tell = (outcome: BulkOutcome) => {
    const refused = outcome.results.filter((each) => each.outcome === 'refused');
    if (refused.length < outcome.results.length) {
      toast(t('bulk.done', { count: outcome.results.length - refused.length }));
    }
    if (refused.length > 0) {
      toastRefusal(t('bulk.refused', { count: refused.length }), refused.slice(0, NAMED).map((each) => `${each.id}: ${each.error?.message ?? ''}`).join('\n'));
    }
    onClose();
    onDone();
  };
  return (
    <ConfirmDialog
      opened
      title={t(`bulk.${action}Title`, { count: ids.length })}
      text={t(`bulk.${action}Text`)}
      verb={t(`jobs.${action}`)}
      danger={action === 'disable'}
      busy={bulk.isPending}
      thrown={bulk.error}
      onYes={() => bulk.mutate({ action, ids }, { onSuccess: tell })}
      onClose={onClose}
    >
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {ids.slice(0, NAMED).map((id) => <List.Item key={id}>{id}</List.Item>)}
        {ids.length > NAMED && <List.Item>{t('common.more', { count: ids.length - NAMED })}</List.Item>}
      </List>
    </ConfirmDialog>
  );
}
