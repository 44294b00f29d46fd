export type PurgeKind = 'everything' | 'hosts' | 'files'
export type PurgeTargets = { kind: PurgeKind; lines: string }

const most = 30

/** One a line; empty lines do not count. */
const linesOf = ({ lines }: PurgeTargets): string[] => [
  ...new Set(
    lines
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

const isAddress = (line: string): boolean => {
  const url = URL.parse(line)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
}
const isHost = (line: string): boolean => /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/i.test(line)

/** What is wrong with it; undefined when it can be sent. */
export function purgeProblem(targets: PurgeTargets, domain: string): string | undefined {
  if (targets.kind === 'everything') return undefined
  const [lines, one, isRight] =
    targets.kind === 'hosts'
      ? ([linesOf(targets), 'hostname', isHost] as const)
      : ([linesOf(targets), 'URL starting with https:// or http://', isAddress] as const)
  if (lines.length === 0) return `Enter at least one ${one}, one per line`
  if (lines.length > most) return `Enter at most ${most}`
  const wrong = lines.find((line) => !isRight(line))
  if (wrong !== undefined) return `${wrong} is not a ${one}`
  const foreign = lines.find((line) => !isBelow(targets.kind === 'hosts' ? line : hostOf(line), domain))
  return foreign === undefined ? undefined : `${foreign} does not belong to ${domain}`
}

const hostOf = (line: string): string => URL.parse(line)?.hostname ?? ''
const isBelow = (host: string, domain: string): boolean => {
  const name = host.toLowerCase()
  return name === domain.toLowerCase() || name.endsWith(`.${domain.toLowerCase()}`)
}

type Body = { everything: true } | { hosts: string[] } | { files: string[] }

export function purgeBody(targets: PurgeTargets): Body {
  if (targets.kind === 'everything') return { everything: true }
  return targets.kind === 'hosts' ? { hosts: linesOf(targets) } : { files: linesOf(targets) }
}

/** The button repeats what will happen. */
export function purgeLabel(targets: PurgeTargets): string {
  if (targets.kind === 'everything') return 'Purge everything'
  const count = linesOf(targets).length
  const [one, many] = targets.kind === 'hosts' ? ['hostname', 'hostnames'] : ['URL', 'URLs']
  return count === 0 ? `Purge ${many}` : `Purge ${count} ${count === 1 ? one : many}`
}
