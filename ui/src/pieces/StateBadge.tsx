import { useTranslation } from 'react-i18next';
import type { Attempt, State, WorkerStatus } from '../api/shapes';
import styles from './badges.module.css';

function Pill({ kind, word }: { kind: string; word: string }) {
  return <span className={`${styles.badge} ${styles[kind] ?? ''}`} data-state={kind}>{word}</span>;
}

export function StateBadge({ state }: { state: State | NonNullable<Attempt['outcome']> }) {
  const { t } = useTranslation();
  return <Pill kind={state} word={t(`state.${state}`)} />;
}

export function FailureBadge({ failure }: { failure: NonNullable<Attempt['failure']> }) {
  const { t } = useTranslation();
  return <Pill kind={failure} word={t(`failure.${failure}`)} />;
}

export function WorkerBadge({ status }: { status: WorkerStatus }) {
  const { t } = useTranslation();
  return <Pill kind={status} word={t(`workers.status.${status}`)} />;
}
