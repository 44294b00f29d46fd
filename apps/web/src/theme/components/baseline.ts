import type { Components, CssVarsTheme, Theme } from '@mui/material/styles'

export const baseline: Components<Theme & CssVarsTheme> = {
  MuiCssBaseline: {
    styleOverrides: (theme) => ({
      body: { ...theme.typography.body1, overflowWrap: 'break-word' },
      'h1, h2, h3, h4, h5, h6, p': { margin: 0 },
      a: { color: theme.vars.palette.primary.main },
      // Containers that take the focus for the sake of screen readers show no ring.
      ':focus-visible:not([tabindex="-1"])': {
        outline: `2px solid ${theme.vars.palette.primary.main}`,
        outlineOffset: 2,
      },
      '@media (prefers-reduced-motion: reduce)': {
        '*, *::before, *::after': {
          animationDuration: '0.01ms !important',
          animationIterationCount: '1 !important',
          transitionDuration: '0.01ms !important',
          scrollBehavior: 'auto !important',
        },
      },
    }),
  },
}
