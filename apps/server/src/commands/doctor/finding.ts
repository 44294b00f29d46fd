export interface Finding {
  check: string
  state: 'ok' | 'warn' | 'fail'
  says: string
  /** What to do about it. */
  todo?: string
}

type Words = [says: string, todo?: string]

const finding =
  (state: Finding['state']) =>
  (check: string, ...[says, todo]: Words) => ({
    check,
    state,
    says,
    ...(todo !== undefined && { todo }),
  })

export const ok: (check: string, says: string) => Finding = finding('ok')
export const warn: (check: string, ...words: Words) => Finding = finding('warn')
export const fail: (check: string, ...words: Words) => Finding = finding('fail')

export function printFindings(findings: Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, state, says, todo }) => [
    `${state.padEnd(4)}  ${check.padEnd(width)}  ${says}`,
    ...(todo === undefined ? [] : [`${' '.repeat(width + 8)}→ ${todo}`]),
  ])
  return [...lines, '', summarize(findings)].join('\n')
}

function summarize(findings: Finding[]): string {
  const count = (state: Finding['state']) => findings.filter((one) => one.state === state).length
  if (count('fail') > 0) return `${count('fail')} wrong, ${count('warn')} to look at.`
  return count('warn') > 0 ? `Nothing is wrong, ${count('warn')} to look at.` : 'All is well.'
}

export function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  const cause = first instanceof Error && first.cause instanceof Error ? `: ${first.cause.message}` : ''
  return `${first instanceof Error ? first.message : String(first)}${cause}`.replaceAll(/\s+/g, ' ').trim()
}
