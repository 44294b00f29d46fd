import type { Components, CssVarsTheme, Theme } from '@mui/material/styles'

export const inputs: Components<Theme & CssVarsTheme> = {
  MuiTextField: { defaultProps: { variant: 'outlined', fullWidth: true, size: 'small' } },
  MuiFormControl: { defaultProps: { variant: 'outlined', fullWidth: true, size: 'small' } },
  MuiSelect: { defaultProps: { variant: 'outlined', size: 'small' } },
  MuiOutlinedInput: {
    styleOverrides: {
      root: ({ theme }) => ({
        backgroundColor: theme.vars.palette.background.paper,
        // iOS zooms into fields whose text is smaller than 16px.
        '@media (pointer: coarse)': { fontSize: '1rem' },
        // The frame shows the focus.
        '& input:focus-visible, & select:focus-visible, & textarea:focus-visible': { outline: 'none' },
        '& ::placeholder': { color: theme.vars.palette.text.secondary, opacity: 1 },
      }),
      notchedOutline: ({ theme }) => ({ borderColor: theme.vars.palette.field }),
    },
  },
}
