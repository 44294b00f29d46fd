import type { Change } from '@agency/contract/types'
import type { Column } from '../../../platform/export-kind.ts'

/** One figure of a screen; what is not known has neither amount nor value, and the note says why. */
export type FigureRow = {
  section: string
  /** A day, a month, or which of the two ranges. */
  period: string | null
  name: string | null
  figure: string
  currency: string | null
  amount: number | null
  value: number | null
  note: string | null
}

const empty: Omit<FigureRow, 'section' | 'figure'> = {
  ...{ period: null, name: null, currency: null, amount: null, value: null, note: null },
}

type Of = Partial<Omit<FigureRow, 'section' | 'figure'>>

export const money = (section: string, figure: string, currency: string, amount: number | null, of: Of = {}) => ({
  ...{ ...empty, section, figure, ...of, currency, amount },
})
export const number = (section: string, figure: string, value: number | null, of: Of = {}) => ({
  ...{ ...empty, section, figure, ...of, value },
})

/** A figure in both ranges, and the change as the card says it. */
export function changed(section: string, figure: string, change: Change, currency: string | null = null): FigureRow[] {
  const { current, compared, percent, reason } = change
  const row = (period: string, value: number | null, note: string | null = null): FigureRow =>
    currency === null
      ? number(section, figure, value, { period, note })
      : money(section, figure, currency, value, { period, note })
  return [
    row('This range', current, reason),
    row('Compared range', compared),
    number(section, `${figure}, change (%)`, percent),
  ]
}

export const figureColumns: readonly Column<FigureRow>[] = [
  { title: 'Section', name: 'section', type: 'text', value: ({ section }) => section },
  { title: 'Period', name: 'period', type: 'text', width: 0.8, value: ({ period }) => period },
  { title: 'Name', name: 'name', type: 'text', width: 1.4, value: ({ name }) => name },
  { title: 'Figure', name: 'figure', type: 'text', value: ({ figure }) => figure },
  {
    ...{ title: 'Amount', name: 'amount', type: 'money' },
    value: ({ amount, currency }) => (amount === null || currency === null ? null : { amount, currency }),
  },
  {
    title: 'Currency',
    name: 'currency',
    type: 'text',
    width: 0.6,
    value: (row) => row.currency?.toUpperCase() ?? null,
  },
  { title: 'Value', name: 'value', type: 'number', width: 0.8, value: ({ value }) => value },
  { title: 'Note', name: 'note', type: 'text', width: 1.4, value: ({ note }) => note },
]
