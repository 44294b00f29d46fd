/** What is to be sent of a body, since it is not as before; null when nothing is. */
export function differences<B extends object>(now: B, before: B): Partial<B> | null {
  const changed = Object.entries(now).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof B]),
  )
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<B>)
}
