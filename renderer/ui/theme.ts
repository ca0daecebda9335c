import { Alert, Button, createTheme, type MantineColorsTuple } from '@mantine/core';
import { t } from '../../preload/texts/t.ts';

const accent: MantineColorsTuple = [
  '#eef0ff',
  '#dcdffb',
  '#b7bdf3',
  '#8f98ec',
  '#6f7ae6',
  '#5c68e2',
  '#4c57cf',
  '#3f49b6',
  '#373fa3',
  '#2c3490',
];

const dark: MantineColorsTuple = [
  '#d5d8de',
  '#a9afba',
  '#858c99',
  '#5a616e',
  '#3a404b',
  '#2b303a',
  '#21252d',
  '#191c22',
  '#14161b',
  '#0f1115',
];

/** The library's own yellow on yellow has too little contrast for a title. */
const ALERT_TONES: Readonly<Record<string, string>> = {
  yellow: 'warning',
  red: 'danger',
  gray: 'neutral',
};

/** The library's own red has too little contrast under white, and on it. */
const RED_BUTTONS: Readonly<Record<string, Record<`--${string}`, string>>> = {
  filled: {
    '--button-bg': 'var(--mantine-color-red-9)',
    '--button-hover': 'var(--mantine-color-red-8)',
  },
  subtle: { '--button-color': 'var(--sw-danger)' },
};

/** Mantine's share of the token set; colours of surfaces and text are in `tokens.css`. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 5 },
  colors: { accent, dark },
  fontFamily: 'var(--sw-font)',
  fontFamilyMonospace: 'var(--sw-mono)',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: { fontFamily: 'var(--sw-font)', fontWeight: '600' },
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  focusRing: 'auto',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Rounder ones are taken for a choice of one.
    Checkbox: { defaultProps: { radius: 'xs' } },
    Button: Button.extend({
      defaultProps: { size: 'sm' },
      vars: (_theme, { color, variant = 'filled' }) => ({
        root: color === 'red' ? (RED_BUTTONS[variant] ?? {}) : {},
      }),
    }),
    TextInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: true, fz: 'xs' } },
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.5 },
        closeButtonProps: { 'aria-label': t('Close') },
      },
    },
    Alert: Alert.extend({
      vars: (_theme, { color }) => {
        const tone = ALERT_TONES[color ?? ''] ?? 'info';
        const text = tone === 'neutral' ? 'var(--sw-text)' : `var(--sw-${tone})`;
        return { root: { '--alert-bg': `var(--sw-${tone}-soft)`, '--alert-color': text } };
      },
    }),
    Menu: { defaultProps: { shadow: 'md', position: 'bottom-start' } },
  },
});
