import { ActionIcon, Button, Checkbox, Group, Text, Tooltip } from '@mantine/core';
import { memo, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../api/shapes';
import { useNs } from '../frame/ns';
import { DownIcon, DownloadIcon } from '../pieces/icons';
import { Panel } from '../pieces/Panel';
import { ProblemNote } from '../pieces/ProblemNote';
import { saveText } from './saveText';
import { isFinal } from './tasks';
import type { AttemptLog } from './logBuffer';
import styles from './tasks.module.css';
import { useLog } from './useLog';

const NEAR_END_PX = 32;

/** What the task writes, as it writes it: strictly as text. Follows the end until the reader scrolls up. */
export function LogPanel({ task }: { task: Task }) {
  const { t } = useTranslation();
  const log = useLog(useNs(), task.id);
  const [wrap, setWrap] = useState(true);
  const { box, isAtEnd, onScroll, toEnd } = useStickyEnd(log.attempts);
  const isEmpty = log.attempts.length === 0;
  const save = () => saveText(`${task.id.replace(/[^\w.-]+/g, '_')}.log`, asText(log.attempts, (number) => t('log.attempt', { number })));
  const tools = (
    <Group gap="sm">
      {log.status !== 'refused' && <Text size="xs" c="dimmed" role="status" className={styles.status} data-log={log.status}>{t(`log.${log.status}`)}</Text>}
      <Checkbox size="xs" label={t('log.wrap')} checked={wrap} onChange={(event) => setWrap(event.currentTarget.checked)} />
      <Tooltip label={t('log.download')}>
        <ActionIcon variant="subtle" color="gray" disabled={isEmpty} onClick={save} aria-label={t('log.download')}><DownloadIcon /></ActionIcon>
      </Tooltip>
    </Group>
  );
  return (
    <Panel title={t('log.title')} aside={tools} flush>
      {log.thrown != null && <ProblemNote thrown={log.thrown} />}
      <div className={styles.logFrame}>
        <div ref={box} onScroll={onScroll} className={styles.log} data-wrap={wrap} data-over={isFinal(task)} tabIndex={0} role="log" aria-label={t('log.region')} aria-live="off">
          {isEmpty && <Text size="sm" c="dimmed">{log.status === 'ended' || isFinal(task) ? t('log.emptyEnded') : t('log.empty')}</Text>}
          {log.attempts.map((attempt) => (
            <section key={attempt.number} aria-label={t('log.attempt', { number: attempt.number })}>
              {(log.attempts.length > 1 || attempt.number > 1) && <div className={styles.divider}>{t('log.attempt', { number: attempt.number })}</div>}
              <pre className={styles.lines}>{attempt.pieces.map((piece, i) => <Piece key={i} text={piece} />)}</pre>
            </section>
          ))}
        </div>
        {!isAtEnd && <Button size="xs" className={styles.toEnd} leftSection={<DownIcon size={14} />} onClick={toEnd}>{t('log.toEnd')}</Button>}
      </div>
    </Panel>
  );
}

const Piece = memo(function Piece({ text }: { text: string }) {
  return <span>{text}</span>;
});

function asText(attempts: AttemptLog[], heading: (number: number) => string): string {
  return attempts.map((attempt) => `${attempts.length > 1 ? `--- ${heading(attempt.number)} ---\n` : ''}${attempt.pieces.join('')}`).join('\n');
}

/** Follows the end of the log until the user scrolls up. */
function useStickyEnd(content: unknown) {
  const box = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  useLayoutEffect(() => {
    if (isAtEnd && box.current) {
      box.current.scrollTop = box.current.scrollHeight;
    }
  }, [content, isAtEnd]);
  const onScroll = () => {
    const { scrollHeight, scrollTop, clientHeight } = box.current!;
    setAtEnd(scrollHeight - scrollTop - clientHeight < NEAR_END_PX);
  };
  return { box, isAtEnd, onScroll, toEnd: () => setAtEnd(true) };
}
