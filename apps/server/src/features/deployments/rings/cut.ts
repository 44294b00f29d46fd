/** Cuts what is in order into rings: `percentages` say how much of all is in each ring and those before it. None is empty. */
export function cutRings<T>(all: readonly T[], percentages: readonly number[]): { percentage: number; members: T[] }[] {
  let from = 0
  return percentages.flatMap((percentage) => {
    const until = Math.ceil((all.length * percentage) / 100)
    const members = all.slice(from, until)
    from = Math.max(from, until)
    return members.length === 0 ? [] : [{ percentage, members }]
  })
}
