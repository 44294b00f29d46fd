import type { TypographyVariantsOptions } from '@mui/material/styles'

const heading = (rem: number) => ({
  fontSize: `${rem}rem`,
  fontWeight: 500,
  lineHeight: 1.25,
  letterSpacing: '-0.005em',
})

export const typography: TypographyVariantsOptions = {
  fontFamily: 'Roboto, Helvetica, Arial, sans-serif',
  h1: heading(2.5),
  h2: heading(2),
  h3: heading(1.75),
  h4: heading(1.5),
  h5: heading(1.25),
  h6: heading(1),
  body1: { fontSize: '0.875rem', lineHeight: 1.5, letterSpacing: 0 },
  body2: { fontSize: '0.8125rem', lineHeight: 1.45, letterSpacing: 0 },
  caption: { fontSize: '0.75rem', lineHeight: 1.4, letterSpacing: 0 },
  button: { textTransform: 'none', fontWeight: 500, fontSize: '0.875rem', letterSpacing: 0 },
}
