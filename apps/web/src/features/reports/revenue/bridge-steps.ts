import type { Bridge, MovementKind } from '@agency/contract/types'
import type { BarSeries } from '../../../ui/chart/bars.ts'
import { chartColors } from '../../../ui/chart/colors.ts'
import type { BridgeStep } from '../../../ui/chart/waterfall.ts'

type Movement = { kind: MovementKind; label: string; color: string; sign: 1 | -1 }

const movements: readonly Movement[] = [
  { kind: 'new', label: 'New', color: chartColors.gain, sign: 1 },
  { kind: 'expansion', label: 'Expansion', color: chartColors.moreGain, sign: 1 },
  { kind: 'reactivation', label: 'Reactivation', color: chartColors.returned, sign: 1 },
  { kind: 'contraction', label: 'Contraction', color: chartColors.partLoss, sign: -1 },
  { kind: 'churn', label: 'Churn', color: chartColors.loss, sign: -1 },
]

/** From the start of the first month to the end of the last. */
export function bridgeSteps({ months }: Bridge, hrefOf: (kind: MovementKind) => string): BridgeStep[] {
  const [first, last] = [months[0], months.at(-1)]
  if (!first || !last) return []
  return [
    { id: 'start', label: 'Start', kind: 'level', value: first.start, color: chartColors.main },
    ...movements.map(
      ({ kind, label, color, sign }): BridgeStep => ({
        ...{ id: kind, label, kind: 'change', color, href: hrefOf(kind) },
        value: sign * months.reduce((sum, month) => sum + month[kind], 0),
      }),
    ),
    { id: 'end', label: 'End', kind: 'level', value: last.end, color: chartColors.main },
  ]
}

/** Month by month; what is lost hangs below zero. */
export const bridgeSeries = ({ months }: Bridge): BarSeries[] =>
  movements.map(({ kind, label, color, sign }) => ({
    ...{ id: kind, label, color },
    values: months.map((month) => sign * month[kind]),
  }))

export const hasMoved = ({ months }: Bridge): boolean =>
  months.some((month) => movements.some(({ kind }) => month[kind] !== 0))
