import {
  formatBytes,
  formatCount,
  formatCountShort,
  formatDuration,
  formatMoney,
  formatMoneyShort,
} from '../../lib/format.ts'
import type { Scale } from '../../ui/chart/chart.ts'

export const counts: Scale = { format: formatCount, short: formatCountShort, base: 10 }
export const sizes: Scale = { format: formatBytes, short: formatBytes, base: 1024 }
export const durations: Scale = { format: formatDuration, short: formatDuration, base: 10 }

export const moneyIn = (currency: string): Scale => ({
  format: (amount) => formatMoney(amount, currency),
  short: (amount) => formatMoneyShort(amount, currency),
  base: 10,
})
