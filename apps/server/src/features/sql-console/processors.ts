import { readFileSync } from 'node:fs'

/** The list of processors that this process may use, as Linux writes it: `0-2,5`. */
export const allowedProcessors = (): string =>
  /^Cpus_allowed_list:\s+(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'

function fromList(list: string): number[] {
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}

function toList(numbers: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const number of numbers) {
    const range = ranges.at(-1)
    if (range?.[1] === number - 1) range[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(',')
}

/**
 * Which of these processors confined processes share: three of four. Whoever wakes up on one of the others waits for none of
 * them.
 */
export function confinedTo(allowed: string): string {
  const all = fromList(allowed)
  return toList(all.slice(all.length === 1 ? 0 : Math.ceil(all.length / 4)))
}
