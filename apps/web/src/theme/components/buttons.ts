import type { Components, Theme } from '@mui/material/styles'

export const buttons: Components<Theme> = {
  MuiButtonBase: { defaultProps: { disableRipple: true } },
  MuiButton: {
    defaultProps: { disableElevation: true },
    styleOverrides: { root: { whiteSpace: 'nowrap', minHeight: 36 }, sizeSmall: { minHeight: 30 } },
  },
  MuiIconButton: { styleOverrides: { root: { borderRadius: 8 } } },
}
