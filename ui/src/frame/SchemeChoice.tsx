import { SegmentedControl, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { MoonIcon, SunIcon, SystemIcon } from '../pieces/icons';

const SCHEMES = [
  { value: 'light', word: 'frame.schemeLight', icon: SunIcon },
  { value: 'dark', word: 'frame.schemeDark', icon: MoonIcon },
  { value: 'auto', word: 'frame.schemeAuto', icon: SystemIcon },
] as const;

export function SchemeChoice() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-label={t('frame.scheme')}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as typeof colorScheme)}
      data={SCHEMES.map(({ value, word, icon: Symbol }) => ({
        value,
        label: (
          <span title={t(word)} style={{ display: 'flex', justifyContent: 'center' }}>
            <Symbol size={16} />
            <VisuallyHidden>{t(word)}</VisuallyHidden>
          </span>
        ),
      }))}
    />
  );
}
