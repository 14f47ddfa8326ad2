import { Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { to, useNs } from '../frame/ns';
import type { LiveEvent } from '../live/concerned';
import type { ReceivedEvent } from '../live/feed';
import { useFeed, useReceivedEvents } from '../live/Live';
import { LiveLight } from '../live/LiveLight';
import { Mono, Panel } from '../pieces/Panel';
import { useWordFor } from '../words/useWordFor';
import styles from './cluster.module.css';

/** Events of the namespace as they happen, newest first. Can be paused for reading. */
export function EventFeed() {
  const { t } = useTranslation();
  const feed = useFeed();
  const received = useReceivedEvents();
  const [frozen, setFrozen] = useState<readonly ReceivedEvent[] | undefined>(undefined);
  const shown = frozen ?? received;
  const newer = frozen === undefined ? 0 : received.findIndex((each) => each.id === frozen[0]?.id);
  const clear = () => {
    feed.clear();
    setFrozen(undefined);
  };
  const tools = (
    <Group gap="xs">
      {frozen !== undefined && <Text size="xs" c="dimmed">{t('cluster.eventsHeld', { count: newer < 0 ? received.length : newer })}</Text>}
      <LiveLight />
      <Button size="xs" variant="default" onClick={() => setFrozen(frozen === undefined ? received : undefined)}>{frozen === undefined ? t('cluster.eventsHold') : t('cluster.eventsGoOn')}</Button>
      <Button size="xs" variant="default" onClick={clear} disabled={shown.length === 0}>{t('cluster.eventsClear')}</Button>
    </Group>
  );
  return (
    <Panel title={t('cluster.events')} aside={tools} flush>
      {shown.length === 0
        ? <Text size="sm" c="dimmed" p="md" h={360}>{t('cluster.eventsEmpty')}</Text>
        : <ul className={styles.feed} tabIndex={0} aria-label={t('cluster.eventsRegion')}>{shown.map((each) => <Line key={each.id} received={each} />)}</ul>}
    </Panel>
  );
}

function Line({ received }: { received: ReceivedEvent }) {
  const { i18n } = useTranslation();
  const wordFor = useWordFor();
  const { event } = received;
  const time = new Date(received.at);
  const word = wordFor('event', event.type);
  return (
    <li>
      <time dateTime={time.toISOString()}>{new Intl.DateTimeFormat(i18n.language, { timeStyle: 'medium', hourCycle: 'h23' }).format(time)}</time>
      <span className={`${styles.kind} ${styles[toneOf(event.type)] ?? ''}`}>{word}</span>
      <span className={styles.about}><About event={event} /></span>
    </li>
  );
}

function About({ event }: { event: LiveEvent }) {
  const { t } = useTranslation();
  const ns = useNs();
  const wordFor = useWordFor();
  if (event.task !== undefined) {
    return <Anchor component={Link} to={to.task(ns, event.task)} size="sm"><Mono>{event.task}</Mono></Anchor>;
  }
  if (event.type === 'leaderChanged') {
    return t('event.leaderChangedText', { leader: event.leader, term: event.term });
  }
  if (event.type === 'firesSkipped') {
    return t('event.firesSkippedText', { count: event.count ?? 1, job: event.job, reason: wordFor('skipReason', event.reason ?? '') });
  }
  if (event.type === 'tasksUnmatched') {
    const labels = Object.entries(event.labels ?? {}).map(([name, value]) => `${name}=${value}`).join(', ');
    return t('event.tasksUnmatchedText', { count: event.count ?? 1, queue: event.queue, labels: labels === '' ? '–' : labels });
  }
  return <Mono>{event.worker ?? ''}</Mono>;
}

function toneOf(type: string): 'failed' | 'succeeded' | 'noted' | 'plain' {
  if (type === 'taskFailed' || type === 'workerOffline' || type === 'workerLeft') {
    return 'failed';
  }
  if (type === 'taskCompleted' || type === 'workerOnline' || type === 'workerJoined') {
    return 'succeeded';
  }
  return ['leaderChanged', 'firesSkipped', 'reportRejected', 'taskRetrying', 'tasksUnmatched', 'reset'].includes(type) ? 'noted' : 'plain';
}
