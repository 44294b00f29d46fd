/** What a figure rose by against an earlier one, in percent with one decimal; null where either is unknown or the earlier one is 0. */
export const percentChange = (current: number | null, earlier: number | null): number | null =>
  current === null || earlier === null || earlier === 0
    ? null
    : Math.round(((current - earlier) / Math.abs(earlier)) * 1000) / 10
