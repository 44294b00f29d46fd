/** Marks of an axis from zero, at most five, at round values: in steps of ten for counts, of 1024 for bytes. */
export function roundTicks(most: number, base: 10 | 1024): number[] {
  if (most <= 0) return [0, 1]
  const unit = base === 1024 ? 1024 ** Math.floor(Math.log(Math.max(1, most)) / Math.log(1024)) : 1
  const rough = most / unit / 4
  const size = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5].find((each) => each * size >= rough) ?? 10) * size * unit
  const whole = base === 10 ? Math.max(1, Math.ceil(step)) : step
  return Array.from({ length: Math.ceil(most / whole) + 1 }, (_, index) => index * whole)
}

/** Marks of an axis that reaches below zero, in steps of the same size on both sides; what is less than half a step has none. */
export function spanTicks(least: number, most: number, base: 10 | 1024): number[] {
  if (least >= 0) return roundTicks(most, base)
  const step = roundTicks(Math.max(-least, most), base)[1] ?? 1
  const [below, above] = [Math.round(-least / step), Math.ceil(most / step)]
  return Array.from({ length: below + above + 1 }, (_, index) => (index - below) * step)
}
