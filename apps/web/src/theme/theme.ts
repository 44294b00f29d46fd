import { createTheme, type Shadows } from '@mui/material/styles'
import type {} from '@mui/material/themeCssVarsAugmentation'
import { buttons } from './components/buttons.ts'
import { inputs } from './components/inputs.ts'
import { surfaces } from './components/surfaces.ts'
import { darkPalette, lightPalette } from './palette.ts'
import { typography } from './typography.ts'

export const theme = createTheme({
  // What the attribute says, `lib/theme-choice.ts` decides: the person, else the device.
  cssVariables: { colorSchemeSelector: '[data-theme="%s"]' },
  colorSchemes: { light: { palette: lightPalette }, dark: { palette: darkPalette } },
  typography,
  shape: { borderRadius: 8 },
  spacing: 8,
  // A shadow says that something floats, and nothing more.
  shadows: ['none', ...Array<string>(24).fill('0 8px 28px rgb(0 0 0 / 18%)')] as Shadows,
  breakpoints: { values: { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } },
  transitions: {
    duration: {
      shortest: 120,
      shorter: 130,
      short: 140,
      standard: 160,
      complex: 160,
      enteringScreen: 160,
      leavingScreen: 120,
    },
  },
  motion: { reducedMotion: 'system' },
  components: { ...buttons, ...inputs, ...surfaces },
})
