const perLog = 256

/** The name of the segment of the journal that follows, of 16 MB each, on the same timeline. */
export function nextSegment(name: string): string {
  const [timeline, log, seg] = [
    name.slice(0, 8),
    Number.parseInt(name.slice(8, 16), 16),
    Number.parseInt(name.slice(16), 16),
  ]
  const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0')
  return seg + 1 < perLog ? `${timeline}${hex(log)}${hex(seg + 1)}` : `${timeline}${hex(log + 1)}${hex(0)}`
}

/** Those from one to another, without a gap; null: one is missing. */
export function unbroken(there: readonly string[], from: string, to: string): string[] | null {
  const found: string[] = []
  for (let name = from; ; name = nextSegment(name)) {
    if (!there.includes(name)) return null
    found.push(name)
    if (name === to) return found
    if (name > to) return null
  }
}
