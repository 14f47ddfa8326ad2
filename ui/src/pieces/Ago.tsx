import { Text, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Instant } from '../api/shapes';
import { useNow } from './now';
import { exact, ownZone, relative } from './times';

/**
 * How long ago, or how far off; the exact time with its zone on hover and for who listens. What is `upcoming` is "now"
 * when its time has come: the next one is on its way.
 */
export function Ago({ at, upcoming = false }: { at: Instant | undefined; upcoming?: boolean }) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  if (at === undefined) {
    return <Text span c="dimmed">{t('common.none')}</Text>;
  }
  const full = t('time.exact', { time: exact(at, i18n.language), zone: ownZone() });
  return (
    <Tooltip label={full} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at} aria-label={full} tabIndex={0} style={{ whiteSpace: 'nowrap' }}>
        {upcoming && Date.parse(at) <= now ? t('time.now') : relative(at, now, i18n.language)}
      </time>
    </Tooltip>
  );
}

/** The exact time in full, where there is room for it. */
export function Exact({ at }: { at: Instant | undefined }) {
  const { t, i18n } = useTranslation();
  if (at === undefined) {
    return <Text span c="dimmed">{t('common.none')}</Text>;
  }
  return (
    <Tooltip label={ownZone()} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at}>{exact(at, i18n.language)}</time>
    </Tooltip>
  );
}
