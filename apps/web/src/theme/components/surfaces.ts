import type { Components, CssVarsTheme, Theme } from '@mui/material/styles'

export const surfaces: Components<Theme & CssVarsTheme> = {
  MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiAppBar: { defaultProps: { elevation: 0, color: 'inherit' } },
  MuiDialog: {
    styleOverrides: {
      // The top keeps its place while the content grows, so that nothing moves away under a press.
      container: { '&:not(:has(.MuiDialog-paperFullScreen))': { alignItems: 'flex-start' } },
      paper: {
        '&:not(.MuiDialog-paperFullScreen)': { marginTop: 'max(32px, 10vh)', maxHeight: 'calc(90% - 32px)' },
        '@media (max-width: 599.95px)': {
          '&:not(.MuiDialog-paperFullScreen)': {
            margin: 16,
            width: 'calc(100% - 32px)',
            maxHeight: 'calc(100% - 32px)',
          },
        },
      },
    },
  },
  MuiDialogTitle: { styleOverrides: { root: { fontSize: '1.125rem', fontWeight: 500, padding: '20px 24px 8px' } } },
  MuiDialogActions: { styleOverrides: { root: { padding: '12px 24px 20px', gap: 4, flexWrap: 'wrap' } } },
  MuiMenu: {
    defaultProps: { transitionDuration: 120, slotProps: { list: { dense: true } } },
    // In the dark a shadow alone does not set it apart from what it covers.
    styleOverrides: { paper: ({ theme }) => ({ border: `1px solid ${theme.vars.palette.divider}` }) },
  },
  MuiMenuItem: { styleOverrides: { root: { fontSize: '0.875rem', minHeight: 36 } } },
  MuiTooltip: {
    defaultProps: { arrow: true, enterDelay: 300 },
    styleOverrides: {
      tooltip: { fontSize: '0.75rem', lineHeight: 1.4, fontWeight: 400, padding: '6px 10px', maxWidth: 320 },
    },
  },
  MuiTab: { styleOverrides: { root: { minWidth: 0, minHeight: 44, padding: '10px 12px', fontWeight: 500 } } },
  MuiTabs: { styleOverrides: { root: { minHeight: 44 } } },
  MuiLink: { defaultProps: { underline: 'hover' } },
}
