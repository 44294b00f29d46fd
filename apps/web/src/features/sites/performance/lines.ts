/** What the two lines and the marks of the chart look like. */
export const lines = {
  response: { label: 'Whole answer', color: 'var(--mui-palette-primary-main)' },
  ttfb: { label: 'First byte', color: 'var(--mui-palette-secondary-main)' },
  mark: 'var(--mui-palette-text-secondary)',
}
