import type { Tone } from '../theme/palette.ts'

const highPercent = 80

const gaugeTones = { cpu: 'error', memory: 'warning', storage: 'warning' } as const

/** The colour of a gauge: CPU is red above 80%, memory and storage are amber. */
export function gaugeTone(of: keyof typeof gaugeTones, percent: number | null): Tone {
  return percent !== null && percent > highPercent ? gaugeTones[of] : 'neutral'
}
