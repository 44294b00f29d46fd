/** The same colour for the same thing on every chart. */
export const chartColors = {
  main: 'var(--mui-palette-primary-main)',
  second: 'var(--mui-palette-secondary-main)',
  /** The period that is compared with. */
  before: 'var(--mui-palette-text-secondary)',
  gain: 'var(--mui-palette-success-main)',
  moreGain: 'var(--mui-palette-info-light)',
  returned: 'var(--mui-palette-success-light)',
  loss: 'var(--mui-palette-error-main)',
  partLoss: 'var(--mui-palette-warning-light)',
} as const
