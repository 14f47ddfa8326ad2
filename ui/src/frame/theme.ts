import { createTheme, type CSSVariablesResolver } from '@mantine/core';

// System fonts only: nothing is fetched, and Chinese looks as it does elsewhere on the machine.
const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", "WenQuanYi Micro Hei", sans-serif';
const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", "Noto Sans Mono CJK SC", "WenQuanYi Micro Hei Mono", monospace';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  // Mantine's dark greys are warm; ours lean to the blue of the surfaces below.
  colors: { dark: ['#cfd4dd', '#b6bcc8', '#8d95a5', '#6b7384', '#3b414c', '#2e333c', '#252931', '#1d2026', '#181b20', '#121418'] },
  defaultRadius: 'md',
  fontFamily: SANS,
  fontFamilyMonospace: MONO,
  headings: { fontFamily: SANS, fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: { Modal: { styles: { title: { fontWeight: 650, overflowWrap: 'anywhere' } } } },
});

/** Mantine's dimmed text is paler than people can read comfortably (3.3 : 1); ours keeps 4.5 : 1 in both schemes. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#566070',
    '--belfry-ground': '#f5f6f9',
    '--belfry-surface': '#ffffff',
    '--belfry-line': '#eceef2',
    '--belfry-hover': '#f6f7fb',
    '--belfry-code': '#f8f9fb',
    '--belfry-accent': '#3347b8',
    '--mantine-color-anchor': '#3347b8',
  },
  dark: {
    '--mantine-color-dimmed': '#a3a8b3',
    '--belfry-ground': '#15171c',
    '--belfry-surface': '#1d2026',
    '--belfry-line': '#2a2e36',
    '--belfry-hover': '#242830',
    '--belfry-code': '#181b20',
    '--belfry-accent': '#a3b4ff',
    '--mantine-color-anchor': '#a3b4ff',
  },
});
