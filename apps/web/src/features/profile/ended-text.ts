import { formatCount } from '../../lib/format.ts'

/** How many other sessions an act ended. */
export function endedText(count: number): string {
  if (count === 0) return 'No other session was open.'
  return count === 1 ? 'One other session ended.' : `${formatCount(count)} other sessions ended.`
}
