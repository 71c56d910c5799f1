import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** From the text color to the background. */
const dark: MantineColorsTuple = [
  '#d5d9e0',
  '#b9bfc9',
  '#949ba7',
  '#656d7a',
  '#3d4552',
  '#2e3541',
  '#1f2530',
  '#171c25',
  '#11151c',
  '#0c0f14',
];

export const theme = createTheme({
  colors: { dark },
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  fontFamily: "'Inter', system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Roboto Mono', Menlo, Consolas, monospace",
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: {
      defaultProps: {
        centered: true,
        overlayProps: { backgroundOpacity: 0.45, blur: 2 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title: { fontWeight: 650, fontSize: 'var(--mantine-font-size-lg)' } },
    },
    // The placeholder for the first focus is not an allowed child of a menu (WAI-ARIA).
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Table: {
      defaultProps: {
        verticalSpacing: 'sm',
        horizontalSpacing: 'md',
        // On the default hover colors, links have a contrast of 4.47 and 4.15. WCAG 1.4.3 requires 4.5.
        highlightOnHoverColor: 'light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-6))',
      },
    },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300, events: { hover: true, focus: true, touch: false } } },
    Card: { defaultProps: { withBorder: true, padding: 'lg' } },
    // A form refuses a number that is out of range. By default the field changes it.
    NumberInput: { defaultProps: { clampBehavior: 'none', thousandSeparator: ',' } },
  },
});

/** By default, dimmed text, badges and links under the pointer have too little contrast for small text (WCAG 1.4.3). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6c737a',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-teal-light-color': '#056147',
    '--mantine-color-orange-light-color': '#973800',
    '--mantine-color-yellow-light-color': '#7d4a00',
    '--mantine-color-red-light-color': '#a82222',
    '--mantine-color-gray-light-color': '#42484e',
    '--mantine-color-indigo-light-hover': '#cfd9ff',
    '--rtms-page': '#f7f8fa',
  },
  dark: {
    '--mantine-color-dimmed': '#a3a8ae',
    '--mantine-color-placeholder': '#8d9298',
    '--mantine-color-error': '#ff8787',
    // By default the color of the page.
    '--mantine-color-gray-light': '#2a303b',
    // By default nearly white: the icons that destroy something were not red.
    '--mantine-color-red-light-color': '#ffa8a8',
    '--rtms-page': '#11151c',
  },
});
